//! The static description of an operator's action (an act): its name, its path, the roles that may use it,
//! and the store that it needs.

use domain::team::Role;

/// HTTP method of an operator's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// For an action that only reads. Its fields are in the query of the URL.
    Get,
    /// For an action that changes something, or that has personal fields. Its fields are in the request's
    /// body.
    Post,
}

/// What a command does with the file that an action returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Out {
    /// The action returns no file.
    None,
    /// The command writes a new file.
    File,
    /// The command unpacks the archive into a folder.
    Folder,
}

/// Store that must exist before an operator's action can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A store with a catalogue, because a server has already run on it.
    Catalogue,
    /// A store, with or without a catalogue.
    Store,
    /// No store: if there is none yet, the action creates it.
    Nothing,
}

/// The name and path of an operator's action, with the roles that may use it.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Words of the action's command, such as `claim.decide` or `deposit.top_up`.
    pub name: &'static str,
    pub method: Method,
    /// Path below `/operator/v1`, with field names in braces.
    pub path: &'static str,
    /// Roles that may use the action. The role admin may use every action.
    pub roles: &'static [Role],
    pub needs: Needs,
    /// Whether the action cannot be undone. If so, the operator must have used a passkey in the last 5
    /// minutes.
    pub is_irreversible: bool,
    /// Other name of the command.
    pub alias: Option<&'static str>,
    pub out: Out,
    /// Whether the action returns a file for the record. If it needs an approval, the requester can fetch the file once
    /// afterwards.
    pub gives_file: bool,
    /// Whether the action gives access to a person or a machine. If it needs an approval and nobody else has its roles,
    /// every other operator may decide it.
    pub gives_access: bool,
    /// Whether the action returns a link or a secret. If it needs an approval, the requester repeats it afterwards,
    /// because nobody else may get its answer.
    pub gives_secret: bool,
    /// Whether the action shows personal data although its request is a POST. If it needs an approval, the requester
    /// repeats it afterwards.
    pub shows_persons: bool,
    /// Whether the action can run in full without effect, because all its effects are in the store.
    pub is_in_store: bool,
    /// Whether the action has several transactions. If it is interrupted, it can be repeated, and then does what is
    /// left.
    pub is_in_steps: bool,
    /// Most bytes of the request's body, unless the body is a file.
    pub most_bytes: usize,
    /// File that is the body of the action's request, if any. All other fields are then in the path.
    pub takes_file: Option<FileTaken>,
}

/// A file that an action takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileTaken {
    /// Media type of the request.
    pub media: &'static str,
    /// Name of the file in the help of the command.
    pub value: &'static str,
    /// What the file is, for the help of the command.
    pub help: &'static str,
}

/// Describes an action that only reads.
pub(crate) const fn get(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About { method: Method::Get, ..post(name, path, roles) }
}

/// Describes an action that changes something, or that has personal fields.
pub(crate) const fn post(name: &'static str, path: &'static str, roles: &'static [Role]) -> About {
    About {
        name,
        method: Method::Post,
        path,
        roles,
        needs: Needs::Catalogue,
        is_irreversible: false,
        alias: None,
        out: Out::None,
        gives_file: false,
        gives_access: false,
        gives_secret: false,
        shows_persons: false,
        is_in_store: true,
        is_in_steps: false,
        takes_file: None,
        most_bytes: MOST_BYTES,
    }
}

/// Most bytes of a request's body, unless the action says otherwise.
const MOST_BYTES: usize = 64 * 1024;

impl About {
    /// Media type of the request body.
    pub(crate) const fn media(&self) -> &'static str {
        match self.takes_file {
            Some(file) => file.media,
            None => "application/json",
        }
    }

    /// Whether the path names this field.
    pub fn has_in_path(&self, field: &str) -> bool {
        self.path
            .split('/')
            .any(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) == Some(field))
    }

    pub(crate) const fn needs(self, needs: Needs) -> Self {
        About { needs, ..self }
    }

    pub(crate) const fn taking_megabytes(self, most: usize) -> Self {
        About { most_bytes: most * 1024 * 1024, ..self }
    }

    pub(crate) const fn giving_file(self) -> Self {
        About { gives_file: true, out: Out::File, ..self }
    }

    pub(crate) const fn writing(self, out: Out) -> Self {
        About { out, ..self }
    }

    pub(crate) const fn alias(self, alias: &'static str) -> Self {
        About { alias: Some(alias), ..self }
    }

    pub(crate) const fn giving_access(self) -> Self {
        About { gives_access: true, ..self }
    }

    pub(crate) const fn giving_secret(self) -> Self {
        About { gives_access: true, gives_secret: true, ..self }
    }

    /// Whether the requester repeats the action after its approval, because only the requester may get its answer.
    pub(crate) const fn is_fetched(&self) -> bool {
        self.gives_file || self.gives_secret || self.shows_persons || matches!(self.method, Method::Get)
    }

    pub(crate) const fn showing_persons(self) -> Self {
        About { shows_persons: true, ..self }
    }

    /// For an action that also changes something outside the store. It is not rehearsed before its approval.
    pub(crate) const fn with_effects_outside(self) -> Self {
        About { is_in_store: false, ..self }
    }

    /// Whether the action is rehearsed before its approval is requested.
    pub(crate) const fn can_be_rehearsed(&self) -> bool {
        self.is_in_store && !self.gives_file && !self.shows_persons && matches!(self.method, Method::Post)
    }

    pub(crate) const fn taking_file(self, file: FileTaken) -> Self {
        About { takes_file: Some(file), ..self }
    }

    pub(crate) const fn in_steps(self) -> Self {
        About { is_in_steps: true, ..self }
    }

    pub(crate) const fn irreversible(self) -> Self {
        About { is_irreversible: true, ..self }
    }
}
