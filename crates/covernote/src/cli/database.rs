//! `covernote database`.

use clap::{Args, Subcommand};

use super::Flags;

/// `covernote database`
#[derive(Debug, Args)]
pub struct Database {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: DatabaseVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote database`
#[derive(Debug, Subcommand)]
pub enum DatabaseVerb {
    /// Create a new, empty store, although files of a lost store are left, such as its keyring. The keyring is kept
    Create {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Distribute the tables by partner over the nodes of Citus, while no process uses the store; run the
    /// command again after an update that adds tables
    Distribute {
        /// Number of shards of each table: several for each core that the nodes will ever have
        #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
        shards: u16,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
