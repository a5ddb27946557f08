//! Facts of a proposal for the person who decides it.
//!
//! Facts are names with values, in groups and lists. They are printed and written as JSON in the same way for
//! every line of business.

/// Names with values, in reading order. They may be personal data, so `Debug` does not show them.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Facts(Vec<(&'static str, Fact)>);

/// Value of a named fact.
#[derive(Clone, PartialEq, Eq)]
pub enum Fact {
    /// Text for a person.
    Text(String),
    Texts(Vec<String>),
    /// Facts about one thing, such as the proposer.
    Group(Facts),
    /// Facts about several things, such as the nominees.
    List(Vec<Facts>),
}

impl Facts {
    /// All facts, for an operator who requested personal data.
    pub fn reveal(&self) -> &[(&'static str, Fact)] {
        &self.0
    }

    pub(crate) fn text(mut self, name: &'static str, text: impl ToString) -> Self {
        self.0.push((name, Fact::Text(text.to_string())));
        self
    }

    /// Adds a text to the facts, if there is one.
    pub(crate) fn optional(self, name: &'static str, text: Option<impl ToString>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    pub(crate) fn texts(mut self, name: &'static str, texts: Vec<String>) -> Self {
        self.0.push((name, Fact::Texts(texts)));
        self
    }

    pub(crate) fn group(mut self, name: &'static str, facts: Facts) -> Self {
        self.0.push((name, Fact::Group(facts)));
        self
    }

    pub(crate) fn list(mut self, name: &'static str, facts: impl IntoIterator<Item = Facts>) -> Self {
        self.0.push((name, Fact::List(facts.into_iter().collect())));
        self
    }
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Facts(…)")
    }
}
