//! The answer of an operator's action: data with notes, or a file.

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::Value;
use service::team::approval::NewApproval;

use crate::act::listing::PageShown;
use crate::act::shown::{Schemas, Shown};

/// A file that an operator's action returns.
pub(crate) struct File {
    pub(crate) media: &'static str,
    /// Length of the file, if it is known in advance.
    pub(crate) bytes: Option<u64>,
    pub(crate) body: Body,
    /// Sentence about the file, in ASCII.
    pub(crate) note: Option<String>,
}

/// An answer without its type.
#[derive(Default)]
pub(crate) struct Answer {
    /// Data, with the fields `notes` and `refused`.
    pub(crate) json: Value,
    pub(crate) file: Option<File>,
    /// Whether the action waits for a second operator's approval, so that it is not done yet.
    pub(crate) waits: bool,
    /// Approval that the action needs, if it was neither done nor requested.
    pub(crate) needs: Option<NewApproval>,
}

impl Answer {
    pub(crate) const fn status(&self) -> StatusCode {
        if self.waits { StatusCode::ACCEPTED } else { StatusCode::OK }
    }

    /// Sentences of the field `name`: `notes` or `refused`.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        texts_of(&self.json, name)
    }
}

/// Sentences of the field `name` of an answer's data.
pub(crate) fn texts_of(json: &Value, name: &str) -> Vec<String> {
    let texts = json[name].as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What an action returns.
pub(crate) trait Returned {
    /// JSON Schema of the answer. `None` if the answer is a file.
    fn schema(schemas: &mut Schemas) -> Option<Value>;

    fn into_answer(self) -> Answer;
}

/// Data with sentences about what happened.
pub(crate) struct Done<A> {
    data: A,
    notes: Vec<String>,
    refused: Vec<String>,
    page: Option<PageShown>,
}

impl<A> Done<A> {
    pub(crate) const fn of(data: A) -> Self {
        Done { data, notes: Vec::new(), refused: Vec::new(), page: None }
    }

    /// Adds how much of a list is shown. `listed`: number of records on the page.
    pub(crate) fn listing(mut self, page: PageShown, listed: usize) -> Self {
        self.notes.extend(page.in_words(listed));
        self.page = Some(page);
        self
    }

    /// Adds a sentence that says what happened or what to do next.
    pub(crate) fn saying(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds the reasons why parts of the action were refused. Its other parts are done.
    pub(crate) fn refusing(mut self, refused: Vec<String>) -> Self {
        self.refused = refused;
        self
    }
}

impl<A: Shown> Returned for Done<A> {
    fn schema(schemas: &mut Schemas) -> Option<Value> {
        Some(A::schema(schemas))
    }

    fn into_answer(self) -> Answer {
        let mut json = self.data.json();
        for (name, texts) in [("notes", self.notes), ("refused", self.refused)] {
            json[name] = texts.into();
        }
        if let Some(page) = self.page {
            json["page"] = page.json();
        }
        Answer { json, ..Answer::default() }
    }
}

/// Sentence about records that were made after the approval of an export was requested.
pub(crate) fn left_out_note(left_out: usize) -> String {
    format!("Left out, because they were made after the request: {left_out} records")
}

/// A file.
pub(crate) struct Download(File);

impl Download {
    pub(crate) const fn of(media: &'static str, bytes: Option<u64>, body: Body) -> Self {
        Download(File { media, bytes, body, note: None })
    }

    /// Adds a sentence about the records that the file lacks, because they were made after its approval was requested.
    pub(crate) fn without_later(mut self, left_out: usize) -> Self {
        self.0.note = (left_out > 0).then(|| left_out_note(left_out));
        self
    }
}

impl Returned for Download {
    fn schema(_: &mut Schemas) -> Option<Value> {
        None
    }

    fn into_answer(self) -> Answer {
        Answer { file: Some(self.0), ..Answer::default() }
    }
}
