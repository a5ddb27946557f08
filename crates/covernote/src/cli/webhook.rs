//! `covernote webhook`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{EndpointVerb, Flags, Printing};

/// `covernote webhook`
#[derive(Debug, Args)]
pub struct Webhook {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: WebhookVerb,
    /// Flags that say how the command prints.
    #[command(flatten)]
    pub printing: Printing,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote webhook`
#[derive(Debug, Subcommand)]
pub enum WebhookVerb {
    /// Verbs of the operators' API.
    #[command(flatten)]
    Stored(EndpointVerb),
    /// Verify a delivered message in the way its receiver must verify it; needs no store
    Verify(Message),
}

/// A webhook message that was delivered.
#[derive(Debug, Args)]
pub struct Message {
    /// Secret of the endpoint: whsec_…
    #[arg(long)]
    pub secret: String,
    /// Value of the header webhook-id
    #[arg(long)]
    pub id: String,
    /// Value of the header webhook-timestamp
    #[arg(long)]
    pub timestamp: i64,
    /// Value of the header webhook-signature
    #[arg(long)]
    pub signature: String,
    /// File with the body of the message, byte for byte as it was received
    pub body: PathBuf,
    /// Do not check the age of the message
    #[arg(long)]
    pub any_age: bool,
}
