//! The command line. Scripts rely on it: verbs and flags are never renamed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// The insurance partner service: tokens, quotes, proposals and policies for platforms that offer insurance.
#[derive(Debug, Parser)]
#[command(name = "covernote", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 ok, 1 failed, 2 usage, 65 bad data, 69 something needed is away or taken, 78 configuration."
)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Where the store and the catalogue are. Flag, then COVERNOTE_* variable, then covernote.toml, then the default.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Data folder [default: ./covernote-data]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<String>,
    /// Database: sqlite, in the data folder, or the address of a PostgreSQL database [default: sqlite]
    #[arg(long, value_name = "URL", global = true)]
    pub database: Option<String>,
    /// Take a PostgreSQL server that would lose what it acknowledged
    #[arg(long, global = true)]
    pub accept_unsafe_database: bool,
    /// Catalogue folder [default: the sample, which is built in]
    #[arg(long, value_name = "DIR", global = true)]
    pub catalogue: Option<String>,
    /// Address that partners call, without a slash at its end [default: http://LISTEN]
    #[arg(long, value_name = "URL", global = true)]
    pub base_url: Option<String>,
    /// File of wrapping keys [default: keyring in the data folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub keyring: Option<String>,
    /// Settings file [default: ./covernote.toml where there is one]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// Flags under the names of their settings.
pub(crate) type FlagValues = Vec<(&'static str, Option<String>)>;

impl Serve {
    /// Its flags.
    pub(crate) fn flag_values(&self) -> FlagValues {
        let mut flags = self.process.flag_values();
        flags.extend([("listen", self.listen.clone()), ("journey_url", self.journey_url.clone())]);
        flags
    }
}

impl Process {
    /// Its flags.
    pub(crate) fn flag_values(&self) -> FlagValues {
        vec![
            ("metrics_listen", self.metrics_listen.clone()),
            ("log_format", self.log_format.clone()),
            ("log_level", self.log_level.clone()),
            ("workers", self.workers.map(|workers| workers.to_string())),
        ]
    }
}

impl Flags {
    /// Its flags.
    pub(crate) fn flag_values(&self) -> FlagValues {
        vec![
            ("data", self.data.clone()),
            ("database", self.database.clone()),
            ("database_unsafe", self.accept_unsafe_database.then(|| "accept".to_owned())),
            ("catalogue", self.catalogue.clone()),
            ("base_url", self.base_url.clone()),
            ("keyring", self.keyring.clone()),
        ]
    }
}

/// What there is to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API
    Serve(Serve),
    /// Work on jobs without serving the API, beside servers of the same PostgreSQL database
    Worker(Worker),
    /// Partners and what they may do
    Partner(Partner),
    /// The catalogue of products, rates and taxes
    Catalogue(Catalogue),
    /// Quotes that were given
    Quote(Quote),
    /// Proposals and their decisions
    Proposal(Proposal),
    /// Bring along a book of health proposals or policies: all of a file, or nothing
    Import(Import),
    /// Keys of the store
    Keys(Keys),
    /// Copy the store into one file, also while a server runs
    Backup(Backup),
    /// Make the store of a new data folder from a backup
    Restore(Restore),
    /// Insurers that are reached over HTTP
    Insurer(Insurer),
    /// Serve the insurers' protocol from a catalogue, well or badly: an insurer for tests
    MockInsurer(MockInsurer),
    /// Look whether everything is in order
    Doctor(Doctor),
    /// Print the OpenAPI document
    Openapi,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `covernote serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Serve on loopback with a demo partner and a data folder of its own, ./covernote-demo
    #[arg(long)]
    pub demo: bool,
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Address of the hosted journey [default: the address that partners call]
    #[arg(long, value_name = "URL")]
    pub journey_url: Option<String>,
    /// How the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote worker`
#[derive(Debug, Args)]
pub struct Worker {
    /// How the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// How a process runs that stays.
#[derive(Debug, Args)]
pub struct Process {
    /// Address and port for /metrics [default: off]
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<String>,
    /// Jobs to work on at once; 0 for none [default: 16]
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// How to log: auto, pretty, json [default: auto]
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// What to log: error, warn, info, debug, trace, or target=level pairs [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
}

/// `covernote partner`
#[derive(Debug, Args)]
pub struct Partner {
    /// What to do.
    #[command(subcommand)]
    pub verb: PartnerVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote partner`
#[derive(Debug, Subcommand)]
pub enum PartnerVerb {
    /// Add a partner; its secret is shown once
    Create {
        /// The name that its customers know
        name: String,
        /// Scope to enable, beside business.session, which all partners have; may be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// It is an existing user of the deprecated reads
        #[arg(long)]
        legacy_reads: bool,
        /// It may attribute quotes to other partners and enterprises
        #[arg(long)]
        attribution: bool,
        /// Web origin that may frame the journey; may be repeated
        #[arg(long = "origin", value_name = "URL")]
        origins: Vec<String>,
        /// Address that the journey may send a customer back to; may be repeated
        #[arg(long = "return-url", value_name = "URL")]
        return_urls: Vec<String>,
        /// Token generations in any sliding hour
        #[arg(long, value_name = "N", default_value_t = domain::partner::TOKENS_PER_HOUR, value_parser = clap::value_parser!(u32).range(1..))]
        tokens_per_hour: u32,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List the partners
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a partner, by partner_id or client_id
    Show {
        /// partner_id or client_id
        partner: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Let a partner call again
    Enable {
        /// partner_id or client_id
        partner: String,
    },
    /// Refuse a partner's tokens and credentials
    Disable {
        /// partner_id or client_id
        partner: String,
    },
    /// Enable scopes, permissions or addresses for a partner
    Grant(Rights),
    /// Take scopes, permissions or addresses from a partner
    Revoke(Rights),
    /// Secrets of a partner: two can be live at once
    Secret {
        /// What to do.
        #[command(subcommand)]
        verb: SecretVerb,
    },
}

/// What `grant` and `revoke` are about.
#[derive(Debug, Args)]
pub struct Rights {
    /// partner_id or client_id
    pub partner: String,
    /// Scope; may be repeated
    #[arg(long = "scope", value_name = "SCOPE")]
    pub scopes: Vec<String>,
    /// The deprecated reads
    #[arg(long)]
    pub legacy_reads: bool,
    /// Attribution to others
    #[arg(long)]
    pub attribution: bool,
    /// Web origin that may frame the journey; may be repeated
    #[arg(long = "origin", value_name = "URL")]
    pub origins: Vec<String>,
    /// Address that the journey may send a customer back to; may be repeated
    #[arg(long = "return-url", value_name = "URL")]
    pub return_urls: Vec<String>,
}

/// Verbs of `covernote partner secret`
#[derive(Debug, Subcommand)]
pub enum SecretVerb {
    /// Add a second secret; it is shown once
    Add {
        /// partner_id or client_id
        partner: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Revoke a secret; tokens already out run to their end
    Revoke {
        /// partner_id or client_id
        partner: String,
        /// Number of the secret, as 'partner show' lists it
        number: u32,
    },
}

/// `covernote catalogue`
#[derive(Debug, Args)]
pub struct Catalogue {
    /// What to do.
    #[command(subcommand)]
    pub verb: CatalogueVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote catalogue`
#[derive(Debug, Subcommand)]
pub enum CatalogueVerb {
    /// Write the sample catalogue into a folder, to begin with
    Init {
        /// The folder; nothing there is overwritten
        folder: PathBuf,
    },
    /// List every fault with file and line
    Check {
        /// The folder [default: the one in the settings]
        folder: Option<PathBuf>,
    },
    /// Price the charts in tests/*.csv and print the differences
    Test {
        /// The folder [default: the one in the settings]
        folder: Option<PathBuf>,
    },
    /// Show insurers, products and variants
    Show {
        /// The folder [default: the one in the settings]
        folder: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a new id for something added to a catalogue
    Id {
        /// What it is for
        kind: IdKind,
    },
    /// Check the catalogue in the settings, then have the running server read it again
    Reload,
    /// Price a request by every variant: a loan's cover, or with --members a family's health
    Price {
        /// Day of the quote, DD/MM/YYYY [default: today]
        #[arg(long, value_name = "DATE")]
        on: Option<String>,
        /// One variant alone, step by step
        #[arg(long, value_name = "ID")]
        variant: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// What cover of a loan is priced by.
        #[command(flatten)]
        life: Box<CreditCover>,
        /// What health cover is priced by.
        #[command(flatten)]
        family: Box<HealthCover>,
    },
}

/// What cover of a loan is priced by.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cover of a loan")]
pub struct CreditCover {
    /// Day of birth, DD/MM/YYYY
    #[arg(long, value_name = "DATE", required_unless_present = "members")]
    pub date_of_birth: Option<String>,
    /// MALE or FEMALE
    #[arg(long, default_value = "MALE")]
    pub gender: String,
    /// Cover, such as 500000.00
    #[arg(long, value_name = "AMOUNT", required_unless_present = "members")]
    pub cover_amount: Option<String>,
    /// Months
    #[arg(long, value_name = "MONTHS", required_unless_present = "members")]
    pub policy_term: Option<u32>,
    /// Loan, such as 500000
    #[arg(long, value_name = "AMOUNT")]
    pub loan_amount: Option<String>,
}

/// What health cover is priced by.
#[derive(Debug, Args)]
#[command(next_help_heading = "Health")]
pub struct HealthCover {
    /// Relations with ages, such as "self:40 spouse:34 son:8"
    #[arg(
        long,
        requires = "pincode",
        conflicts_with_all = ["date_of_birth", "cover_amount", "policy_term", "loan_amount"]
    )]
    pub members: Option<String>,
    /// Where the family lives
    #[arg(long, value_name = "PINCODE", requires = "members")]
    pub pincode: Option<String>,
    /// Sum insured [default: 1000000]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub sum_insured: Option<String>,
    /// base or super_top_up
    #[arg(long, value_name = "PLAN", default_value = "base")]
    pub plan: String,
    /// What the family bears itself in a year [default: none, and the smallest of a super top-up]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub deductible: Option<String>,
    /// A pre-existing disease; may be repeated
    #[arg(long, value_name = "ID", requires = "members")]
    pub illness: Vec<String>,
}

/// What an id can be made for.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[allow(missing_docs)]
pub enum IdKind {
    Insurer,
    Product,
    Variant,
}

/// `covernote quote`
#[derive(Debug, Args)]
pub struct Quote {
    /// What to do.
    #[command(subcommand)]
    pub verb: QuoteVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote quote`
#[derive(Debug, Subcommand)]
pub enum QuoteVerb {
    /// Find health quotes by what the partner's platform calls its lead or its end user
    Find {
        /// The lead_id of the request
        #[arg(long, value_name = "ID", required_unless_present = "user_id", conflicts_with = "user_id")]
        lead_id: Option<String>,
        /// The user_id of the request
        #[arg(long, value_name = "ID")]
        user_id: Option<String>,
        /// Show at most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Price a quote again by the catalogue it was given under, and show every step
    Explain {
        /// quo_…
        id: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `covernote proposal`
#[derive(Debug, Args)]
pub struct Proposal {
    /// What to do.
    #[command(subcommand)]
    pub verb: ProposalVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote proposal`
#[derive(Debug, Subcommand)]
pub enum ProposalVerb {
    /// List proposals, newest first
    List {
        /// Of one partner: partner_id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// In one status. Credit protection: draft, pending, completed, rejected; health: all but draft and completed.
        /// Pending ones of the first and offline ones of the second wait for you
        #[arg(long, value_enum, ignore_case = true)]
        status: Option<Status>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a proposal with its history and the reasons given; other personal data stays sealed
    Show {
        /// pro_…
        id: String,
        /// Also what the customer filled in on the journey: names, contact, illnesses, consents
        #[arg(long)]
        personal: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Complete (accept) or reject a proposal that is not decided, whoever else decides it. Of health proposals, those in
    /// OFFLINE wait for you
    Decide {
        /// pro_…
        id: String,
        /// What it becomes
        #[arg(long, value_enum, ignore_case = true)]
        status: Verdict,
        /// Why, for the proposal's history. A customer of the journey reads it where it is rejected
        #[arg(long)]
        reason: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `covernote import`
#[derive(Debug, Args)]
pub struct Import {
    /// What to import.
    #[command(subcommand)]
    pub what: ImportWhat,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// What can be imported.
#[derive(Debug, Subcommand)]
pub enum ImportWhat {
    /// Health proposals, a JSON object a line; docs/import.md tells their fields
    Proposals {
        /// The file
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Health policies, a JSON object a line; docs/import.md tells their fields
    Policies {
        /// The file
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Where a proposal of either family stands.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "UPPER")]
#[allow(missing_docs)]
pub enum Status {
    Draft,
    Pending,
    Completed,
    Rejected,
    Initiated,
    Submitted,
    Underwriting,
    Cancelled,
    Accepted,
    Offline,
}

/// What an operator can make of a proposal that is not decided.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "UPPER")]
#[allow(missing_docs)]
pub enum Verdict {
    /// The policy is issued; ACCEPTED says the same
    Completed,
    /// The policy is issued; COMPLETED says the same
    Accepted,
    /// No policy comes of it
    Rejected,
}

/// `covernote keys`
#[derive(Debug, Args)]
pub struct Keys {
    /// What to do.
    #[command(subcommand)]
    pub verb: KeysVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote keys`
#[derive(Debug, Subcommand)]
pub enum KeysVerb {
    /// List the keys, never their secrets
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add a signing key; the one before stays accepted until it is retired
    Rotate {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Retire a signing key: its tokens are refused from then on
    Retire {
        /// Number of the key, as 'keys list' shows it
        number: u32,
        /// Also while tokens of it may still be out
        #[arg(long)]
        force: bool,
    },
}

/// `covernote backup`
#[derive(Debug, Args)]
pub struct Backup {
    /// The file to make; one that is there is never overwritten
    pub file: PathBuf,
    /// Also look at everything in the copy: every page, every sealed record, and what must hold between them
    #[arg(long)]
    pub verify: bool,
    /// Also copy the keyring, to FILE.keyring: the two together open everything
    #[arg(long)]
    pub with_keyring: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote restore`
#[derive(Debug, Args)]
#[command(
    after_help = "The keyring is the one of --keyring or the settings, else the data folder's own, else FILE.keyring, which is copied into the data folder."
)]
pub struct Restore {
    /// The backup
    pub file: PathBuf,
    /// First look at everything in it: every page, every sealed record, and what must hold between them
    #[arg(long)]
    pub verify: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote insurer`
#[derive(Debug, Args)]
pub struct Insurer {
    /// What to do.
    #[command(subcommand)]
    pub verb: InsurerVerb,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote insurer`
#[derive(Debug, Subcommand)]
pub enum InsurerVerb {
    /// Look whether an insurer's server speaks the protocol, and tell its engineers what it does wrong
    Check {
        /// Address of the server, without the paths of the protocol
        url: String,
        /// Ask for this insurer's variants: ins_… or its folder [default: the insurer with this address, else every
        /// variant of the catalogue]
        #[arg(long, value_name = "ID_OR_FOLDER")]
        insurer: Option<String>,
        /// How the server is to know who asks
        #[command(flatten)]
        secret: SharedSecret,
        /// Hand over no proposal; otherwise one of a fictional customer is
        #[arg(long)]
        prices_only: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A secret that two servers share, and how it is shown.
#[derive(Debug, Args)]
pub struct SharedSecret {
    /// How the secret is shown
    #[arg(long, value_enum, value_name = "HOW", requires = "secret_file")]
    pub authentication: Option<Authentication>,
    /// File with the secret [default: no secret]
    #[arg(long, value_name = "FILE", requires = "authentication")]
    pub secret_file: Option<PathBuf>,
}

/// How a secret is shown.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Authentication {
    /// As a bearer token
    Bearer,
    /// By an HMAC of time, method, path and body
    Hmac,
}

/// `covernote mock-insurer`
#[derive(Debug, Args)]
pub struct MockInsurer {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8181")]
    pub listen: String,
    /// Milliseconds that every answer is held back
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub latency_ms: u64,
    /// Of a hundred requests, so many are answered 503
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub fail_percent: u8,
    /// Of a hundred requests, so many are never answered
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub hang_percent: u8,
    /// Of a hundred requests, so many are answered wrongly
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub rubbish_percent: u8,
    /// Where its dice begin: the same seed gives the same bad answers in the same places
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How it decides proposals
    #[arg(long, value_enum, default_value = "accept")]
    pub decision: MockDecision,
    /// Milliseconds after a submission at which it has decided
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub decide_after_ms: u64,
    /// Tell decisions to the service at this address [default: wait to be asked]
    #[arg(long, value_name = "URL")]
    pub tell: Option<String>,
    /// Who may ask
    #[command(flatten)]
    pub secret: SharedSecret,
    /// Print the address as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}

/// How a mock insurer decides.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[allow(missing_docs)]
pub enum MockDecision {
    Accept,
    Reject,
    Pending,
}

/// `covernote doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where the store and the catalogue are.
    #[command(flatten)]
    pub flags: Flags,
}
