//! The command line. Scripts rely on it, so commands and flags are never renamed.

mod acts;
mod catalogue;
mod certify;
mod database;
mod examples;
mod groups;
mod insurer;
mod keyring;
mod listen;
mod partner_access;
mod trigger;
mod webhook;

use std::path::PathBuf;

pub use acts::{
    ApprovalVerb, Asked, AuditVerb, BreachVerb, ClaimVerb, ComplaintVerb, DepositVerb, EndpointVerb,
    HoldVerb, ImportVerb, KeysVerb, PartnerVerb, PersonVerb, PolicyVerb, PremiumVerb, ProposalVerb,
    QuoteVerb, RefundVerb, RetentionVerb, StatementVerb, TeamVerb, Today, WaitingVerb,
};
pub use catalogue::{Catalogue, CatalogueVerb, CreditCover, HealthCover, IdKind};
pub use certify::Certify;
use clap::{Args, Parser, Subcommand};
pub use database::{Database, DatabaseVerb};
pub use examples::{EXAMPLES, with_examples};
pub use groups::{GROUPS, grouped};
pub use insurer::{Authentication, Insurer, InsurerVerb, MockDecision, MockInsurer, SharedSecret};
pub use keyring::{KeyringCommand, KeyringVerb};
pub use listen::Listen;
pub use partner_access::{HiddenText, PartnerAccess};
pub use trigger::Trigger;
pub use webhook::{Message, Webhook, WebhookVerb};

/// The version, with the commit that it was built from and that commit's date.
pub(crate) const VERSION: &str = env!("BUILT_VERSION");

/// The insurance partner service: tokens, quotes, proposals and policies for platforms that offer insurance.
#[derive(Debug, Parser)]
#[command(name = "covernote", version = VERSION, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 ok, 1 failed, 2 wrong usage, 65 bad data, 69 store, folder or port unavailable, 75 waits for a second operator, 78 configuration."
)]
pub struct CommandLine {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags for the store. A flag overrides a COVERNOTE_* variable, which overrides covernote.toml, which
/// overrides the default.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Data folder [default: ./covernote-data]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<String>,
    /// Database: sqlite (in the data folder) or the address of a PostgreSQL database [default: sqlite]
    #[arg(long, value_name = "URL", global = true)]
    pub database: Option<String>,
    /// Accept a PostgreSQL server that can lose acknowledged writes
    #[arg(long, global = true)]
    pub accept_unsafe_database: bool,
    /// Address that partners call, without a slash at its end [default: http://LISTEN]
    #[arg(long, value_name = "URL", global = true)]
    pub base_url: Option<String>,
    /// Keyring: a file, env:NAME or command:COMMAND [default: the file keyring in the data folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub keyring: Option<String>,
    /// Settings file [default: ./covernote.toml, if it exists]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// A command with subcommands of the operators' API, such as `covernote claim`.
#[derive(Debug, Args)]
pub struct Noun<V: Subcommand> {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: V,
    /// Flags that say how the command prints.
    #[command(flatten)]
    pub printing: Printing,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// A command that is one action of the operators' API, such as `covernote today`.
#[derive(Debug, Args)]
pub struct OneAct<A: Args> {
    /// Flags of the operator's action.
    #[command(flatten)]
    pub act: A,
    /// Flags that say how the command prints.
    #[command(flatten)]
    pub printing: Printing,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// How a command of the operators' API prints.
#[derive(Debug, Clone, Default, Args)]
pub struct Printing {
    /// Print the answer of the API as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Also print which process answered, with its version, store and catalogue
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Use the server whose console has this address; first sign in with 'covernote login' [default: the
    /// variable COVERNOTE_SERVER, else the server on this machine]
    #[arg(long, value_name = "URL", global = true)]
    pub server: Option<String>,
}

/// Catalogue flag of commands that serve or examine a catalogue. Commands that open the store do not have it,
/// because they use the catalogue of the store's servers.
#[derive(Debug, Clone, Default, Args)]
pub struct CatalogueFlag {
    /// Catalogue folder [default: the built-in sample]
    #[arg(long, value_name = "DIR", global = true)]
    pub catalogue: Option<String>,
}

impl CatalogueFlag {
    pub(crate) fn flag_values(&self) -> FlagValues {
        vec![("catalogue", self.catalogue.clone())]
    }
}

pub(crate) use acts::flag_of;

/// Values of flags, under the names of their settings.
pub(crate) type FlagValues = Vec<(&'static str, Option<String>)>;

impl Serve {
    pub(crate) fn flag_values(&self) -> FlagValues {
        let mut flags = self.process.flag_values();
        flags.extend([("listen", self.listen.clone()), ("journey_url", self.journey_url.clone())]);
        flags
    }
}

impl Process {
    pub(crate) fn flag_values(&self) -> FlagValues {
        vec![
            ("catalogue", self.catalogue.catalogue.clone()),
            ("metrics_listen", self.metrics_listen.clone()),
            ("log_format", self.log_format.clone()),
            ("log_level", self.log_level.clone()),
            ("workers", self.workers.map(|workers| workers.to_string())),
        ]
    }
}

impl Flags {
    pub(crate) fn flag_values(&self) -> FlagValues {
        vec![
            ("data", self.data.clone()),
            ("database", self.database.clone()),
            ("database_unsafe", self.accept_unsafe_database.then(|| "accept".to_owned())),
            ("base_url", self.base_url.clone()),
            ("keyring", self.keyring.clone()),
        ]
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the work that waits for a person, with deadlines
    Today(OneAct<Today>),
    /// Take a task that waits, add a note, hand it over, or put it aside
    Waiting(Noun<WaitingVerb>),
    /// Serve the API and the customer's pages; deliver webhooks and run jobs
    Serve(Serve),
    /// Run jobs only, beside the servers of a PostgreSQL database
    Worker(Worker),
    /// Add partners, and change their secrets and permissions
    Partner(Noun<PartnerVerb>),
    /// Check, test, price and reload the catalogue of products, rates and taxes
    Catalogue(Catalogue),
    /// Find and explain quotes
    Quote(Noun<QuoteVerb>),
    /// List, show and decide proposals
    Proposal(Noun<ProposalVerb>),
    /// List, show and cancel policies
    Policy(Noun<PolicyVerb>),
    /// List refunds, and record that they were paid
    Refund(Noun<RefundVerb>),
    /// Add and list claims, and record decisions and payments
    Claim(Noun<ClaimVerb>),
    /// Add, list and answer complaints
    Complaint(Noun<ComplaintVerb>),
    /// Record received premiums; settle, refund and remit them
    #[command(visible_alias = "receipt")]
    Premium(Noun<PremiumVerb>),
    /// List and top up the advance deposits at insurers
    Deposit(Noun<DepositVerb>),
    /// Close a month: bordereaux, commission, insurers' answers
    Statement(Noun<StatementVerb>),
    /// Manage partners' webhook endpoints, and verify a message
    Webhook(Webhook),
    /// Forward a test partner's events to your own server
    Listen(Listen),
    /// Send a test partner an event of the type that you choose
    Trigger(Trigger),
    /// Check a test partner's integration: retries, keys, tokens, webhooks
    Certify(Certify),
    /// Import health proposals or policies from a file: all or nothing
    Import(Noun<ImportVerb>),
    /// Rotate the keys of the store
    Keys(Noun<KeysVerb>),
    /// Find, export, correct and erase a person's data
    Person(Noun<PersonVerb>),
    /// List the records that a data breach may have exposed
    Breach(Noun<BreachVerb>),
    /// Protect records from erasure, for example for a court case
    Hold(Noun<HoldVerb>),
    /// Show and apply the retention periods of records
    Retention(Noun<RetentionVerb>),
    /// Read and verify the audit trail
    Audit(Noun<AuditVerb>),
    /// Approve or refuse actions that need a second operator
    Approval(Noun<ApprovalVerb>),
    /// Manage the keyring, which opens the store's keys
    Keyring(KeyringCommand),
    /// Manage the team, and show the company's details from operator.toml
    Operator(Noun<OperatorVerb>),
    /// Verify every record of the store; a server may run meanwhile
    Verify(Verify),
    /// Copy the store into one file; a server may run meanwhile
    Backup(Backup),
    /// Restore a backup into a new data folder, or rehearse it (--drill)
    Restore(Restore),
    /// Distribute a PostgreSQL store over the nodes of Citus
    Database(Database),
    /// Check the server of an insurer that is reached over HTTP
    Insurer(Insurer),
    /// Simulate an insurer for tests, with deliberate faults
    MockInsurer(MockInsurer),
    /// Check settings, keys, store and machine
    Doctor(Doctor),
    /// Write a file with diagnostic data for a developer, without personal data
    Support(Support),
    /// Ask the running process whether it is ready
    Ready(Ready),
    /// Print the OpenAPI document
    Openapi {
        /// Print the operators' API instead of the partners' API
        #[arg(long)]
        operators: bool,
    },
    /// Sign in at another machine's server, for commands with --server
    Login(AtServer),
    /// Sign out at another machine's server
    Logout(AtServer),
    /// Print a completion script for a shell
    Completions {
        /// Shell that the script is for
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder, for packages
    #[command(hide = true)]
    Man {
        /// Folder to write the pages into
        folder: PathBuf,
    },
}

/// `covernote login` and `covernote logout`
#[derive(Debug, Args)]
pub struct AtServer {
    /// Address of the console [default: the variable COVERNOTE_SERVER]
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
}

/// `covernote support`
#[derive(Debug, Args)]
#[command(
    after_help = "journalctl --unit covernote --lines 5000 --output cat | covernote support --log -\n\nRead the file before you send it: it contains the version, settings without passwords, the doctor's findings, metrics and log lines."
)]
pub struct Support {
    /// File to write [default: covernote-support-TIME.json]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Log file whose last 5,000 lines are included; - for standard input
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote ready`
#[derive(Debug, Args)]
#[command(after_help = "The exit code is 0 if the process is ready, and 69 if it is not.")]
pub struct Ready {
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Serve on loopback with a demo partner and its own data folder, ./covernote-demo
    #[arg(long)]
    pub demo: bool,
    /// Start a new demo without work for your team
    #[arg(long, requires = "demo")]
    pub empty: bool,
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Address of the hosted journey [default: the base URL]
    #[arg(long, value_name = "URL")]
    pub journey_url: Option<String>,
    /// Flags that say how the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote worker`
#[derive(Debug, Args)]
pub struct Worker {
    /// Flags that say how the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// How a long-running process runs.
#[derive(Debug, Args)]
pub struct Process {
    /// Flag that chooses the catalogue of the process.
    #[command(flatten)]
    pub catalogue: CatalogueFlag,
    /// Address and port for /metrics [default: off]
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<String>,
    /// Most recommendations to work on at once; the process also works on a quarter as many decisions of
    /// insurers; 0: run no jobs [default: 16]
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Log format: auto, pretty, json [default: auto]
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Log level: error, warn, info, debug, trace, or target=level pairs [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
}

/// Verbs of `covernote operator`
#[derive(Debug, Subcommand)]
pub enum OperatorVerb {
    /// Print an example of operator.toml
    Example,
    /// Check operator.toml, and show what pages and certificates will say about your company
    Show,
    /// Verbs of the operators' API, about the team.
    #[command(flatten)]
    Team(TeamVerb),
}

/// `covernote verify`
#[derive(Debug, Args)]
#[command(after_help = "The exit code is 65 if a record has a fault. Nothing is changed.")]
pub struct Verify {
    /// Flags that say how the command prints.
    #[command(flatten)]
    pub printing: Printing,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote backup`
#[derive(Debug, Args)]
pub struct Backup {
    /// Backup file to create; an existing file is never overwritten
    pub file: PathBuf,
    /// Also verify the copy: every page of the database, every encrypted record, every relation between
    /// records
    #[arg(long)]
    pub verify: bool,
    /// Also copy the keyring to FILE.keyring; anybody who has both files can read everything
    #[arg(long)]
    pub with_keyring: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote restore`
#[derive(Debug, Args)]
#[command(
    after_help = "The restored store uses the keyring that --keyring or the settings name, else the keyring in the data folder, else FILE.keyring, which is copied into the data folder."
)]
pub struct Restore {
    /// Backup file to restore
    pub file: PathBuf,
    /// First verify the backup: every page of the database, every encrypted record, every relation between
    /// records
    #[arg(long)]
    pub verify: bool,
    /// Rehearse: restore into a temporary folder, verify the restored store, report the result, remove the
    /// folder; a server may run meanwhile
    #[arg(long, conflicts_with = "verify")]
    pub drill: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flag that chooses the catalogue to check.
    #[command(flatten)]
    pub catalogue: CatalogueFlag,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}
