//! `covernote webhook`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Flags, Printing};

/// `covernote webhook`
#[derive(Debug, Args)]
pub struct Webhook {
    /// The command.
    #[command(subcommand)]
    pub verb: WebhookVerb,
    /// How the command prints.
    #[command(flatten)]
    pub printing: Printing,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote webhook`
#[derive(Debug, Subcommand)]
pub enum WebhookVerb {
    /// Those on a store.
    #[command(flatten)]
    Stored(operators::WebhookVerb),
    /// Judge a message as its receiver does; needs no store
    Verify(Message),
}

/// A message that was delivered.
#[derive(Debug, Args)]
pub struct Message {
    /// The endpoint's secret: whsec_…
    #[arg(long)]
    pub secret: String,
    /// The header webhook-id
    #[arg(long)]
    pub id: String,
    /// The header webhook-timestamp
    #[arg(long)]
    pub timestamp: i64,
    /// The header webhook-signature
    #[arg(long)]
    pub signature: String,
    /// The body, byte by byte as it came
    pub body: PathBuf,
    /// Do not judge how old the message is
    #[arg(long)]
    pub any_age: bool,
}
