//! The answer of an operator's action: JSON with lines for a terminal, or a file.

use std::fmt::Display;

use axum::body::Body;
use axum::http::StatusCode;
use rating::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Lines of an answer for a terminal.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Terminal {
    /// Lines for stdout: the requested data.
    pub data: Vec<String>,
    /// Lines for stderr: what happened.
    pub messages: Vec<String>,
    /// Why parts of the action were refused, if its other parts were done.
    #[serde(default)]
    pub refused: Vec<String>,
}

/// A file that an operator's action returns.
pub(crate) struct File {
    pub(crate) media: &'static str,
    /// Length of the file, if it is known in advance.
    pub(crate) bytes: Option<u64>,
    pub(crate) body: Body,
}

#[derive(Default)]
pub struct Answer {
    pub(crate) json: Value,
    pub(crate) terminal: Terminal,
    pub(crate) file: Option<File>,
    /// Whether the action waits for a second operator's approval, so that it is not done yet.
    pub(crate) waits: bool,
}

impl Answer {
    /// An answer with this JSON object, without lines for a terminal yet.
    pub(crate) fn of(json: Value) -> Self {
        Answer { json, ..Answer::default() }
    }

    pub(crate) const fn status(&self) -> StatusCode {
        if self.waits { StatusCode::ACCEPTED } else { StatusCode::OK }
    }

    pub(crate) fn file(media: &'static str, bytes: Option<u64>, body: Body) -> Self {
        Answer { file: Some(File { media, bytes, body }), ..Answer::default() }
    }

    /// Adds a line of requested data, which a terminal gets on stdout.
    pub(crate) fn data(&mut self, line: impl Display) {
        self.terminal.data.push(line.to_string());
    }

    /// Adds a line that says what happened, which a terminal gets on stderr.
    pub(crate) fn message(&mut self, line: impl Display) {
        self.terminal.messages.push(line.to_string());
    }

    /// Adds a line that says what happened, which a terminal gets on stderr.
    pub(crate) fn saying(mut self, line: impl Display) -> Self {
        self.message(line);
        self
    }

    /// Adds the reasons why parts of the action were refused. Its other parts are done.
    pub(crate) fn refusing(mut self, refused: Vec<String>) -> Self {
        self.json["refused"] = refused.clone().into();
        self.terminal.refused = refused;
        self
    }

    /// Adds a table with the steps of a calculation.
    pub(crate) fn steps(self, steps: &[Step]) -> Self {
        if steps.is_empty() {
            return self;
        }
        let row = |step: &Step| {
            vec![
                step.kind.to_string(),
                step.factor.clone(),
                step.exact_amount(),
                step.location.as_ref().map(ToString::to_string).unwrap_or_default(),
            ]
        };
        self.table(&["step", "factor", "amount", "rule"], steps.iter().map(row))
    }

    pub(crate) fn table(mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        self.terminal.data.extend(table(head, rows));
        self
    }
}

/// Formats a table as lines of text.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table.add_rows(rows);
    table.to_string().lines().map(|line| line.trim().to_owned()).collect()
}
