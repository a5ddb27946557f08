//! How a command fails: a sentence for a person, and an exit code that scripts rely on.

use std::fmt;

use service::Error;
use service::storage::StorageError;
use storage::{KeyringError, OpenError};

/// Why a command failed.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// It could not be done. Exit code 1.
    Failed(String),
    /// What was given to it is faulty. Exit code 65.
    BadData(String),
    /// Something that it needs is away or taken: store, data folder, port. Exit code 69.
    Away(String),
    /// It is set up wrongly. Exit code 78.
    Configuration(String),
}

impl Failure {
    /// The exit code. 2 is for a command line that cannot be understood, and is given by its parser.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Failed(_) => 1,
            Failure::BadData(_) => 65,
            Failure::Away(_) => 69,
            Failure::Configuration(_) => 78,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Failed(text)
            | Failure::BadData(text)
            | Failure::Away(text)
            | Failure::Configuration(text) => to.write_str(text),
        }
    }
}

impl From<StorageError> for Failure {
    fn from(fault: StorageError) -> Self {
        match fault {
            StorageError::Away(why) => Failure::Away(format!("the store cannot be used: {why}")),
            StorageError::Damaged(why) => Failure::Configuration(format!("the store cannot be read: {why}")),
            StorageError::Refused(why) => Failure::Failed(format!("the store refused: {why}")),
        }
    }
}

impl From<KeyringError> for Failure {
    fn from(fault: KeyringError) -> Self {
        Failure::Configuration(fault.to_string())
    }
}

impl From<OpenError> for Failure {
    fn from(fault: OpenError) -> Self {
        match fault {
            OpenError::Keyring(fault) => fault.into(),
            OpenError::Store(fault) => fault.into(),
            OpenError::Unfit(why) => Failure::Configuration(format!("database: {why}")),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Storage(fault) => fault.into(),
            Error::Invalid(faults) => {
                let lines: Vec<String> =
                    faults.0.into_iter().map(|fault| format!("{}: {}", fault.field, fault.message)).collect();
                Failure::BadData(lines.join("\n"))
            }
            Error::Unknown { what, id } => Failure::Failed(format!("there is no {what} {id}")),
            other => Failure::Failed(other.to_string()),
        }
    }
}

/// Every fault of a catalogue, a line each.
pub(crate) fn catalogue_faults(source: &str, faults: &[rating::CatalogueFault]) -> Failure {
    let count = faults.len();
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let noun = if count == 1 { "fault" } else { "faults" };
    Failure::Configuration(format!("the catalogue {source} has {count} {noun}:\n{}", lines.join("\n")))
}
