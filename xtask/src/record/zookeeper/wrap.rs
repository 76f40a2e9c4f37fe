//! The sequence number's end. Nobody creates two thousand million nodes for a recording: the number
//! is set in the server's own snapshot, with its checksum, while the server is down.

use super::super::jute::{Client, Mode};
use super::super::writer::Recorder;
use super::{LONG, Node, must, tokens};
use crate::shell::Outcome;
use std::path::PathBuf;

const PARENT: &str = "/wrap";

/// What stands behind a snapshot's last node: the checksum, and the path that ends the list.
const SEAL: usize = 8 + 4 + 1;

pub(super) fn drive(recorder: &mut Recorder) -> Outcome {
    recorder.part(
        "wrap",
        "The sequence number is a signed number of 32 bits. It is set to 2147483646 in the \
         server's snapshot, and nodes are created one after the other, first as a queue that keeps \
         them, then with each deleted before the next.",
    );
    let node = Node::alone(500)?;
    let server = node.start_with(&["-Dzookeeper.digest.enabled=false"])?;
    let mut client = Client::new(node.port, LONG)?;
    must(&mut client, PARENT, Mode::Plain)?;
    client.close()?;
    server.crash();
    // Each start writes a snapshot of all that came before it.
    node.start_with(&["-Dzookeeper.digest.enabled=false"])?.crash();
    set_sequence(&node, i32::MAX - 1)?;
    let server = node.start_with(&["-Dzookeeper.digest.enabled=false"])?;
    recorder.saw("sequence-set to=2147483646");
    let mut client = Client::new(node.port, LONG)?;
    let mut kept = Vec::new();
    for _ in 0..5 {
        kept.extend(grant(recorder, &mut client)?);
    }
    for path in kept {
        client.delete(&path)?;
    }
    recorder.saw("deleted what=all");
    for _ in 0..3 {
        if let Some(path) = grant(recorder, &mut client)? {
            let reply = client.delete(&path)?;
            recorder.saw(&format!("deleted what=it reply={reply}"));
        }
    }
    client.close()?;
    server.end("TERM")
}

/// Creates a sequential node and writes down what it is, or why it is not there.
fn grant(recorder: &mut Recorder, client: &mut Client) -> Outcome<Option<String>> {
    Ok(match client.create(&format!("{PARENT}/lock-"), Mode::Sequential)? {
        Ok((path, stat)) => {
            recorder.saw(&format!("created reply=ok {}", tokens(&path, stat)));
            Some(path)
        }
        Err(code) => {
            recorder.saw(&format!("created reply={code} sequence=none"));
            None
        }
    })
}

/// Writes the parent's count of children into the newest snapshot.
fn set_sequence(node: &Node, count: i32) -> Outcome {
    let path = newest(node)?;
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut bytes = std::fs::read(&path).map_err(failed)?;
    let mut name = u32::try_from(PARENT.len()).unwrap_or_default().to_be_bytes().to_vec();
    name.extend(PARENT.as_bytes());
    let found = bytes.windows(name.len()).position(|window| window == name.as_slice());
    // After the path: no data, the rights, four transactions and times, a version.
    let at = found.ok_or("the snapshot lacks the node")? + name.len() + 4 + 8 + 32 + 4;
    let place = bytes.get_mut(at..at + 4).filter(|place| *place == [0; 4]);
    place.ok_or("the snapshot has another form")?.copy_from_slice(&count.to_be_bytes());
    let end = bytes.len() - SEAL;
    let sum = u64::from(adler32(&bytes[..end])).to_be_bytes();
    bytes[end..end + 8].copy_from_slice(&sum);
    std::fs::write(&path, bytes).map_err(failed)
}

fn newest(node: &Node) -> Outcome<PathBuf> {
    let files = std::fs::read_dir(node.folder.path().join("version-2")).into_iter().flatten();
    let zxid = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?.strip_prefix("snapshot.")?;
        u64::from_str_radix(name, 16).ok()
    };
    let paths = files.flatten().map(|entry| entry.path()).filter(|path| zxid(path).is_some());
    paths.max_by_key(zxid).ok_or_else(|| "ZooKeeper has written no snapshot".to_owned())
}

/// The checksum of a snapshot.
fn adler32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1, 0);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_adler_32() {
        assert_eq!(super::adler32(b"Wikipedia"), 0x11E6_0398);
    }
}
