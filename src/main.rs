//! The page's entry point: mounts the app, and nothing else.

fn main() {
    yew::Renderer::<fenceline::ui::App>::new().render();
}
