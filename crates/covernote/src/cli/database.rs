//! `covernote database`.

use clap::{Args, Subcommand};

use super::Flags;

/// `covernote database`
#[derive(Debug, Args)]
pub struct Database {
    /// The command.
    #[command(subcommand)]
    pub verb: DatabaseVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote database`
#[derive(Debug, Subcommand)]
pub enum DatabaseVerb {
    /// Spread the tables by partner over the nodes of Citus, while no process uses the store; run again after an update that brought
    /// new tables
    Distribute {
        /// Pieces of each table, which the nodes share: several for each core that they will ever have
        #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
        shards: u16,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
