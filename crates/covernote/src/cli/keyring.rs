//! `covernote keyring`.

use clap::{Args, Subcommand};

use super::Flags;

/// `covernote keyring`
#[derive(Debug, Args)]
pub struct KeyringCommand {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: KeyringVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote keyring`
#[derive(Debug, Subcommand)]
pub enum KeyringVerb {
    /// Print a new keyring, for a secret store or an environment variable
    New,
    /// List the keyring's keys without their secrets, and which of them the store needs
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add a key to the keyring's file. If several machines have the file, copy the changed file to all of
    /// them before 'keyring rewrap'
    Add,
    /// Wrap every key of the store with the keyring's newest key; servers may run meanwhile
    Rewrap,
    /// Remove a key that the store no longer needs from the keyring's file. Backups made before 'keyring
    /// rewrap' need the key: keep a copy of the key until you have deleted these backups
    Remove {
        /// Number of the key, as 'keyring list' shows it
        number: u32,
    },
}
