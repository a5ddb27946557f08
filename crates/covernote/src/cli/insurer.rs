//! `covernote insurer` and `covernote mock-insurer`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{CatalogueFlag, Flags};

/// `covernote insurer`
#[derive(Debug, Args)]
pub struct Insurer {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: InsurerVerb,
    /// Flag that chooses the catalogue.
    #[command(flatten)]
    pub catalogue: CatalogueFlag,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote insurer`
#[derive(Debug, Subcommand)]
pub enum InsurerVerb {
    /// Check an insurer's server against the protocol, and report what the server does wrong
    Check {
        /// Address of the server, without the paths of the protocol
        url: String,
        /// Insurer whose variants are requested: its id (ins_…) or its folder [default: the insurer with this
        /// address, else all insurers of the catalogue]
        #[arg(long, value_name = "ID_OR_FOLDER")]
        insurer: Option<String>,
        /// Flags that say how the requests are authenticated
        #[command(flatten)]
        secret: SharedSecret,
        /// Do not submit a proposal; without this flag, the check submits a proposal of a fictional customer
        #[arg(long)]
        prices_only: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A secret that two servers share, and how it authenticates their requests.
#[derive(Debug, Args)]
pub struct SharedSecret {
    /// How the secret authenticates a request
    #[arg(long, value_enum, value_name = "HOW", requires = "secret_file")]
    pub authentication: Option<Authentication>,
    /// File with the secret [default: no secret]
    #[arg(long, value_name = "FILE", requires = "authentication")]
    pub secret_file: Option<PathBuf>,
}

/// The ways to authenticate a request.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Authentication {
    /// The secret is a bearer token
    Bearer,
    /// The secret signs time, method, path and body with an HMAC
    Hmac,
}

/// `covernote mock-insurer`
#[derive(Debug, Args)]
pub struct MockInsurer {
    /// Address and port to listen on; port 0: any free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8181")]
    pub listen: String,
    /// Delay of every answer, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub latency_ms: u64,
    /// Percentage of requests that get status 503
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub fail_percent: u8,
    /// Percentage of requests that get no answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub hang_percent: u8,
    /// Percentage of requests that get a malformed answer
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub rubbish_percent: u8,
    /// Seed of the pseudo-random sequence: the same seed gives the same bad answers to the same requests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Decision on every proposal
    #[arg(long, value_enum, default_value = "accept")]
    pub decision: MockDecision,
    /// Time from the submission of a proposal to the decision on it, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub decide_after_ms: u64,
    /// Send decisions to the service at this address [default: send no decisions]
    #[arg(long, value_name = "URL")]
    pub tell: Option<String>,
    /// Flags that say how requests are authenticated
    #[command(flatten)]
    pub secret: SharedSecret,
    /// Print the address of the mock insurer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
    /// Flag that chooses the catalogue.
    #[command(flatten)]
    pub catalogue: CatalogueFlag,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// The decisions of a mock insurer.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum MockDecision {
    Accept,
    Reject,
    Pending,
}
