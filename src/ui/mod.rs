//! The page: Yew components over the view model's plain data. It knows no protocol and changes no
//! simulation data; what the user does becomes an action.

mod app;
pub mod store;

pub use app::App;
