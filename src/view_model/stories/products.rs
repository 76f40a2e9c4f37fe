//! The products by name: what answers what somebody types, by group, and each in words.

use crate::scenarios::products::{Fit, Group, KnownBy, Product, Products};

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
    let is_asked = !typed.trim().is_empty();
    // A list that nobody asked anything of keeps its order.
    let fits = |product: &Product| {
        product.answers(typed).map(|fit| if is_asked { fit } else { Fit::Name })
    };
    let mut all: Vec<(Fit, &Product)> = Vec::new();
    all.extend(products.products.iter().filter_map(|product| Some((fits(product)?, product))));
    all.sort_by_key(|(fit, _)| *fit);
    let mut groups: Vec<(Group, Vec<&Product>)> = Vec::new();
    for (_, product) in all {
        match groups.iter_mut().find(|(group, _)| *group == product.group) {
            Some((_, found)) => found.push(product),
            None => groups.push((product.group, vec![product])),
        }
    }
    groups
}

/// What can be done with a product, where it cannot be set up.
pub fn only_numbers(product: &Product) -> Option<String> {
    let missing = &product.not_modelled;
    product.scenario.is_none().then(|| format!("Its numbers alone: {missing}."))
}

/// How it is known, and as of when.
pub fn known(product: &Product) -> String {
    let by = match product.known_by {
        KnownBy::Source => "By its source",
        KnownBy::Documentation => "By its documentation",
        KnownBy::Survey => "By a survey, not read again",
    };
    format!("{by}, as of {}: {}", product.as_of, product.sources.join("; "))
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

/// All that is said of one product.
pub fn whole(product: &Product) -> String {
    let mut lines = vec![
        format!("{} ({})", product.title, group(product.group)),
        format!("  Numbers: {}", product.numbers),
        format!("  Known by: {}", product.token),
        format!("  Trap: {}", product.trap),
        format!("  What people do: {}", product.fix),
    ];
    lines.extend(match (&product.scenario, product.not_modelled.as_str()) {
        (Some(_), "") => None,
        (Some(_), missing) => Some(format!("  Not modelled: {missing}")),
        (None, _) => only_numbers(product).map(|only| format!("  {only}")),
    });
    lines.push(format!("  {}", known(product)));
    if let Some(sets) = &product.scenario {
        lines.push(format!("  In a scenario file: \"lock\": \"{}\", short for", product.name));
        lines.push(format!("  {sets}"));
    }
    lines.join("\n")
}
