//! What index.html must be once it is built: under a policy that allows files of its own only, and
//! with nothing in it that this policy would refuse.

use crate::offline::WORKER;
use crate::shell::Outcome;

/// Stands in index.html's policy for the reload script that Trunk adds while it serves.
const FOR_SERVING: &str = " 'unsafe-inline'";
/// Ends index.html's policy.
const LAST: &str = "form-action 'none'";
/// Text that becomes a script or markup is refused wherever it comes from, but for the address of
/// the service worker. Trunk's reload script might not get along with it.
const FOR_PUBLISHING: &str = "; require-trusted-types-for 'script'; trusted-types fenceline";
/// Stands in the element of static/start.js.
const LOADER: &str = " data-wasm=";

/// The page with the policy that it is published with.
pub(crate) fn with_strict_policy(html: &str) -> Outcome<String> {
    let html = replaced(html, FOR_SERVING, "")?;
    replaced(&html, LAST, &format!("{LAST}{FOR_PUBLISHING}"))
}

/// The page that starts the service worker.
pub(crate) fn with_worker(html: &str) -> Outcome<String> {
    replaced(html, LOADER, &format!(" data-offline=./{WORKER}{LOADER}"))
}

fn replaced(html: &str, old: &str, new: &str) -> Outcome<String> {
    match html.matches(old).count() {
        1 => Ok(html.replace(old, new)),
        n => Err(format!(
            "the page must hold `{}` exactly once, for the build to change, and holds it {n} times",
            old.trim()
        )),
    }
}

/// Says what in the built page is inline or comes from another host.
pub(crate) fn check(html: &str) -> Outcome {
    let lower = html.to_ascii_lowercase();
    for tag in tags(&lower) {
        let name = tag.split_whitespace().next().unwrap_or_default();
        if name == "script" && !tag.contains(" src=") {
            return Err(format!("the built page holds an inline script: <{tag}>"));
        }
        if name == "style" || tag.contains(" style=") {
            return Err(format!("the built page holds an inline style: <{tag}>"));
        }
        if tag.split_whitespace().any(|word| word.starts_with("on") && word.contains('=')) {
            return Err(format!("the built page holds an inline handler: <{tag}>"));
        }
        let asks = tag.contains(" src=") || tag.contains(" href=");
        if asks && tag.contains("//") {
            return Err(format!("the built page asks another host: <{tag}>"));
        }
        if asks && (tag.contains("=\"/") || tag.contains("=/")) {
            return Err(format!("the built page would not work from a sub-path: <{tag}>"));
        }
    }
    if !lower.contains("content-security-policy") || lower.contains("unsafe-inline") {
        return Err("the built page has no strict Content-Security-Policy".to_owned());
    }
    Ok(())
}

/// The text between `<` and `>` of every opening tag.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.split('<')
        .skip(1)
        .filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag))
        .filter(|tag| !tag.starts_with(['/', '!']))
}

#[cfg(test)]
mod tests {
    use super::{check, with_strict_policy, with_worker};

    const POLICY: &str =
        r#"<meta http-equiv="Content-Security-Policy" content="script-src 'self'">"#;

    fn complaint(body: &str) -> String {
        check(&format!("{POLICY}{body}")).expect_err("a page that must not pass")
    }

    #[test]
    fn a_page_of_own_files_passes() {
        let page =
            r#"<link rel=icon href=./icon.svg><script type="module" src="./start.js"></script>"#;
        assert_eq!(check(&format!("{POLICY}{page}")), Ok(()));
    }

    #[test]
    fn what_the_policy_would_refuse_is_named() {
        assert!(complaint("<script type=module>go()</script>").contains("inline script"));
        assert!(complaint("<style>p{}</style>").contains("inline style"));
        assert!(complaint("<p style='color:red'>").contains("inline style"));
        assert!(complaint("<body onload=go()>").contains("inline handler"));
        assert!(complaint(r#"<script src="https://example.org/a.js">"#).contains("another host"));
        assert!(complaint(r#"<link href="/app.css">"#).contains("sub-path"));
        assert!(check("<p>").is_err_and(|message| message.contains("Policy")));
    }

    #[test]
    fn the_policy_becomes_strict() {
        let served = "script-src 'self' 'unsafe-inline'; form-action 'none'\">";
        assert_eq!(
            with_strict_policy(served).as_deref(),
            Ok("script-src 'self'; form-action 'none'; require-trusted-types-for 'script'; \
                trusted-types fenceline\">")
        );
        assert!(with_strict_policy("script-src 'self'; form-action 'none'").is_err());
    }

    #[test]
    fn the_loader_is_told_of_the_worker() {
        let page = "<script data-js=./a.js data-wasm=./a.wasm>";
        assert_eq!(
            with_worker(page).as_deref(),
            Ok("<script data-js=./a.js data-offline=./offline.js data-wasm=./a.wasm>")
        );
        assert!(with_worker("<script>").is_err());
    }

    #[test]
    fn the_source_page_has_the_policy_to_make_strict() {
        assert!(with_strict_policy(include_str!("../../index.html")).is_ok());
    }
}
