//! `covernote webhook`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote webhook`
#[derive(Debug, Args)]
pub struct Webhook {
    /// The command.
    #[command(subcommand)]
    pub verb: WebhookVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote webhook`
#[derive(Debug, Subcommand)]
pub enum WebhookVerb {
    /// List the endpoints to which events are delivered, with how that went of late
    List {
        /// Only those of this partner, by id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show everything of an endpoint but the text of its secrets
    Show {
        /// whe_…
        id: String,
        /// Most deliveries to show, newest first
        #[arg(long, value_name = "N", default_value_t = 10)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add an endpoint of a partner; its secret is shown this once
    Add {
        /// The partner, by id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: String,
        /// Its address
        #[arg(long)]
        url: String,
        /// A type of events that it asks for, or * for every one; may be repeated
        #[arg(long = "type", value_name = "TYPE", required = true)]
        types: Vec<String>,
        /// What it is called
        #[arg(long)]
        description: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Enable or disable an endpoint
    Set {
        /// whe_…
        id: String,
        /// Whether events are delivered to it
        #[arg(long, value_enum)]
        status: EndpointStatus,
    },
    /// Remove an endpoint with what became of its deliveries
    Remove {
        /// whe_…
        id: String,
    },
    /// Give an endpoint another secret, which is shown this once
    Rotate {
        /// whe_…
        id: String,
        /// Hours for which the secret before signs as well, 0 to 168
        #[arg(long, value_name = "HOURS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=168))]
        overlap_hours: u32,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Have an event endpoint.ping sent to an endpoint
    Ping {
        /// whe_…
        id: String,
    },
    /// List deliveries to an endpoint, newest first; what it answered is its partner's to read
    Deliveries {
        /// whe_…
        id: String,
        /// Only those that stand so
        #[arg(long, value_enum)]
        status: Option<DeliveryStatus>,
        /// Most deliveries to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Send an event to an endpoint again
    Retry {
        /// whe_…
        id: String,
        /// evt_…
        event: String,
    },
    /// Send everything again that an endpoint has not taken
    Recover {
        /// whe_…
        id: String,
        /// Since when, such as 2026-11-20T00:00:00Z, at most 14 days ago
        #[arg(long, value_name = "INSTANT")]
        since: String,
    },
    /// Judge a message as its receiver does; needs no store
    Verify {
        /// The endpoint's secret: whsec_…
        #[arg(long)]
        secret: String,
        /// The header webhook-id
        #[arg(long)]
        id: String,
        /// The header webhook-timestamp
        #[arg(long)]
        timestamp: i64,
        /// The header webhook-signature
        #[arg(long)]
        signature: String,
        /// The body, byte by byte as it came
        body: PathBuf,
        /// Do not judge how old the message is
        #[arg(long)]
        any_age: bool,
    },
}

/// Whether events are delivered to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EndpointStatus {
    /// They are.
    Enabled,
    /// They are not.
    Disabled,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeliveryStatus {
    /// It is to be sent.
    Pending,
    /// It was taken.
    Delivered,
    /// It was sent as often as the schedule says.
    Failed,
}
