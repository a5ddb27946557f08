//! What is known of an act before it is asked for: its name, its path, and who may do it.

use domain::team::Role;

/// How an act is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// It only reads; its fields are in the query.
    Get,
    /// It changes something, or its fields are personal; they are in the body.
    Post,
}

/// What of a store an act needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A store that a server has run on, with its catalogue.
    Catalogue,
    /// A store.
    Store,
    /// None yet: it may create the store.
    Nothing,
}

/// The name of an act, its path, and the roles that may do it.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The words of its command, as `claim.decide` or `deposit.top_up`.
    pub name: &'static str,
    /// How it is asked for.
    pub method: Method,
    /// The path below `/operator/v1`, with names of fields in braces.
    pub path: &'static str,
    /// Who may do it beside an admin.
    pub roles: &'static [Role],
    /// What it needs.
    pub needs: Needs,
    /// Whether it cannot be undone: then a passkey must have confirmed who asks just now.
    pub is_irreversible: bool,
    /// Whether it gives a file: once a second operator approved it, who asked for it fetches the file, once.
    pub gives_file: bool,
    /// Whether its request brings a file as its body; it has no other fields than those of its path then.
    pub takes_file: bool,
}

/// An act that only reads.
pub(crate) const fn get(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About { method: Method::Get, ..post(name, path, roles) }
}

/// An act that changes something, or whose fields are personal.
pub(crate) const fn post(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About {
        name,
        method: Method::Post,
        path,
        roles,
        needs: Needs::Catalogue,
        is_irreversible: false,
        gives_file: false,
        takes_file: false,
    }
}

impl About {
    /// The media type of its body.
    pub(crate) const fn media(&self) -> &'static str {
        if self.takes_file { "application/jsonl" } else { "application/json" }
    }

    /// The same for an act that needs less.
    pub(crate) const fn needs(self, needs: Needs) -> Self {
        About { needs, ..self }
    }

    /// The same for an act that gives a file.
    pub(crate) const fn giving_file(self) -> Self {
        About { gives_file: true, ..self }
    }

    /// The same for an act that takes a file.
    pub(crate) const fn taking_file(self) -> Self {
        About { takes_file: true, ..self }
    }

    /// The same for an act that cannot be undone.
    pub(crate) const fn irreversible(self) -> Self {
        About { is_irreversible: true, ..self }
    }
}
