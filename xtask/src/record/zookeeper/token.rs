//! Tokens: what the sequence number and the zxid count, and when the sequence begins again.

use super::super::jute::{Client, Mode};
use super::super::writer::Recorder;
use super::{LONG, must, tokens};
use crate::shell::Outcome;

/// Creates a sequential node and writes its tokens down.
fn grant(recorder: &mut Recorder, client: &mut Client, parent: &str) -> Outcome<String> {
    let (path, stat) = must(client, &format!("{parent}/lock-"), Mode::Sequential)?;
    recorder.saw(&format!("created parent={parent} {}", tokens(&path, stat)));
    Ok(path)
}

pub(super) fn sequence(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "sequence",
        "What makes gaps. The sequence number counts all children ever created under the parent, \
         also those without a number; deleting, changing and grandchildren do not count. The zxid \
         counts every write to the store.",
    );
    let mut client = Client::new(port, LONG)?;
    must(&mut client, "/tokens", Mode::Plain)?;
    must(&mut client, "/elsewhere", Mode::Plain)?;
    let first = grant(recorder, &mut client, "/tokens")?;
    grant(recorder, &mut client, "/tokens")?;
    must(&mut client, "/tokens/plain", Mode::Plain)?;
    recorder.saw("between what=plain-child");
    grant(recorder, &mut client, "/tokens")?;
    client.delete("/tokens/plain")?;
    recorder.saw("between what=child-deleted");
    grant(recorder, &mut client, "/tokens")?;
    client.set("/tokens")?;
    client.set(&first)?;
    must(&mut client, &format!("{first}/grandchild"), Mode::Plain)?;
    recorder.saw("between what=parent-changed,child-changed,grandchild-created");
    grant(recorder, &mut client, "/tokens")?;
    grant(recorder, &mut client, "/elsewhere")?;
    grant(recorder, &mut client, "/tokens")?;
    let refused = client.create("/tokens", Mode::Plain)?.err();
    let refused = refused.map_or_else(|| "ok".to_owned(), |code| code.to_string());
    recorder.saw(&format!("between what=refused-create reply={refused}"));
    grant(recorder, &mut client, "/tokens")?;
    client.close()
}

pub(super) fn parent_removed(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "parent-removed",
        "The last child goes, the parent is deleted (as a container parent is by the server) and \
         created again: the sequence begins at 0 once more, the zxid goes on.",
    );
    let mut client = Client::new(port, LONG)?;
    must(&mut client, "/removed", Mode::Plain)?;
    for _ in 0..3 {
        let path = grant(recorder, &mut client, "/removed")?;
        client.delete(&path)?;
    }
    let reply = client.delete("/removed")?;
    recorder.saw(&format!("deleted parent=/removed reply={reply}"));
    must(&mut client, "/removed", Mode::Plain)?;
    grant(recorder, &mut client, "/removed")?;
    client.close()
}
