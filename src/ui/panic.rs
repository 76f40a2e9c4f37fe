//! What the page shows when the program has met a bug of its own: a message and a way to reload,
//! instead of a page that silently no longer answers. The program does not go on after it.

use web_sys::Element;

/// Installs the message; to be called once, before anything is drawn.
pub fn install_message() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        web_sys::console::error_1(&text.as_str().into());
        // Nothing more can be done where the document itself refuses.
        let _ = show(&text);
    }));
}

fn show(text: &str) -> Option<()> {
    let window = web_sys::window()?;
    let document = window.document()?;
    let make = |tag: &str, text: &str| -> Option<Element> {
        let element = document.create_element(tag).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let message = make("div", "")?;
    message.set_class_name("stopped");
    message.set_attribute("role", "alert").ok()?;
    let title = make(
        "p",
        "Fenceline has stopped: it met a bug of its own. Your scenario is in the page's address: \
         reload the page to go on with it.",
    )?;
    // A link and no button: after a panic none of the program's own code may be relied on.
    let reload = make("a", "Reload the page")?;
    reload.set_class_name("button is-main");
    // The address is the scenario's link. A link to where one is does not load again: start.js
    // does that for whatever has this attribute.
    reload.set_attribute("href", &window.location().href().ok()?).ok()?;
    reload.set_attribute("data-reload", "").ok()?;
    let detail = make("pre", text)?;
    for part in [title, reload, detail] {
        message.append_child(&part).ok()?;
    }
    document.body()?.prepend_with_node_1(&message).ok()
}
