//! What would have saved us? Every argument tried on Run 1's schedule, in slices between frames;
//! a row that is chosen becomes Run 2.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::{swatch, tone_class};
use crate::explore::remedies::{Group, Row};
use crate::explore::{RemedyId, RemedySearch, RemedyTable};
use crate::sim::Scenario;
use crate::sim::scenario::{Quantity, ScenarioFile};
use crate::ui::copy::CopyButton;
use crate::ui::hooks::{RUNS_AT_ONCE, Slices};
use crate::ui::ranges::MAX_ENTRIES;
use crate::ui::store::AppAction;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::range_words::{self, About};
use crate::view_model::sentences::remedy_words::{self, Cost};
use crate::view_model::sentences::verdict::{Pattern, Tone};

/// Properties of [`Remedies`].
#[derive(Properties, PartialEq)]
pub struct RemediesProps {
    /// The scenario with its comparison.
    pub file: Rc<ScenarioFile>,
    /// Its runs; the arguments are tried on the first one's scenario.
    pub runs: Rc<Runs>,
    /// Whether something is being dragged: then nothing is tried.
    pub dragging: bool,
    /// Tells what came of copying.
    pub on_tell: Callback<AttrValue>,
    /// What the user does.
    pub on_action: Callback<AppAction>,
    /// Is told of a table that is complete, and what it is of.
    pub on_found: Callback<(Scenario, RemedyTable)>,
}

/// What has been found so far, and for what.
#[derive(Clone, PartialEq, Default)]
struct Found {
    of: Option<(Scenario, Quantity)>,
    table: RemedyTable,
    /// Those whose verdict is still to come.
    awaited: Vec<RemedyId>,
    complete: bool,
}

/// The region “What would have saved us?”.
#[component]
pub fn Remedies(props: &RemediesProps) -> Html {
    let RemediesProps { file, runs, .. } = props;
    let found = use_state(|| Rc::new(Found::default()));
    let all_costs = use_state(|| false);
    let base = runs.run_1.scenario();
    let main = file.main_quantity();
    let about = range_words::about(file);
    let is_small = runs.run_1.log().n_entries() <= MAX_ENTRIES;
    let is_fresh = found.of.as_ref().is_some_and(|(of, by)| of == base && *by == main);
    let wanted = (!props.dragging && is_small).then(|| (base.clone(), main));
    {
        let setter = found.setter();
        let is_known = is_fresh && found.complete;
        use_effect_with(wanted, move |wanted| {
            let wanted = wanted.as_ref().filter(|_| !is_known);
            let slices = wanted.map(|(base, main)| search(base, *main, setter));
            // Another search takes the place of this one.
            move || drop(slices)
        });
    }
    let text = {
        let (found, title, base) = ((*found).clone(), file.title.clone(), base.clone());
        Callback::from(move |()| remedy_words::as_text(&title, &found.table, &base, about))
    };
    let turn_costs = {
        let all_costs = all_costs.clone();
        Callback::from(move |_: MouseEvent| all_costs.set(!*all_costs))
    };
    let is_complete = is_fresh && found.complete;
    {
        let on_found = props.on_found.clone();
        use_effect_with(((*found).clone(), is_complete), move |(found, is_complete)| {
            if let Some((of, _)) = found.of.as_ref().filter(|_| *is_complete) {
                on_found.emit((of.clone(), found.table.clone()));
            }
        });
    }
    html! {
        <section class="card remedies" aria-label="What would have saved us?">
            <div class="remedies-head">
                <h2>{ "What would have saved us?" }</h2>
                <CopyButton name="Copy as text" disabled={!is_complete} {text}
                    on_tell={props.on_tell.clone()} />
                <button type="button" class="button is-toggle" onclick={turn_costs}
                    aria-pressed={all_costs.to_string()}>
                    { "All costs" }
                </button>
            </div>
            if is_small {
                <Lines parts={parts(&found, is_fresh, runs, about)} {is_complete}
                    all_costs={*all_costs} on_action={props.on_action.clone()} />
                { not_tried(&found.table, is_fresh) }
                if let Some(stopped) = remedy_words::stopped(&found.table) {
                    <p class="hint">{ stopped }</p>
                }
            } else {
                <p class="hint">{ "This run is too long to be tried in a dozen other ways." }</p>
            }
        </section>
    }
}

/// A row as the page shows it.
#[derive(PartialEq, Debug)]
struct Line {
    id: RemedyId,
    /// `None` while it is being tried.
    cells: Option<Cells>,
    /// Run 2 is this.
    is_shown: bool,
}

#[derive(PartialEq, Debug)]
struct Cells {
    pattern: Option<Pattern>,
    verdict: (String, Tone),
    /// What of the schedule never strikes in it.
    never: Option<String>,
    /// What its run cost, beside what the schedule as it is costs.
    costs: Vec<Cost>,
    breaks: (String, Tone),
    cost: String,
    choose: AppAction,
}

/// A part of the table: rows that do the same to the schedule.
#[derive(PartialEq, Debug)]
struct Part {
    /// `None`: they are still awaited.
    group: Option<Group>,
    title: Option<String>,
    lines: Vec<Line>,
}

/// The rows that are there, and those still awaited. What was found for another scenario is not
/// shown; it only says which rows to expect.
fn parts(found: &Found, is_fresh: bool, runs: &Runs, about: About<'_>) -> Vec<Part> {
    let base = runs.run_1.scenario();
    let as_it_is = remedy_words::as_it_is(&found.table).map(|row| row.costs).unwrap_or_default();
    let there = |row: &Row| Line {
        id: row.id,
        cells: is_fresh.then(|| Cells {
            pattern: remedy_words::pattern(row),
            verdict: (remedy_words::verdict(row), remedy_words::tone(row.outcome)),
            never: remedy_words::never_strikes(row, base),
            costs: remedy_words::costs(&row.costs, &as_it_is),
            breaks: (remedy_words::breaks(row, about), remedy_words::breaks_tone(row)),
            cost: remedy_words::cost(row, base),
            choose: AppAction::Compare(row.patch.clone()),
        }),
        is_shown: is_fresh && is_shown(row, runs),
    };
    let grouped = found.table.grouped().into_iter();
    let mut parts: Vec<_> = grouped
        .map(|(group, rows)| Part {
            group: Some(group),
            title: remedy_words::title(group, &found.table, rows.len()),
            lines: rows.into_iter().map(there).collect(),
        })
        .collect();
    let awaited = |id: &RemedyId| Line { id: *id, cells: None, is_shown: false };
    let mut awaits: Vec<_> = found.awaited.iter().map(awaited).collect();
    if parts.is_empty() && awaits.is_empty() {
        awaits.push(awaited(&RemedyId::AsItIs));
    }
    if !awaits.is_empty() {
        parts.push(Part { group: None, title: None, lines: awaits });
    }
    parts
}

/// Whether a row is what Run 2 shows; for the schedule as it is, whether it is shown alone.
fn is_shown(row: &Row, runs: &Runs) -> bool {
    match &runs.run_2 {
        None => row.patch.is_empty(),
        Some(run_2) => {
            let changed = runs.run_1.scenario().with(&row.patch);
            !row.patch.is_empty() && changed.is_ok_and(|changed| changed == *run_2.scenario())
        }
    }
}

#[derive(Properties, PartialEq)]
struct LinesProps {
    parts: Vec<Part>,
    is_complete: bool,
    /// Whether costs are told that are those of the schedule as it is.
    all_costs: bool,
    on_action: Callback<AppAction>,
}

/// The table; a component of its own, because it stays the same while something is dragged. Where
/// it is narrow a row is a block, and no table to a style sheet: so its roles are said.
#[component]
fn Lines(props: &LinesProps) -> Html {
    let is_open = use_state(|| false);
    let LinesProps { parts, is_complete, all_costs, on_action } = props;
    let fold = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let part = |part: &Part| {
        let folds = part.group == Some(Group::NoHelp);
        // What Run 2 shows is never folded.
        let told = part.lines.iter().filter(|line| !folds || *is_open || line.is_shown);
        let fold = folds.then(|| (*is_open, fold.clone()));
        html! {
            <tbody role="rowgroup" key={part.group.map_or(0, |group| 1 + group as usize)}>
                { for part.title.as_ref().map(|title| title_row(title, fold)) }
                { for told.map(|line| table_row(line, *all_costs, on_action)) }
            </tbody>
        }
    };
    html! {
        <div class="table-scroll">
        <table role="table" aria-label="What would have saved us?"
            aria-busy={(!*is_complete).to_string()}>
            <thead role="rowgroup">
                <tr role="row">{ for HEADS.map(|head| html! {
                    <th role="columnheader" scope="col">{ head }</th>
                }) }</tr>
            </thead>
            { for parts.iter().map(part) }
        </table>
        </div>
    }
}

const HEADS: [&str; 4] = ["Instead", "This schedule", "Breaks", "Cost"];

/// What the rows below have in common; a button, where they are folded.
fn title_row(title: &str, fold: Option<(bool, Callback<MouseEvent>)>) -> Html {
    let title = title.to_owned();
    html! {
        <tr role="row" class="remedy-group">
            <th role="rowheader" scope="rowgroup" colspan="4">
                if let Some((is_open, onclick)) = fold {
                    <button type="button" class="link" {onclick}
                        aria-expanded={is_open.to_string()}>{ title }</button>
                } else {
                    { title }
                }
            </th>
        </tr>
    }
}

fn table_row(line: &Line, all_costs: bool, on_action: &Callback<AppAction>) -> Html {
    let name = remedy_words::name(line.id);
    let Some(cells) = &line.cells else {
        return html! {
            <tr role="row" key={name}>
                <th role="rowheader" scope="row">
                    <button type="button" class="link" disabled=true>{ name }</button>
                </th>
                { for (1..HEADS.len()).map(|_| html! { <td role="cell">{ "…" }</td> }) }
            </tr>
        };
    };
    let onclick = {
        let chosen = (!line.is_shown).then(|| cells.choose.clone());
        let on_action = on_action.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(action) = &chosen {
                on_action.emit(action.clone());
            }
        })
    };
    let is_run_1 = line.id == RemedyId::AsItIs;
    let shown_as = if is_run_1 { "shown alone" } else { "shown as Run 2" };
    let (verdict, tone) = &cells.verdict;
    let (breaks, breaks_tone) = &cells.breaks;
    html! {
        <tr role="row" key={name} class={line.is_shown.then_some("is-shown")}>
            <th role="rowheader" scope="row">
                <button type="button" class="link" {onclick}
                    aria-pressed={line.is_shown.to_string()}>{ name }</button>
                if line.is_shown {
                    <span class="remedy-shown">{ " · " }{ shown_as }</span>
                }
            </th>
            <td role="cell" class={classes!(tone_class(*tone))}>
                { for cells.pattern.map(swatch) }{ verdict }
                if let Some(never) = &cells.never {
                    <span class="remedy-never">{ never }</span>
                }
                { costs(&cells.costs, all_costs || is_run_1) }
            </td>
            <td role="cell" data-head={HEADS[2]} class={classes!(tone_class(*breaks_tone))}>
                { breaks }
            </td>
            <td role="cell" data-head={HEADS[3]}>{ &cells.cost }</td>
        </tr>
    }
}

/// What a row's run cost: what differs from the schedule as it is, or all of it.
fn costs(costs: &[Cost], all: bool) -> Html {
    let mut told = costs.iter().filter(|cost| all || cost.differs).peekable();
    html! {
        if told.peek().is_some() {
            <ul class="remedy-costs">
                { for told.map(|cost| html! { <li title={cost.about}>{ &cost.text }</li> }) }
            </ul>
        }
    }
}

/// What was not tried: what has to do with this set-up, and on demand the rest.
fn not_tried(table: &RemedyTable, is_fresh: bool) -> Html {
    let list = |label: &'static str, lines: Vec<String>| {
        html! {
            if !lines.is_empty() {
                <ul class="remedies-left-out" aria-label={label}>
                    { for lines.into_iter().map(|line| html! { <li>{ line }</li> }) }
                </ul>
            }
        }
    };
    let others = remedy_words::why_not(table, false);
    html! {
        <>
            { list("Not tried", remedy_words::why_not(table, true)) }
            if is_fresh && !others.is_empty() {
                <details class="remedies-why-not">
                    <summary>{ "Why not something else?" }</summary>
                    { list("Nothing to do with this set-up", others) }
                </details>
            }
        </>
    }
}

/// Searches in slices, and shows each verdict and range that is new.
fn search(base: &Scenario, main: Quantity, setter: UseStateSetter<Rc<Found>>) -> Slices {
    let of = (base.clone(), main);
    let tell = move |search: &RemedySearch| {
        setter.set(Rc::new(Found {
            of: Some(of.clone()),
            table: search.table().clone(),
            awaited: search.awaited().collect(),
            complete: search.is_complete(),
        }));
    };
    let search = RemedySearch::new(base, Some(main));
    tell(&search);
    let how_far = |search: &RemedySearch| (search.has_verdicts(), search.progress());
    let mut shown = how_far(&search);
    let search = Rc::new(RefCell::new(search));
    let found = search.clone();
    Slices::start(
        move || search.borrow_mut().step(RUNS_AT_ONCE),
        move |is_over| {
            let found = found.borrow();
            if is_over || how_far(&found) != shown {
                shown = how_far(&found);
                tell(&found);
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn found(file: &ScenarioFile, runs: &Runs, main: Quantity) -> Found {
        let base = runs.run_1.scenario();
        assert_eq!(file.base().as_ref(), Ok(base));
        let table = RemedySearch::new(base, Some(main)).finish();
        let of = Some((base.clone(), main));
        Found { of, table, awaited: Vec::new(), complete: true }
    }

    #[test]
    fn rows_are_awaited_then_found_and_one_is_run_2() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("valid");
        let (main, about) = (file.main_quantity(), range_words::about(&file));
        let lines = |found: &Found, is_fresh| -> Vec<Line> {
            let parts = parts(found, is_fresh, &runs, about);
            parts.into_iter().flat_map(|part| part.lines).collect()
        };
        let before = lines(&Found::default(), false);
        assert_eq!(before.len(), 1, "nobody knows yet which have to do with this set-up");
        assert!(before.iter().all(|line| line.cells.is_none() && !line.is_shown));

        let found = found(&file, &runs, main);
        let after = lines(&found, true);
        let shown: Vec<_> = after.iter().filter(|line| line.is_shown).map(|l| l.id).collect();
        assert_eq!(shown, [RemedyId::RejectLower]);
        let as_it_is = after[0].cells.as_ref().expect("tried");
        assert_eq!(as_it_is.pattern, Some(Pattern::Corrupted));
        assert_eq!(as_it_is.verdict, ("Corrupted at 17.1 s".to_owned(), Tone::Damage));
        assert_eq!(
            as_it_is.breaks,
            ("pause above 10.3 s, up to 10 min, the end of the search".to_owned(), Tone::Damage)
        );

        let stale = lines(&found, false);
        assert_eq!(stale.len(), after.len(), "the table keeps its height");
        assert!(stale.iter().all(|line| line.cells.is_none()));
    }

    #[test]
    fn without_a_comparison_the_schedule_is_shown_alone() {
        let mut file = GALLERY[0].file();
        file.compare.clear();
        let runs = Runs::of(&file).expect("valid");
        let (main, about) = (file.main_quantity(), range_words::about(&file));
        let parts = parts(&found(&file, &runs, main), true, &runs, about);
        let lines = parts.iter().flat_map(|part| &part.lines);
        let shown: Vec<_> = lines.filter(|line| line.is_shown).map(|l| l.id).collect();
        assert_eq!(shown, [RemedyId::AsItIs]);
    }
}
