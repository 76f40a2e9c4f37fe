//! Dialogs over the page: help, links, files. Native `dialog` elements, so that the browser keeps
//! the focus inside and gives it back.

pub mod copy_link;
pub mod export;
pub mod gallery;
pub mod help;
pub mod incident;
pub mod open;
pub mod products;
pub mod tours;

use web_sys::HtmlDialogElement;
use yew::prelude::*;

pub use copy_link::CopyLink;
pub use export::ExportDialog;
pub use gallery::Gallery;
pub use help::Help;
pub use incident::IncidentDialog;
pub use open::Open;
pub use products::FindProduct;
pub use tours::Tours;

/// Properties of [`DialogFrame`].
#[derive(Properties, PartialEq)]
pub struct DialogProps {
    /// Its title.
    pub title: AttrValue,
    /// A further class: how much room it takes.
    #[prop_or_default]
    pub class: &'static str,
    /// What stands between its title and what closes it.
    #[prop_or_default]
    pub head: Html,
    /// Asked to close.
    pub on_close: Callback<()>,
    /// What it shows.
    pub children: Html,
}

/// A dialog that is open as long as it exists.
#[component]
pub fn DialogFrame(props: &DialogProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails only where the dialog is open already.
                let _ = dialog.show_modal();
            }
        });
    }
    let close = props.on_close.reform(|_: MouseEvent| ());
    // Escape: the state closes it, so that the two cannot disagree.
    let oncancel = props.on_close.reform(|event: Event| event.prevent_default());
    // The dialog's own box is its backdrop: its content lies in a box of its own.
    let onclick = {
        let (node, on_close) = (node.clone(), props.on_close.clone());
        Callback::from(move |event: MouseEvent| {
            let own = node.cast::<HtmlDialogElement>().map(Into::into);
            if event.target() == own {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog class={classes!("dialog", props.class)} ref={node}
            {oncancel} {onclick} aria-labelledby="dialog-title">
            <div class="dialog-body">
                <div class="dialog-head">
                    <h2 id="dialog-title">{ &props.title }</h2>
                    { props.head.clone() }
                    <button type="button" class="button" onclick={close}>{ "Close" }</button>
                </div>
                { props.children.clone() }
            </div>
        </dialog>
    }
}
