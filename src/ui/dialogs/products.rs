//! The dialog “Find your product”: a field that finds products by name and by their settings' own
//! words, with a list below that arrows go through; and all that is said of one, with what opens
//! its trap and what takes its numbers.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{
    Element, HtmlElement, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition,
};
use yew::prelude::*;

use super::DialogFrame;
use crate::scenarios::products::{Group, Product};
use crate::sim::scenario::ScenarioFile;
use crate::ui::icon::{Icon, IconView};
use crate::ui::listed::{self, Listed};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::outside::import::Source;
use crate::view_model::stories::products::{Offered, facts, group, marked, offered};
use crate::view_model::words::wording::told;

/// Properties of [`FindProduct`].
#[derive(Properties, PartialEq)]
pub struct FindProductProps {
    /// The list of products.
    pub listed: Listed,
    /// The scenario that takes a product's numbers.
    pub file: Rc<ScenarioFile>,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Find your product”.
#[component]
pub fn FindProduct(props: &FindProductProps) -> Html {
    let FindProductProps { listed, file, on_close } = props;
    let query = use_state_eq(String::new);
    // Which of those that are offered arrows have come to.
    let active = use_state_eq(|| 0_usize);
    // The name of the product of which all is said.
    let shown = use_state_eq(|| None::<String>);
    let input = use_node_ref();
    let list = use_node_ref();
    let found = listed.products.as_deref().map(|products| offered(products, &query));
    let one = shown.as_deref().zip(listed.products.as_deref());
    let one = one.and_then(|(name, products)| products.find(name)).cloned();
    use_in_view(&list, *active, one.is_none());
    let to_list = {
        let (shown, input) = (shown.setter(), input.clone());
        Callback::from(move |()| {
            shown.set(None);
            if let Some(input) = input.cast::<HtmlElement>() {
                // What cannot have the focus cannot be typed into either.
                let _ = input.focus();
            }
        })
    };
    let on_query = {
        let (query, active, shown) = (query.setter(), active.setter(), shown.setter());
        Callback::from(move |typed: String| {
            query.set(typed);
            active.set(0);
            shown.set(None);
        })
    };
    let on_show = {
        let (active, shown) = (active.setter(), shown.setter());
        Callback::from(move |(nth, name): (usize, String)| {
            active.set(nth);
            shown.set(Some(name));
        })
    };
    let names: Vec<&Product> = found
        .iter()
        .flat_map(|found| found.groups.iter().flat_map(|(_, it)| it))
        .copied()
        .collect();
    let is_list = one.is_none();
    let at = names.get(*active).filter(|_| is_list).map(|product| option_id(&product.name));
    let onkeydown = match is_list {
        true => list_keys(&names, &active, &on_show),
        false => escape(&to_list),
    };
    let field = field(&input, &query, at, (&on_query, &onkeydown));
    html! {
        <DialogFrame title="Find your product" class="is-find" head={field}
            on_close={on_close.clone()}>
            if let Some(product) = one {
                <Details key={product.name.clone()} product={product.clone()}
                    file={file.clone()} {to_list} on_key={onkeydown} on_close={on_close.clone()} />
            } else if let Some(found) = found {
                { listbox(&list, &found, (&query, *active), &on_show) }
                { foot(&found.told, &query, &on_query) }
            } else if let Some(problem) = listed::problem(listed) {
                <p class="problem" role="alert">{ problem }</p>
            } else {
                <p class="hint">{ "The list is on its way" }</p>
            }
        </DialogFrame>
    }
}

/// What keys do in the list: arrows go through it, Enter shows what they have come to.
fn list_keys(
    names: &[&Product],
    active: &UseStateHandle<usize>,
    on_show: &Callback<(usize, String)>,
) -> Callback<KeyboardEvent> {
    let (active, on_show) = (active.clone(), on_show.clone());
    let names: Vec<String> = names.iter().map(|product| product.name.clone()).collect();
    Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            if let Some(name) = names.get(*active) {
                event.prevent_default();
                on_show.emit((*active, name.clone()));
            }
        }
        key @ ("ArrowDown" | "ArrowUp") if !names.is_empty() => {
            event.prevent_default();
            let step = if key == "ArrowDown" { 1 } else { names.len() - 1 };
            active.set((*active + step) % names.len());
        }
        _ => {}
    })
}

/// Escape leads from a product back to the list; the dialog itself stays.
fn escape(to_list: &Callback<()>) -> Callback<KeyboardEvent> {
    let to_list = to_list.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            to_list.emit(());
        }
    })
}

/// The id of a product's option.
fn option_id(name: &str) -> String {
    format!("product-{name}")
}

/// Keeps the option that arrows have come to in view.
#[hook]
fn use_in_view(list: &NodeRef, active: usize, is_list: bool) {
    let list = list.clone();
    use_effect_with((active, is_list), move |_| {
        let list = list.cast::<Element>();
        let option = list.and_then(|list| list.query_selector("[aria-selected=true]").ok()?);
        if let Some(option) = option {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            option.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

/// The field that is typed into: a combobox, whose list is always open.
fn field(
    node: &NodeRef,
    query: &UseStateHandle<String>,
    at: Option<String>,
    (on_query, onkeydown): (&Callback<String>, &Callback<KeyboardEvent>),
) -> Html {
    let oninput = on_query
        .reform(|event: InputEvent| event.target_unchecked_into::<HtmlInputElement>().value());
    html! {
        <input ref={node.clone()} type="text" class="gallery-search" role="combobox"
            autofocus={true} autocomplete="off" spellcheck="false" aria-label="Product or setting"
            aria-autocomplete="list" aria-controls="products"
            aria-expanded={at.is_some().to_string()}
            aria-activedescendant={at} placeholder="redisson, SQS, lockDuration …"
            value={(**query).clone()} {oninput} {onkeydown} />
    }
}

/// What is offered, by group.
fn listbox(
    node: &NodeRef,
    found: &Offered,
    (typed, active): (&str, usize),
    on_show: &Callback<(usize, String)>,
) -> Html {
    let mut nth = 0;
    let mut section = |(of, products): &(Group, Vec<&Product>)| {
        let options = products.iter().map(|product| {
            let option = option(product, typed, (nth, nth == active), on_show);
            nth += 1;
            option
        });
        let options: Vec<_> = options.collect();
        html! {
            <div key={group(*of)} role="group" aria-label={group(*of)}>
                <div class="product-group" aria-hidden="true">{ group(*of) }</div>
                { for options }
            </div>
        }
    };
    html! {
        <div ref={node} id="products" role="listbox" aria-label="Products">
            { for found.groups.iter().map(&mut section) }
        </div>
    }
}

/// How many there are, and the way back to all of them.
fn foot(found: &str, query: &str, on_query: &Callback<String>) -> Html {
    let onclick = on_query.reform(|_: MouseEvent| String::new());
    html! {
        <p class="product-foot hint">
            <span role="status">{ told(found) }</span>
            <span>{ "Enter or a click shows its numbers, its trap and its sources" }</span>
            if !query.is_empty() {
                <button type="button" class="link" {onclick}>{ "All products" }</button>
            }
        </p>
    }
}

/// A product with its numbers and its trap in a line each.
fn option(
    product: &Product,
    typed: &str,
    (nth, is_active): (usize, bool),
    on_show: &Callback<(usize, String)>,
) -> Html {
    let name = product.name.clone();
    let onclick = on_show.reform(move |_: MouseEvent| (nth, name.clone()));
    let [before, hit, after] = marked(&product.title, typed);
    html! {
        <div key={product.name.clone()} id={option_id(&product.name)} role="option" class="product"
            aria-selected={is_active.to_string()} {onclick}>
            <b>{ before }<mark>{ hit }</mark>{ after }</b>
            <div>
                <p>{ &product.numbers }</p>
                <p class="product-trap">{ &product.trap }</p>
            </div>
            <IconView icon={Icon::Enter} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct DetailsProps {
    product: Product,
    file: Rc<ScenarioFile>,
    to_list: Callback<()>,
    on_key: Callback<KeyboardEvent>,
    on_close: Callback<()>,
}

/// All that is said of one product, and what can be done with it.
#[component]
fn Details(props: &DetailsProps) -> Html {
    let DetailsProps { product, file, to_list, on_key, on_close } = props;
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let problem = use_state_eq(String::new);
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let button = node.cast::<Element>().and_then(|it| it.query_selector("button").ok()?);
            if let Some(first) = button.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
                // Without the focus its reader is still in the dialog.
                let _ = first.focus();
            }
        });
    }
    let act = |what: fn(&Product, &ScenarioFile) -> Option<Result<AppAction, String>>| {
        let (product, file, problem) = (product.clone(), file.clone(), problem.setter());
        let (dispatch, on_close) = (dispatch.clone(), on_close.clone());
        Callback::from(move |_: MouseEvent| match what(&product, &file) {
            Some(Ok(action)) => {
                dispatch.dispatch(action);
                on_close.emit(());
            }
            Some(Err(error)) => problem.set(error),
            None => {}
        })
    };
    html! {
        <section ref={node} class="product-details" aria-labelledby="product-title"
            onkeydown={on_key}>
            <h3 id="product-title">
                { &product.title }{ " " }<span class="hint">{ group(product.group) }</span>
            </h3>
            <div class="dialog-buttons">
                if product.schedule.is_some() {
                    <button type="button" class="button is-main"
                        onclick={act(open_trap)}>{ "Open its trap" }</button>
                }
                if product.scenario.is_some() {
                    <button type="button" class="button" onclick={act(use_numbers)}>
                        { "Use these numbers" }
                    </button>
                }
                <button type="button" class="button" onclick={to_list.reform(|_: MouseEvent| ())}>
                    { "Back to the list" }
                </button>
            </div>
            if product.scenario.is_some() {
                <p class="hint">
                    { "Its trap is a scenario of its own; its numbers are put under the schedule \
                       that you have. Undo takes either back." }
                </p>
            }
            if !problem.is_empty() {
                <p class="problem" role="alert">{ told(&problem) }</p>
            }
            <dl>
                { for facts(product).into_iter().map(|(name, said)| html! {
                    <div><dt>{ name }</dt><dd>{ said }</dd></div>
                }) }
            </dl>
        </section>
    }
}

/// What opens a product's trap.
fn open_trap(product: &Product, _: &ScenarioFile) -> Option<Result<AppAction, String>> {
    let file = product.trap()?;
    let read = |file: ScenarioFile| AppAction::Read(file.to_compact_json().into(), Source::File);
    Some(file.map(read).map_err(|error| error.to_string()))
}

/// What puts its numbers under the schedule that is shown.
fn use_numbers(product: &Product, file: &ScenarioFile) -> Option<Result<AppAction, String>> {
    let file = product.set_up(file);
    Some(
        file.map(|file| AppAction::Put(Rc::new(file))).map_err(|error| {
            format!("Its numbers do not go with the schedule that is shown: {error}")
        }),
    )
}
