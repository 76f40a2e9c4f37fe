//! A write to a value that lies in the lock service itself: one transaction looks at the lock and
//! writes. Each system has its own; what is here is what they share.

use super::live::{Live, own_token, psql_value, token, value};
use super::origin::{self, Origin};

/// A transaction, and what is printed where its comparison holds, and where it does not.
pub(super) struct Transaction {
    pub(super) text: String,
    pub(super) yes: &'static str,
    pub(super) no: &'static str,
    pub(super) origin: Origin,
}

/// Where the service is one's own, or holds no values.
pub(super) fn ones_own(live: &Live<'_>) -> Transaction {
    let text = format!(
        "POST /transactions {{\"if\": {{\"lock\": \"job-7\", \"token\": {}}}, \"put\": \
         {{\"jobs/7\": \"{}\"}}}}",
        token(live.written.map(|written| written.token)),
        value(live)
    );
    Transaction { text, yes: "200", no: "409", origin: Origin::Ours }
}

/// An update of a row beside the lock's, where `lock` finds the lock as its holder has it.
pub(super) fn in_psql(live: &Live<'_>, lock: &str) -> Transaction {
    let value = psql_value(live);
    let text = format!("UPDATE jobs SET value = {value} WHERE id = 7 AND EXISTS ({lock});");
    Transaction { text, yes: "UPDATE 1", no: "UPDATE 0", origin: origin::POSTGRES }
}

/// The lock's row as its holder has it. It stays so until the transaction ends.
pub(super) fn row_of(token: &str, and: &str) -> String {
    format!("SELECT FROM locks WHERE name = 'job-7' AND fence = {token}{and} FOR SHARE")
}

/// The token and the value of the last write.
pub(super) fn token_and_value(live: &Live<'_>) -> (String, String) {
    (own_token(live), value(live))
}
