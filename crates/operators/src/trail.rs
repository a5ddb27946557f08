//! The log of acts, and the signed heads of the audit trail, which lie outside the store.

use serde_json::{Value, json};
use service::storage::audit::AuditHead;
use web::error::Code;

/// An act, as the trail has it.
#[derive(Debug)]
pub struct ActLine {
    /// The words of its command.
    pub act: &'static str,
    /// The user of this machine, if one asks.
    pub user: Option<u32>,
    /// The operator who signed in, if one asks.
    pub operator: Option<String>,
    /// The user who called `sudo`, if root asks.
    pub sudo_user: Option<u32>,
    /// Names of the fields that were given. Their values may be personal.
    pub fields: Vec<String>,
    /// What the path names, such as a partner or a number, and the ids among the other values.
    pub records: Vec<String>,
}

/// Where acts are noted.
pub trait Trail: Send + Sync {
    /// Notes that an act begins.
    ///
    /// # Errors
    /// Why it cannot be noted: then the act is not done.
    fn begins(&self, line: &ActLine) -> Result<(), String>;

    /// Notes how it ended: by which code it was refused, if it was.
    fn ended(&self, line: &ActLine, refused: Option<Code>);

    /// Notes that somebody may not do it.
    fn refused(&self, line: &ActLine);

    /// The lines of the heads of the audit trail that were written.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn heads(&self) -> Result<String, String>;
}

/// A head of the audit trail as a line of a file.
pub fn head_line(head: &AuditHead) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({
        "slot": head.slot, "number": head.number, "hash": hex(&head.hash), "at": head.at.to_string(), "key": head.key,
        "signature": hex(&head.signature),
    })
    .to_string()
}

/// The heads in the lines of a file, and the numbers of lines that are none: a crash may have torn one.
pub(crate) fn heads_in(lines: &str) -> (Vec<AuditHead>, Vec<usize>) {
    let (mut heads, mut others) = (Vec::new(), Vec::new());
    for (at, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match head(line) {
            Some(head) => heads.push(head),
            None => others.push(at + 1),
        }
    }
    (heads, others)
}

fn head(line: &str) -> Option<AuditHead> {
    let line: Value = serde_json::from_str(line).ok()?;
    let bytes = |name: &str| {
        let digits = line[name].as_str()?.as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>()
    };
    Some(AuditHead {
        slot: line["slot"].as_i64()?.try_into().ok()?,
        number: line["number"].as_i64()?,
        hash: bytes("hash")?.try_into().ok()?,
        at: line["at"].as_str()?.parse().ok()?,
        key: line["key"].as_u64()?.try_into().ok()?,
        signature: bytes("signature")?,
    })
}

/// Whether a value is an id of a record or of a partner: a short word, an underscore, letters and digits.
pub fn is_id(value: &str) -> bool {
    let parts = value.split_once('_');
    parts.is_some_and(|(kind, rest)| {
        (2..=3).contains(&kind.len())
            && kind.bytes().all(|byte| byte.is_ascii_lowercase())
            && (16..=26).contains(&rest.len())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_reads_back_and_a_torn_line_loses_no_other() {
        let head = AuditHead {
            slot: 3,
            number: 9,
            hash: [0xab; 32],
            at: "2026-11-20T10:00:00Z".parse().expect("an instant"),
            key: 7,
            signature: vec![1, 254],
        };
        let line = head_line(&head);
        let lines = format!("{line}\n{}\n\n{line}\n", &line[..20]);
        assert_eq!(heads_in(&lines), (vec![head.clone(), head], vec![2]));
    }
}
