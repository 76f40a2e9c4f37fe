//! The page's entry point: mounts the app, with a message in case it meets a bug.

fn main() {
    fenceline::ui::panic::install_message();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html holds an element with the id app, and loads this after it");
    yew::Renderer::<fenceline::ui::Root>::with_root(root).render();
}
