//! Answers: the JSON of an act, what a terminal shows of it, or a file.

use std::fmt::Display;

use axum::body::Body;
use rating::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a terminal shows of an answer.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Terminal {
    /// For stdout: what was asked for, a line each.
    pub data: Vec<String>,
    /// For stderr: what happened, a line each.
    pub messages: Vec<String>,
    /// What of several acts was refused, a line each.
    #[serde(default)]
    pub refused: Vec<String>,
}

/// A file that an act gives.
pub(crate) struct File {
    pub(crate) media: &'static str,
    /// Its length, if that is known before it is read.
    pub(crate) bytes: Option<u64>,
    pub(crate) body: Body,
}

/// What an act answers.
#[derive(Default)]
pub struct Answer {
    pub(crate) json: Value,
    pub(crate) terminal: Terminal,
    pub(crate) file: Option<File>,
    /// Whether the act is not done yet, but waits for a second operator.
    pub(crate) waits: bool,
}

impl Answer {
    /// An answer with its JSON, which is an object.
    pub(crate) fn of(json: Value) -> Self {
        Answer { json, ..Answer::default() }
    }

    /// A file.
    pub(crate) fn file(media: &'static str, bytes: Option<u64>, body: Body) -> Self {
        Answer { file: Some(File { media, bytes, body }), ..Answer::default() }
    }

    /// Adds a line that was asked for.
    pub(crate) fn data(&mut self, line: impl Display) {
        self.terminal.data.push(line.to_string());
    }

    /// Adds a line that says what happened.
    pub(crate) fn message(&mut self, line: impl Display) {
        self.terminal.messages.push(line.to_string());
    }

    /// The answer with a line that says what happened.
    pub(crate) fn saying(mut self, line: impl Display) -> Self {
        self.message(line);
        self
    }

    /// Says what of several acts was refused; the others are done.
    pub(crate) fn refusing(mut self, refused: Vec<String>) -> Self {
        self.json["refused"] = refused.clone().into();
        self.terminal.refused = refused;
        self
    }

    /// Adds the steps of an amount.
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

    /// Adds a table.
    pub(crate) fn table(mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        self.terminal.data.extend(table(head, rows));
        self
    }
}

/// The lines of a table.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table.add_rows(rows);
    table.to_string().lines().map(|line| line.trim().to_owned()).collect()
}
