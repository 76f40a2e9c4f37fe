//! The panels around the timeline: the state at the playhead, the events, why, the properties. They
//! show what the view model says and send the user to a moment.

pub mod events;
pub mod properties;
pub mod remedies;
pub mod state;
pub mod why;

pub use events::Events;
pub use properties::{Properties, tone_class};
pub use remedies::Remedies;
pub use state::State;
pub use why::{WhyCaption, current};
