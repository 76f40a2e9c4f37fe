//! Components draw at least one node: Yew finds the place of what stands before a component by the
//! component's first node, and stops the page where that is not there (`src/ui/nothing.rs`).

use super::source::Source;

const WHAT: &str = concat!(
    "a component draws at least one node: `nothing()` where it has nothing to show, ",
    "and an element first in a fragment"
);

/// Components that can draw no node.
pub fn drawn(source: &Source) -> Vec<String> {
    let components = (0..source.tokens.len()).filter(|&at| {
        source.has(at, &["#", "[", "component", "]"])
            || source.has(at, &["#", "[", "component", "("])
    });
    components.flat_map(|at| of_component(source, at)).collect()
}

fn of_component(source: &Source, at: usize) -> Vec<String> {
    let begins = (at..source.tokens.len()).find(|&index| source.token(index) == "fn");
    let Some(begins) = begins else {
        return Vec::new();
    };
    let mut open = begins;
    while !matches!(source.token(open), "{" | "") {
        open = if source.token(open) == "(" { source.closing(open) + 1 } else { open + 1 };
    }
    let end = source.closing(open);
    let roots = (open..end).filter(|&index| source.has(index, &["html", "!", "{"]));
    let bad =
        roots.filter(|&index| is_root(source, index, end) && draws_none(source, open, index + 3));
    bad.map(|index| source.complain(index, WHAT)).collect()
}

/// Whether it is what the component returns, as far as a reader of tokens can tell.
fn is_root(source: &Source, index: usize, end: usize) -> bool {
    let after = source.closing(index + 2) + 1;
    after == end || (index > 0 && source.token(index - 1) == "return")
}

/// Whether what begins at `first`, in a component that begins at `open`, may come to no node:
/// nothing, a list or a condition, alone or first in a fragment.
fn draws_none(source: &Source, open: usize, first: usize) -> bool {
    match source.token(first) {
        "<" if source.token(first + 1) == ">" => match source.token(first + 2) {
            "<" => false,
            "{" if source.token(first + 4) == "}" => {
                let named = ["let", source.token(first + 3), "=", "html", "!", "{", "<"];
                !(open..first).any(|index| source.has(index, &named))
            }
            _ => true,
        },
        "<" => false,
        _ => true,
    }
}

#[test]
fn components_that_can_draw_nothing_are_found() {
    let with = |body: &str| {
        let code = format!("#[component]\npub fn A(props: &Props) -> Html {{\n{body}\n}}\n");
        drawn(&Source::new("src/ui/a.rs", &code)).len()
    };
    assert_eq!(with("if x { return html! {}; }\nhtml! { <p>{ 1 }</p> }"), 1);
    assert_eq!(with("html! { if x { <p /> } }"), 1);
    assert_eq!(with("html! { <>{ for list }</> }"), 1);
    assert_eq!(with("html! { { list } }"), 1);
    assert_eq!(with("if x { return nothing(); }\nlet b = html! {};\nhtml! { <><p />{ b }</> }"), 0);
    assert_eq!(with("let b = html! { <p /> };\nhtml! { <>{ b }{ c }</> }"), 0);
    assert_eq!(with("let b = part();\nhtml! { <>{ b }{ c }</> }"), 1);
    let function = "fn part() -> Html { html! {} }";
    assert!(drawn(&Source::new("src/ui/a.rs", function)).is_empty());
}
