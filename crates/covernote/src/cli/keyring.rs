//! `covernote keyring`.

use clap::{Args, Subcommand};

use super::Flags;

/// `covernote keyring`
#[derive(Debug, Args)]
pub struct KeyringCommand {
    /// The command.
    #[command(subcommand)]
    pub verb: KeyringVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote keyring`
#[derive(Debug, Subcommand)]
pub enum KeyringVerb {
    /// Print a fresh keyring, for a secret store or an environment variable
    New,
    /// List the keyring's keys without their secrets, and which of them the store needs
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add a key to the keyring's file. Where several machines have the file, copy it to all before 'keyring rewrap'
    Add,
    /// Wrap every key of the store with the keyring's newest key, while servers run
    Rewrap,
    /// Remove a key from the keyring's file that the store does not need any more. Backups made before 'keyring rewrap'
    /// need it: keep it until the oldest of them is gone
    Remove {
        /// Number of the key, as 'keyring list' shows it
        number: u32,
    },
}
