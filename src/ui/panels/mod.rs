//! The panels around the timeline: the state at the playhead, the events, why, the properties. They
//! show what the view model says and send the user to a moment.

pub mod events;
pub mod history;
pub mod in_your_system;
pub mod observed;
pub mod properties;
pub mod remedies;
pub mod state;
pub mod systems;
pub mod tabs;
pub mod why;

pub use events::Events;
pub use history::HistoryPanel;
pub use in_your_system::InYourSystem;
pub use observed::ObservedPanel;
pub use properties::{Properties, swatch, tone_class};
pub use remedies::Remedies;
pub use state::State;
pub use systems::Systems;
pub use tabs::{Tab, Tabs};
pub use why::{WhyCaption, current};
