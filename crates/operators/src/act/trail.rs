//! The log of access, and the signed heads of the audit trail. Both are files outside the store.

use serde_json::{Value, json};
use service::storage::audit::AuditHead;
use web::error::Code;

/// Facts about one operator's action for the log of access.
#[derive(Debug)]
pub struct ActLine {
    /// Name of the operator's action, such as `claim.decide`.
    pub act: &'static str,
    /// Caller, if it is a user of this machine.
    pub user: Option<u32>,
    /// Caller, if it is an operator who signed in.
    pub operator: Option<String>,
    /// User who called `sudo`, if root is the caller.
    pub sudo_user: Option<u32>,
    /// Names of the fields that were given. Their values may be personal.
    pub fields: Vec<String>,
    /// Values in the path, such as a partner or a number, and the ids among the other values.
    pub records: Vec<String>,
}

/// Writes the log of access, and reads the file with the signed heads of the audit trail.
pub trait Trail: Send + Sync {
    /// Records that an operator's action begins.
    ///
    /// # Errors
    /// If the line cannot be written. The action then does not run.
    fn begins(&self, line: &ActLine) -> Result<(), String>;

    /// Records that an operator's action ended, with the code of its refusal, if any.
    fn ended(&self, line: &ActLine, refused: Option<Code>);

    /// Records that the caller may not use an operator's action.
    fn refused(&self, line: &ActLine);

    /// Records that a sign-in failed. `way`: the path or the secret that was used. `peer`: address of the caller.
    fn sign_in_failed(&self, way: &str, peer: &str);

    /// Content of the file with the signed heads of the audit trail, one head on each line.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn heads(&self) -> Result<String, String>;
}

/// A signed head (newest entry of a chain) of the audit trail as one line of a file.
pub fn head_line(head: &AuditHead) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({
        "slot": head.slot, "number": head.number, "hash": hex(&head.hash), "at": head.at.to_string(), "key": head.key,
        "signature": hex(&head.signature),
    })
    .to_string()
}

/// Parses the signed heads of the audit trail in the lines of a file. Also returns the numbers of invalid
/// lines, which a crash may have cut off.
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
            && rest.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Whether a value is the number of a policy.
pub(crate) fn is_policy_number(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let is_of =
        |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    parts.len() >= 5 && parts.iter().rev().take(3).all(|part| is_of(part, 4))
}

/// How a record that an operator names is kept: an id, a policy number or a month. Anything else may be a mobile
/// number or a name that was typed by mistake.
pub(crate) fn named(value: &str) -> String {
    let is_month = || value.len() == 7 && value.bytes().filter(u8::is_ascii_digit).count() == 6;
    match is_id(value) || is_policy_number(value) || is_month() {
        true => value.to_owned(),
        false => "not an id".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_name_that_is_not_an_id_is_stored_as_not_an_id() {
        for kept in ["pol_01m8kh5c7ze2dv9njcbgag5bk7", "KLS-2026-ZNK9-PM8P-68NG", "2026-11"] {
            assert_eq!(named(kept), kept);
        }
        for typed in
            ["9876543210", "Asha Rao", "asha", "pol_9876543210", "ABCPR1234K", "asha@example.com", "pol_01M8"]
        {
            assert_eq!(named(typed), "not an id", "{typed}");
        }
    }

    #[test]
    fn written_audit_heads_are_read_unchanged_and_an_incomplete_line_is_reported() {
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
