//! `covernote keys` and `covernote keyring`.

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote keys`
#[derive(Debug, Args)]
pub struct Keys {
    /// The command.
    #[command(subcommand)]
    pub verb: KeysVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote keys`
#[derive(Debug, Subcommand)]
pub enum KeysVerb {
    /// List the keys without their secrets
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add a key of a purpose, while servers run; the earlier one stays valid until it is retired. Of data and lookup keys
    /// all rows of the store are renewed then; a rotation that was stopped goes on
    Rotate {
        /// What the key is for
        #[arg(value_enum, default_value_t = Purpose::Signing)]
        purpose: Purpose,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Retire a key; what was made with it is refused from then on
    Retire {
        /// Number of the key, as 'keys list' shows it
        number: u32,
        /// Retire it even if something that was made with it may still be out
        #[arg(long)]
        force: bool,
    },
}

/// What a key of the store is for.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Purpose {
    /// Signs tokens
    Signing,
    /// Seals personal data
    Data,
    /// Hashes what quotes are looked up by: ids of leads and users
    Lookup,
    /// Signs addresses of certificates and of status pages
    Address,
    /// Hashes idempotency keys
    Idempotency,
    /// Authenticates cursors of lists
    Cursor,
}

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
