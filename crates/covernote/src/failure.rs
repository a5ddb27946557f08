//! Failures of a command: a sentence for people, with an exit code for scripts.

use std::fmt;

use serde_json::Value;
use service::Error;
use service::storage::StorageError;
use storage::snapshot::Unfit;
use storage::{KeyringError, OpenError};

/// Result of a command, with [`Failure`] as its default error.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a command failed.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command failed. Exit code 1.
    Failed(String),
    /// The input is faulty. Exit code 65.
    BadData(String),
    /// A store, a data folder or a port is unavailable or in use. Exit code 69.
    Away(String),
    /// Nothing was done yet: a second operator must approve the operator's action. Exit code 75.
    Waits(String),
    /// The configuration is faulty. Exit code 78.
    Configuration(String),
}

impl Failure {
    /// The failure of an operator's action that a server refused with an error code of the API.
    pub(crate) fn of_code(code: &str, text: String) -> Self {
        match code {
            "V4000" | "V4130" | "V4150" => Failure::BadData(text),
            "E5030" => Failure::Away(text),
            _ => Failure::Failed(text),
        }
    }

    /// The failure that an error object of the API describes. `named` gives the name of a field for the caller, such as its flag.
    pub(crate) fn of_answer(status: u16, body: &[u8], named: impl Fn(&str) -> String) -> Self {
        let object: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let faults = object["additional_info"].as_array();
        let said = match faults {
            Some(faults) => {
                let line =
                    |fault: &Value| format!("{}: {}", named(&text(fault, "field")), text(fault, "message"));
                faults.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            None => match text(&object, "detail") {
                detail if detail.is_empty() => format!("the server answered {status}"),
                detail => detail,
            },
        };
        Failure::of_code(&text(&object, "type"), said)
    }

    /// Exit code of the process. If the command line cannot be parsed, its parser exits with 2 instead.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Failed(_) => 1,
            Failure::Waits(_) => 75,
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
            | Failure::Waits(text)
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
            StorageError::Rehearsed => Failure::Failed(fault.to_string()),
        }
    }
}

impl From<Unfit> for Failure {
    fn from(fault: Unfit) -> Self {
        match fault {
            Unfit::Store(fault) => fault.into(),
            other => Failure::Configuration(format!("the store cannot be read: {other}")),
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
            OpenError::Missing(why) | OpenError::Another(why) => Failure::Configuration(why),
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
            Error::Unknown { what, id } => Failure::Failed(format!("{what} {id} does not exist")),
            other => Failure::Failed(other.to_string()),
        }
    }
}

/// The failure of a faulty catalogue. Its text has every fault, one on each line.
pub(crate) fn catalogue_faults(source: &str, faults: &[rating::CatalogueFault]) -> Failure {
    let count = faults.len();
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let noun = if count == 1 { "fault" } else { "faults" };
    Failure::Configuration(format!("the catalogue {source} has {count} {noun}:\n{}", lines.join("\n")))
}
