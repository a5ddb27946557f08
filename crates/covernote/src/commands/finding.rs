//! The result of a check of `covernote doctor`.

/// The result of one check.
pub(super) enum Finding {
    Good(String),
    Doubtful(String),
    Bad(String),
}

impl Finding {
    pub(super) fn parts(&self) -> (&'static str, &str) {
        match self {
            Finding::Good(text) => ("good", text),
            Finding::Doubtful(text) => ("doubtful", text),
            Finding::Bad(text) => ("BAD", text),
        }
    }
}
