//! The tabs below the timeline: one region at a time, so that nobody scrolls past what they did not
//! ask for, and nothing is searched that nobody looks at.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tab {
    /// What would have saved us?
    Remedies,
    /// Every lock system.
    Systems,
    /// What each run came to.
    Properties,
    /// The units of work.
    History,
    /// Real commands.
    InYourSystem,
}

impl Tab {
    /// All of them, in the order in which they stand.
    pub const ALL: [Self; 5] =
        [Self::Remedies, Self::Systems, Self::Properties, Self::History, Self::InYourSystem];

    fn name(self) -> &'static str {
        match self {
            Self::Remedies => "What would have saved us?",
            Self::Systems => "Lock systems",
            Self::Properties => "Properties",
            Self::History => "History",
            Self::InYourSystem => "In your system",
        }
    }

    /// Whether it tells how runs end.
    pub fn tells_the_end(self) -> bool {
        self != Self::InYourSystem
    }
}

/// The element that holds what is looked at.
const PANEL: &str = "tab-panel";

/// Properties of [`Tabs`].
#[derive(Properties, PartialEq)]
pub struct TabsProps {
    /// Which is chosen.
    pub tab: Tab,
    /// One is chosen.
    pub on_tab: Callback<Tab>,
    /// What it shows.
    pub children: Html,
}

/// The tabs with what the chosen one shows.
#[component]
pub fn Tabs(props: &TabsProps) -> Html {
    let TabsProps { tab, on_tab, children } = props;
    let bar = use_node_ref();
    let onkeydown = {
        let (tab, on_tab, bar) = (*tab, on_tab.clone(), bar.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some(to) = moved(tab, &event.key()) else {
                return;
            };
            event.prevent_default();
            event.stop_propagation();
            on_tab.emit(to);
            let index = Tab::ALL.iter().position(|tab| *tab == to).unwrap_or_default();
            let bar = bar.cast::<HtmlElement>();
            let button = bar.and_then(|bar| bar.children().item(u32::try_from(index).ok()?));
            if let Some(button) = button.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
                // It can always have the focus.
                let _ = button.focus();
            }
        })
    };
    html! {
        <div class="tabbed">
            <div class="tabs" role="tablist" aria-label="Results" ref={bar} {onkeydown}>
                { for Tab::ALL.map(|each| {
                    let is_chosen = each == *tab;
                    html! {
                        <button type="button" role="tab" id={id(each)} class="tab"
                            aria-selected={is_chosen.to_string()} aria-controls={PANEL}
                            tabindex={if is_chosen { "0" } else { "-1" }}
                            onclick={on_tab.reform(move |_: MouseEvent| each)}>
                            { each.name() }
                        </button>
                    }
                }) }
            </div>
            <div id={PANEL} role="tabpanel" aria-labelledby={id(*tab)}>{ children.clone() }</div>
        </div>
    }
}

fn id(tab: Tab) -> String {
    format!("tab-{tab:?}").to_ascii_lowercase()
}

/// Where a key leads to.
fn moved(from: Tab, key: &str) -> Option<Tab> {
    let at = Tab::ALL.iter().position(|tab| *tab == from)?;
    let last = Tab::ALL.len() - 1;
    let to = match key {
        "ArrowRight" => {
            if at == last {
                0
            } else {
                at + 1
            }
        }
        "ArrowLeft" => {
            if at == 0 {
                last
            } else {
                at - 1
            }
        }
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Some(Tab::ALL[to])
}
