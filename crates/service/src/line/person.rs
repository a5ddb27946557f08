//! Facts of a proposal for the person who decides it: names with values, in groups and lists, so that every line of business
//! is printed and written as JSON in the same way.

/// Names with values, in the order in which they are read. They may be personal, so they do not print by themselves.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Facts(Vec<(&'static str, Fact)>);

/// A value.
#[derive(Clone, PartialEq, Eq)]
pub enum Fact {
    /// Text, as a person reads it.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// Facts of one thing.
    Group(Facts),
    /// Facts of several things.
    List(Vec<Facts>),
}

impl Facts {
    /// The facts, for the operator who asked for personal data.
    pub fn reveal(&self) -> &[(&'static str, Fact)] {
        &self.0
    }

    /// Adds a text.
    pub(crate) fn text(mut self, name: &'static str, text: impl ToString) -> Self {
        self.0.push((name, Fact::Text(text.to_string())));
        self
    }

    /// Adds a text, where there is one.
    pub(crate) fn optional(self, name: &'static str, text: Option<impl ToString>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds several texts.
    pub(crate) fn texts(mut self, name: &'static str, texts: Vec<String>) -> Self {
        self.0.push((name, Fact::Texts(texts)));
        self
    }

    /// Adds facts of one thing.
    pub(crate) fn group(mut self, name: &'static str, facts: Facts) -> Self {
        self.0.push((name, Fact::Group(facts)));
        self
    }

    /// Adds facts of several things.
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
