//! An answer with its assertions.

use serde_json::Value;

/// A complete HTTP answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
    pub text: String,
}

impl Answer {
    pub async fn of(response: reqwest::Response) -> Answer {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let bytes = response.bytes().await.expect("a body").to_vec();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Answer { status, headers, bytes, text }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|fault| panic!("{fault}: {}", self.text))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// Asserts that it is the error object with this status and code.
    #[track_caller]
    pub fn is_refused(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.header("content-type"), Some("application/json"));
        let object = self.json();
        assert_eq!(object["type"], code, "{}", self.text);
        let has_info = object.get("additional_info").is_some();
        assert_eq!(has_info, code == "V4000", "additional_info is V4000's alone (D10): {}", self.text);
        let has_reason = object.get("reason").is_some();
        assert_eq!(has_reason, code == "S4090", "reason is S4090's alone (D132): {}", self.text);
    }

    /// Asserts that it is a V4000 with faults on exactly these fields, in any order.
    #[track_caller]
    pub fn has_faults_on(&self, fields: &[&str]) {
        self.is_refused(400, "V4000");
        let mut found = self.fault_fields();
        let mut wanted: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{}", self.text);
    }

    /// Asserts that every message of a V4000's faults is a sentence that says what to send (D11).
    #[track_caller]
    pub fn says_what_must_be(&self) {
        let starts = ["Must ", "Required: ", "Required with ", "Send ", "Not allowed "];
        for fault in self.json()["additional_info"].as_array().expect("a list") {
            let message = fault["message"].as_str().expect("text");
            let is_plain = starts.iter().any(|start| message.starts_with(start)) && message.ends_with('.');
            assert!(is_plain, "{message}");
        }
    }

    /// The fields of a V4000's faults, in order.
    pub fn fault_fields(&self) -> Vec<String> {
        let object = self.json();
        let info = object["additional_info"].as_array().unwrap_or_else(|| panic!("no faults: {}", self.text));
        info.iter().map(|fault| fault["field"].as_str().expect("text").to_owned()).collect()
    }

    /// The message of the fault on a field.
    #[track_caller]
    pub fn fault_on(&self, field: &str) -> String {
        let object = self.json();
        let info = object["additional_info"].as_array().unwrap_or_else(|| panic!("no faults: {}", self.text));
        let fault = info.iter().find(|fault| fault["field"] == field);
        let fault = fault.unwrap_or_else(|| panic!("no fault on {field}: {}", self.text));
        fault["message"].as_str().expect("text").to_owned()
    }

    /// The JSON with ids replaced by `[pro]`, `[quo]` …, and signed addresses by `[address]`: for snapshots.
    pub fn shown(&self) -> String {
        let mut value = self.json();
        redact(&mut value);
        format!("{value:#}")
    }
}

fn redact(value: &mut Value) {
    match value {
        Value::String(text) => *text = redact_text(text),
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(fields) => fields.values_mut().for_each(redact),
        _ => {}
    }
}

fn redact_text(text: &str) -> String {
    if let Some((_, _)) = text.split_once("/v1/embedded/policy/") {
        return "[address]".to_owned();
    }
    let mut shown = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        match prefixed_id(rest) {
            Some((prefix, length)) => {
                shown.push_str(&format!("[{prefix}]"));
                rest = &rest[length..];
            }
            None => {
                let next = rest.chars().next().expect("not empty");
                shown.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    shown
}

/// The prefix and length of an id at the start of a text. Ids of the catalogue never change and are not
/// replaced.
fn prefixed_id(text: &str) -> Option<(&'static str, usize)> {
    let prefix = ["quo", "rec", "pro", "pol", "par", "ses"]
        .into_iter()
        .find(|prefix| text.starts_with(&format!("{prefix}_")))?;
    let id = text.get(..30)?;
    let tail = &id.as_bytes()[4..];
    tail.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()).then_some((prefix, 30))
}
