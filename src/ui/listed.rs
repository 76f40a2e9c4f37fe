//! The list of products, which is no part of the page's first load: it is fetched when somebody
//! looks for one, when a scenario names one, and when a file that is opened is short for one.

use std::rc::Rc;

use yew::prelude::*;

use super::hooks::{Fetched, use_fetched};
use super::store::{AppAction, AppState, Dispatch};
use crate::scenarios::products::Products;
use crate::view_model::outside::import::Source;
use crate::view_model::stories::products::called;

/// Where the list is, beside the page.
const PRODUCTS: &str = "products.json";

/// The list, as far as it is there.
#[derive(Clone, PartialEq)]
pub struct Listed {
    /// The products.
    pub products: Option<Rc<Products>>,
    /// Why there are none, where they were expected: `false`: they are late and may still come.
    pub failed: Option<bool>,
    /// Asks for them again.
    pub on_again: Callback<()>,
}

/// The list, and what the product is called that the scenario names; `looks`: somebody looks for
/// one.
#[hook]
pub fn use_listed(
    state: &AppState,
    looks: bool,
    dispatch: &Dispatch,
) -> (Listed, Option<AttrValue>) {
    let names_one = state.edited().scenario.product.is_some();
    let (fetched, on_again) = use_fetched(PRODUCTS, looks || names_one || state.unread.is_some());
    let products = use_memo(fetched.clone(), |fetched| match fetched {
        Fetched::Here(text) => Products::parse(text).ok().map(Rc::new),
        Fetched::Waiting | Fetched::Late | Fetched::Failed => None,
    });
    let failed = match (fetched, &*products) {
        (Fetched::Waiting, _) | (_, Some(_)) => None,
        (Fetched::Late, None) => Some(false),
        // What has come is no list of products.
        (Fetched::Failed | Fetched::Here(_), None) => Some(true),
    };
    let dispatch = dispatch.clone();
    use_effect_with((state.unread.clone(), products.clone()), move |(unread, products)| {
        if let (Some(text), Some(products)) = (unread, &**products) {
            dispatch.dispatch(match products.parse_file(text) {
                Ok(file) => AppAction::Read(file.to_compact_json().into(), Source::File),
                Err(error) => AppAction::Tell(error.to_string().into()),
            });
        }
    });
    let called = called(&state.controlled(), products.as_deref());
    (Listed { products: (*products).clone(), failed, on_again }, called.map(AttrValue::from))
}

/// What is wrong with the list, with a way to try again; `None`: it is here or on its way.
pub fn problem(listed: &Listed) -> Option<Html> {
    let text = match listed.failed? {
        true => "The list of products could not be loaded. ",
        false => "The list of products has not come so far: the host is slow or does not answer. ",
    };
    let onclick = listed.on_again.reform(|_: MouseEvent| ());
    Some(html! {
        <>
            { text }
            <button type="button" class="button" {onclick}>{ "Try again" }</button>
        </>
    })
}

/// What is said while a file that is short for a product's set-up waits for the list.
pub fn waits_for_it(listed: &Listed, unread: bool, on_action: &Callback<AppAction>) -> Html {
    if !unread {
        return html! {};
    }
    let on_leave = on_action.reform(|_: MouseEvent| AppAction::DismissNotice);
    let said = problem(listed).unwrap_or_else(|| html! { "The list of products is on its way" });
    html! {
        <p class="notice" role="status">
            <span>{ "This file is short for a product's set-up. " }{ said }</span>
            <button type="button" class="button" onclick={on_leave}>{ "Dismiss" }</button>
        </p>
    }
}
