//! The dialog “Find your product”: a field that finds products by name and by their settings' own
//! words, with a list below that arrows go through; and all that is said of one, with what opens
//! its trap and what takes its numbers.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition};
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

/// What the dialog shows now.
#[derive(Clone, PartialEq, Default)]
struct Now {
    query: String,
    /// Which of those that are offered arrows have come to.
    active: usize,
    /// Whether all is said of that one.
    shown: bool,
    /// Why its numbers were not taken.
    problem: String,
}

/// The dialog “Find your product”.
#[component]
pub fn FindProduct(props: &FindProductProps) -> Html {
    let FindProductProps { listed, file, on_close } = props;
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let now = use_state_eq(Now::default);
    let set = {
        let setter = now.setter();
        Callback::from(move |now: Now| setter.set(now))
    };
    let input = use_node_ref();
    use_at_hand(&input, now.active, now.shown);
    let found = listed.products.as_deref().map(|products| offered(products, &now.query));
    let groups = found.iter().flat_map(|found| &found.groups);
    let names: Vec<&Product> = groups.flat_map(|(_, products)| products).copied().collect();
    let at = names.get(now.active).copied();
    let onkeydown = keys(&now, names.len(), &set);
    let on_query = set.reform(|query: String| Now { query, ..Now::default() });
    let active = at.filter(|_| !now.shown).map(|product| option_id(&product.name));
    let field = field(&input, &now.query, active, (&on_query, &onkeydown));
    let act = |what: What| {
        let (product, file, now) = (at.cloned(), file.clone(), (*now).clone());
        let (dispatch, on_close, set) = (dispatch.clone(), on_close.clone(), set.clone());
        Callback::from(move |_: MouseEvent| {
            match product.as_ref().and_then(|product| what(product, &file)) {
                Some(Ok(action)) => {
                    dispatch.dispatch(action);
                    on_close.emit(());
                }
                Some(Err(problem)) => set.emit(Now { problem, ..now.clone() }),
                None => {}
            }
        })
    };
    html! {
        <DialogFrame title="Find your product" class="is-find" head={field}
            on_close={on_close.clone()}>
            if let Some(product) = at.filter(|_| now.shown) {
                { details(product, &now, &act, (&set, onkeydown)) }
            } else if let Some(found) = found {
                { listbox(&found, &now, &set) }
                { foot(&found.told, &now.query, &on_query) }
            } else if let Some(problem) = listed::problem(listed) {
                <p class="problem" role="alert">{ problem }</p>
            } else {
                <p class="hint">{ "The list is on its way" }</p>
            }
        </DialogFrame>
    }
}

/// What keys do: arrows go through the list, Enter says all of what they have come to, and Escape
/// leads back to the list; from there it closes the dialog, as everywhere.
fn keys(now: &Now, n: usize, set: &Callback<Now>) -> Callback<KeyboardEvent> {
    let (now, set) = (now.clone(), set.clone());
    Callback::from(move |event: KeyboardEvent| {
        let to = match (event.key().as_str(), now.shown) {
            ("Escape", true) => back(&now),
            ("Enter", false) if n > 0 => Now { shown: true, ..now.clone() },
            ("ArrowDown", false) if n > 0 => Now { active: (now.active + 1) % n, ..now.clone() },
            ("ArrowUp", false) if n > 0 => Now { active: (now.active + n - 1) % n, ..now.clone() },
            _ => return,
        };
        event.prevent_default();
        set.emit(to);
    })
}

/// The list, as it was left.
fn back(now: &Now) -> Now {
    Now { shown: false, problem: String::new(), ..now.clone() }
}

/// The id of a product's option.
fn option_id(name: &str) -> String {
    format!("product-{name}")
}

/// Keeps the option that arrows have come to in view, and the focus where it is of use: in the
/// field, or on the first thing that can be done with a product.
#[hook]
fn use_at_hand(input: &NodeRef, active: usize, shown: bool) {
    let input = input.clone();
    use_effect_with((active, shown), move |(_, shown)| {
        let Some(input) = input.cast::<HtmlElement>() else { return };
        let find = |what: &str| input.owner_document()?.query_selector(what).ok()?;
        let button = find(".product-details button");
        let button = button.and_then(|it| it.dyn_into::<HtmlElement>().ok()).filter(|_| *shown);
        // What cannot have the focus cannot be used either.
        let _ = button.as_ref().unwrap_or(&input).focus();
        if let Some(option) = find("#products [aria-selected=true]") {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            option.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

/// The field that is typed into: a combobox, whose list is always open.
fn field(
    node: &NodeRef,
    query: &str,
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
            value={query.to_owned()} {oninput} {onkeydown} />
    }
}

/// What is offered, by group.
fn listbox(found: &Offered, now: &Now, set: &Callback<Now>) -> Html {
    let mut nth = 0;
    let mut section = |(of, products): &(Group, Vec<&Product>)| {
        let options = products.iter().map(|product| {
            let option = option(product, nth, now, set);
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
        <div id="products" role="listbox" aria-label="Products">
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
fn option(product: &Product, nth: usize, now: &Now, set: &Callback<Now>) -> Html {
    let query = now.query.clone();
    let onclick = set.reform(move |_: MouseEvent| Now {
        query: query.clone(),
        active: nth,
        shown: true,
        problem: String::new(),
    });
    let [before, hit, after] = marked(&product.title, &now.query);
    html! {
        <div key={product.name.clone()} id={option_id(&product.name)} role="option" class="product"
            aria-selected={(nth == now.active).to_string()} {onclick}>
            <b>{ before }<mark>{ hit }</mark>{ after }</b>
            <div>
                <p>{ &product.numbers }</p>
                <p class="product-trap">{ &product.trap }</p>
            </div>
            <IconView icon={Icon::Enter} />
        </div>
    }
}

/// All that is said of one product, and what can be done with it.
fn details(
    product: &Product,
    now: &Now,
    act: &dyn Fn(What) -> Callback<MouseEvent>,
    (set, onkeydown): (&Callback<Now>, Callback<KeyboardEvent>),
) -> Html {
    let list = back(now);
    let to_list = set.reform(move |_: MouseEvent| list.clone());
    html! {
        <section class="product-details" aria-labelledby="product-title" {onkeydown}>
            <h3 id="product-title">
                { &product.title }{ " " }<span class="hint">{ group(product.group) }</span>
            </h3>
            <div class="dialog-buttons">
                if product.schedule.is_some() {
                    <button type="button" class="button is-main" onclick={act(open_trap)}>
                        { "Open its trap" }
                    </button>
                }
                if product.scenario.is_some() {
                    <button type="button" class="button" onclick={act(use_numbers)}>
                        { "Use these numbers" }
                    </button>
                }
                <button type="button" class="button" onclick={to_list}>
                    { "Back to the list" }
                </button>
            </div>
            if product.scenario.is_some() {
                <p class="hint">
                    { "Its trap is a scenario of its own; its numbers are put under the schedule \
                       that you have. Undo takes either back." }
                </p>
            }
            if !now.problem.is_empty() {
                <p class="problem" role="alert">{ told(&now.problem) }</p>
            }
            <dl>
                { for facts(product).into_iter().map(|(name, said)| html! {
                    <div><dt>{ name }</dt><dd>{ said }</dd></div>
                }) }
            </dl>
        </section>
    }
}

/// What is done with a product, on the file that is shown.
type What = fn(&Product, &ScenarioFile) -> Option<Result<AppAction, String>>;

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
