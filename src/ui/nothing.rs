//! What a component draws when it has nothing to show. It must not draw no node at all.

use yew::prelude::*;
use yew::virtual_dom::VText;

/// An empty text: nobody sees it, but it keeps the component's place among its siblings.
///
/// Yew (0.23) finds the place of what stands before a component by the component's first node. A
/// component without any node passes on the place of what comes after it, as it was when the
/// component was last drawn. Where that has gone meanwhile and a sibling before it comes, the
/// sibling is put before a node that is no longer there, and the page stops (“failed to insert node
/// before next sibling”). So every component draws at least one node; `tests/native/tidy` holds it.
pub(super) fn nothing() -> Html {
    VText::new("").into()
}
