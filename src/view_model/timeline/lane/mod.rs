//! A lane as plain data: one path for each kind and colour, and a few texts. Each lane's own file
//! draws it from its tracks; none knows where on the page it stands.

mod canvas;
mod client;
mod incident;
mod node;
mod routine;
mod service;
mod store;
mod store_label;

pub use canvas::{Band, LaneData, LaneId, LanePath, Paint, Part, RunsEnd};
pub use client::{ClientBands, LaneForm, client_lane};
pub use node::{node_band, node_lane};
pub use service::{service_band, service_lane};
pub use store::{StoreRows, first_mark, store_lane};
