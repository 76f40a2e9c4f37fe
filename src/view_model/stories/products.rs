//! The products by name: what answers what somebody types, by group, and each in words.

use crate::scenarios::products::{Fit, Group, KnownBy, Product, Products};
use crate::sim::plain_text::{cut, one_line};
use crate::sim::scenario::ScenarioFile;

/// A group's name.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::RedisClients => "Redis clients",
        Group::LockServices => "Lock services",
        Group::Databases => "Locks in databases",
        Group::Queues => "Queues",
        Group::JobLibraries => "Job libraries",
        Group::ObjectStores => "Object stores and state files",
        Group::ClustersAndDisks => "Clusters and disks",
        Group::LogsAndLeaders => "Logs and leaders",
    }
}

/// What answers what is typed, by group: the group with the best answer first, in each the best
/// first. Nothing typed: all, in their order.
pub fn found<'a>(products: &'a Products, typed: &str) -> Vec<(Group, Vec<&'a Product>)> {
    if typed.trim().is_empty() {
        // A list that nobody asked anything of keeps its order.
        return by_group(&products.products);
    }
    let fits: Vec<_> = products.products.iter().map(|product| product.answers(typed)).collect();
    let with = |fit: Fit| {
        let all = products.products.iter().zip(&fits);
        all.filter(move |(_, of)| **of == Some(fit)).map(|(product, _)| product)
    };
    by_group(Fit::ALL.into_iter().flat_map(with))
}

/// Products by group, the groups in the order of the first of each.
fn by_group<'a>(products: impl IntoIterator<Item = &'a Product>) -> Vec<(Group, Vec<&'a Product>)> {
    let mut groups: Vec<(Group, Vec<&Product>)> = Vec::new();
    for product in products {
        match groups.iter_mut().find(|(group, _)| *group == product.group) {
            Some((_, found)) => found.push(product),
            None => groups.push((product.group, vec![product])),
        }
    }
    groups
}

/// What is offered to who types.
#[derive(Clone, PartialEq, Debug)]
pub struct Offered<'a> {
    /// The products, by group, in the order in which arrows go through them.
    pub groups: Vec<(Group, Vec<&'a Product>)>,
    /// How many answer, or that none does and these are the nearest.
    pub told: String,
}

/// What answers what is typed, or what is most like it.
pub fn offered<'a>(products: &'a Products, typed: &str) -> Offered<'a> {
    let groups = found(products, typed);
    let n: usize = groups.iter().map(|(_, products)| products.len()).sum();
    if n == 0 {
        let quoted = cut(&one_line(typed.trim()), MAX_QUOTED);
        return Offered {
            groups: by_group(products.nearest(typed)),
            told: format!("Nothing is called “{quoted}”; these names are the nearest"),
        };
    }
    let told = match n {
        1 => "1 found".to_owned(),
        n if typed.trim().is_empty() => format!("{n} products"),
        n => format!("{n} found"),
    };
    Offered { groups, told }
}

/// Characters of what was typed that are quoted.
const MAX_QUOTED: usize = 40;

/// A name around the first place of what was typed: before, it, after.
pub fn marked<'a>(name: &'a str, typed: &str) -> [&'a str; 3] {
    let typed = typed.trim().to_ascii_lowercase();
    // ASCII's small letters have the length of its large ones, so places stay.
    match name.to_ascii_lowercase().find(&typed).filter(|_| !typed.is_empty()) {
        Some(at) => [&name[..at], &name[at..at + typed.len()], &name[at + typed.len()..]],
        None => [name, "", ""],
    }
}

/// What the product is called that a file names: as the list has it, or by its name in files while
/// there is no list.
pub fn called(file: &ScenarioFile, products: Option<&Products>) -> Option<String> {
    let name = file.scenario.product.as_deref()?;
    let product = products.and_then(|products| products.find(name));
    Some(product.map_or_else(|| one_line(name), |product| product.title.clone()))
}

/// What can be done with a product, where it cannot be set up.
pub fn only_numbers(product: &Product) -> Option<String> {
    let missing = &product.not_modelled;
    product.scenario.is_none().then(|| format!("Its numbers alone: {missing}."))
}

/// All that is said of a product, each with its name; what nobody knows is left out.
pub fn facts(product: &Product) -> Vec<(&'static str, String)> {
    let settings = product.settings.join("; ");
    let not_modelled = match only_numbers(product) {
        Some(only) => only,
        None => product.not_modelled.clone(),
    };
    let all = [
        ("Numbers", product.numbers.clone()),
        ("Its settings here", settings),
        ("Calls", product.calls.clone()),
        ("Known by", product.token.clone()),
        ("Trap", product.trap.clone()),
        ("What people do", product.fix.clone()),
        ("Not modelled", not_modelled),
        ("Source", known(product)),
    ];
    all.into_iter().filter(|(_, said)| !said.is_empty()).collect()
}

/// How its numbers are known, and as of when.
pub fn known(product: &Product) -> String {
    let by = match product.known_by {
        KnownBy::Source => "Numbers by its source",
        KnownBy::Documentation => "Numbers by its documentation",
        KnownBy::Survey => "Numbers by a survey, not read again",
    };
    let sources = product.sources.join("; ");
    format!("{by}, as of {}: {sources}. Calls, trap and what people do are ours.", product.as_of)
}

/// A line for each product that answers, by group.
pub fn list(products: &Products, typed: &str) -> String {
    let mut lines = Vec::new();
    for (of, found) in found(products, typed) {
        lines.push(group(of).to_owned());
        lines.extend(found.iter().map(|product| {
            let mark = if product.scenario.is_some() { "" } else { " (numbers alone)" };
            format!("  {:<22} {}{mark}: {}", product.name, product.title, product.numbers)
        }));
    }
    lines.join("\n")
}

/// All that is said of one product, as lines.
pub fn whole(product: &Product) -> String {
    let mut lines = vec![format!("{} ({})", product.title, group(product.group))];
    lines.extend(facts(product).into_iter().map(|(name, said)| format!("  {name}: {said}")));
    if let Some(sets) = &product.scenario {
        lines.push(format!("  In a scenario file: \"lock\": \"{}\", short for", product.name));
        lines.push(format!("  {sets}"));
    }
    lines.join("\n")
}
