//! What happens when the program has met a bug of its own: the page's loader (static/start.js)
//! takes the page's place, with a message and the scenario's link, and what was edited is kept. The
//! program does not go on after it.

use web_sys::{CustomEvent, CustomEventInit};

use super::{address, session};

/// Sent to the window, where static/start.js listens, with the message.
const STOPPED: &str = "fenceline-stopped";

/// Installs the message; to be called once, before anything is drawn.
pub fn install_message() {
    // And not std's: Yew would put its own in place of that as soon as it draws.
    yew::set_custom_panic_hook(Box::new(|panic| {
        let text = panic.to_string();
        web_sys::console::error_1(&text.as_str().into());
        // Nothing more can be done where the document itself refuses.
        let _ = tell(&text);
        // The message stands. What was edited a moment ago waits to be written: that may meet the
        // same bug, and then ends here.
        address::write_now();
        session::keep_now();
    }));
}

fn tell(text: &str) -> Option<bool> {
    let options = CustomEventInit::new();
    options.set_detail(&text.into());
    let event = CustomEvent::new_with_event_init_dict(STOPPED, &options).ok()?;
    web_sys::window()?.dispatch_event(&event).ok()
}
