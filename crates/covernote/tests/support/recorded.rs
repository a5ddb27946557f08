//! Records requests and answers of tests in a file, from which `scripts/examples` takes the examples of the
//! OpenAPI document.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::answer::Answer;

/// Environment variable with the path of the file. Without it, nothing is recorded.
const FILE: &str = "COVERNOTE_RECORD_ANSWERS";

/// A request without its answer yet.
pub struct Asked(Value);

impl Asked {
    pub fn of(request: &reqwest::Request, base: &str) -> Self {
        let body = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default();
        Asked(json!({
            "test": std::thread::current().name(),
            "base": base,
            "method": request.method().as_str().to_lowercase(),
            "path": request.url().path(),
            "query": request.url().query(),
            "body": serde_json::from_slice::<Value>(body).ok(),
        }))
    }

    /// Adds a line with the request and its answer to the file. The answer is null if it is not JSON.
    pub fn record(self, answer: &Answer) {
        let Ok(file) = std::env::var(FILE) else { return };
        let Asked(mut line) = self;
        line["status"] = answer.status.into();
        line["answer"] = serde_json::from_slice(&answer.bytes).unwrap_or_default();
        static ONE_LINE: Mutex<()> = Mutex::new(());
        let _alone = ONE_LINE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("a file of records");
        file.write_all(format!("{line}\n").as_bytes()).expect("written");
    }
}
