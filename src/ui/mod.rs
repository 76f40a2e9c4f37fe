//! The page: Yew components over the view model's plain data. It knows no protocol and changes no
//! simulation data; what the user does becomes an action.

mod app;
mod controls;
mod dialogs;
mod edges;
mod hooks;
mod icon;
mod keys;
mod panels;
mod playhead;
pub mod store;
mod timeline;
mod transport;

pub use app::App;
