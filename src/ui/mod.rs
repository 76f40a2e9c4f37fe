//! The page: Yew components over the view model's plain data. It knows no protocol and changes no
//! simulation data; what the user does becomes an action.

pub mod address;
pub mod announce;
pub mod app;
pub mod causes;
pub mod clipboard;
pub mod computing;
pub mod controls;
pub mod copy;
pub mod dialogs;
pub mod dock;
pub mod docked;
pub mod download;
pub mod embed;
pub mod fetch;
mod font;
pub mod hooks;
pub mod icon;
pub mod incoming;
pub mod keys;
pub mod listed;
mod nothing;
pub mod panels;
pub mod panic;
pub mod picture;
pub mod playhead;
pub mod present;
pub mod ranges;
pub mod root;
pub mod screen;
pub mod session;
pub mod share;
pub mod skip;
pub mod slide;
pub mod stage;
pub mod store;
pub mod timeline;
pub mod tour;
pub mod transport;
pub mod what;
mod zone;

pub use root::Root;
