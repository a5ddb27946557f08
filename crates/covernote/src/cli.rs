//! The command line. Scripts rely on it, so verbs and flags are never renamed.

mod premium;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use premium::{Deposit, DepositPayment, DepositVerb, How, Premium, PremiumVerb};

/// The insurance partner service: tokens, quotes, proposals and policies for platforms that offer insurance.
#[derive(Debug, Parser)]
#[command(name = "covernote", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 ok, 1 failed, 2 wrong usage, 65 bad data, 69 store, folder or port unavailable, 78 configuration."
)]
pub struct CommandLine {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Flags for the store and the catalogue. A flag wins over a COVERNOTE_* variable, that over covernote.toml, that over the default.
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
    /// Catalogue folder [default: the built-in sample]
    #[arg(long, value_name = "DIR", global = true)]
    pub catalogue: Option<String>,
    /// Address that partners call, without a slash at its end [default: http://LISTEN]
    #[arg(long, value_name = "URL", global = true)]
    pub base_url: Option<String>,
    /// Wrapping keys: a file, env:NAME or command:COMMAND [default: keyring in the data folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub keyring: Option<String>,
    /// Settings file [default: ./covernote.toml, if it exists]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// Values of flags, under the names of their settings.
pub(crate) type FlagValues = Vec<(&'static str, Option<String>)>;

impl Serve {
    /// Its flags with their values.
    pub(crate) fn flag_values(&self) -> FlagValues {
        let mut flags = self.process.flag_values();
        flags.extend([("listen", self.listen.clone()), ("journey_url", self.journey_url.clone())]);
        flags
    }
}

impl Process {
    /// Its flags with their values.
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
    /// Its flags with their values.
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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API
    Serve(Serve),
    /// Run jobs without serving the API, beside the servers of a PostgreSQL database
    Worker(Worker),
    /// Manage partners and their permissions
    Partner(Partner),
    /// Manage the catalogue of products, rates and taxes
    Catalogue(Catalogue),
    /// Find and explain quotes
    Quote(Quote),
    /// List, show and decide proposals
    Proposal(Proposal),
    /// List premiums, note payments, settle, refund and remit them
    Premium(Premium),
    /// List and change the advance deposits from which policies draw their premium
    Deposit(Deposit),
    /// Import health proposals or policies from a file: all of it, or nothing
    Import(Import),
    /// Manage the keys of the store
    Keys(Keys),
    /// Manage the keyring, whose keys wrap the keys of the store
    Keyring(KeyringCommand),
    /// Who runs this service and sells the insurance
    Operator(OperatorCommand),
    /// Copy the store into one file; a server may run meanwhile
    Backup(Backup),
    /// Restore a backup into a new data folder
    Restore(Restore),
    /// Check insurers that are reached over HTTP
    Insurer(Insurer),
    /// Serve the insurers' protocol from a catalogue, for tests: it can fail on purpose
    MockInsurer(MockInsurer),
    /// Check everything that a server needs
    Doctor(Doctor),
    /// Print the OpenAPI document
    Openapi,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `covernote serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Serve on loopback with a demo partner and its own data folder, ./covernote-demo
    #[arg(long)]
    pub demo: bool,
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Address of the hosted journey [default: the base URL]
    #[arg(long, value_name = "URL")]
    pub journey_url: Option<String>,
    /// How the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote worker`
#[derive(Debug, Args)]
pub struct Worker {
    /// How the process runs.
    #[command(flatten)]
    pub process: Process,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// How a long-running process runs.
#[derive(Debug, Args)]
pub struct Process {
    /// Address and port for /metrics [default: off]
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<String>,
    /// Number of jobs to run at once; 0 runs none [default: 16]
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Log format: auto, pretty, json [default: auto]
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Log level: error, warn, info, debug, trace, or target=level pairs [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
}

/// `covernote partner`
#[derive(Debug, Args)]
pub struct Partner {
    /// The command.
    #[command(subcommand)]
    pub verb: PartnerVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote partner`
#[derive(Debug, Subcommand)]
pub enum PartnerVerb {
    /// Add a partner; the output shows its secret once
    Create {
        /// Name of the partner, as its customers know it
        name: String,
        /// Scope to enable, in addition to business.session, which all partners have; may be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// Allow the deprecated reads
        #[arg(long)]
        legacy_reads: bool,
        /// Allow attribution of quotes to other partners and enterprises
        #[arg(long)]
        attribution: bool,
        /// Web origin that may frame the journey; may be repeated
        #[arg(long = "origin", value_name = "URL")]
        origins: Vec<String>,
        /// Address that the journey may send a customer back to; may be repeated
        #[arg(long = "return-url", value_name = "URL")]
        return_urls: Vec<String>,
        /// Most tokens that the partner gets in any 60 minutes
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
    /// Enable a disabled partner
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
    /// Manage the secrets of a partner; two can be live at once
    Secret {
        /// The command.
        #[command(subcommand)]
        verb: SecretVerb,
    },
    /// Manage the tokens that a partner has
    Tokens {
        /// The command.
        #[command(subcommand)]
        verb: TokensVerb,
    },
}

/// What `grant` and `revoke` change.
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
    /// Add a second secret; the output shows it once
    Add {
        /// partner_id or client_id
        partner: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Revoke a secret; its tokens stay valid until they expire
    Revoke {
        /// partner_id or client_id
        partner: String,
        /// Number of the secret, as 'partner show' lists it
        number: u32,
        /// End its tokens, too; servers refuse them within 5 seconds
        #[arg(long)]
        now: bool,
    },
}

/// `covernote partner tokens`
#[derive(Debug, Subcommand)]
pub enum TokensVerb {
    /// End all tokens of a partner; servers refuse them within 5 seconds
    Revoke {
        /// partner_id or client_id
        partner: String,
    },
}

/// `covernote catalogue`
#[derive(Debug, Args)]
pub struct Catalogue {
    /// The command.
    #[command(subcommand)]
    pub verb: CatalogueVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote catalogue`
#[derive(Debug, Subcommand)]
pub enum CatalogueVerb {
    /// Write the sample catalogue into a folder, as a start
    Init {
        /// The folder; no existing file is overwritten
        folder: PathBuf,
    },
    /// List every fault with file and line
    Check {
        /// The folder [default: the one in the settings]
        folder: Option<PathBuf>,
    },
    /// Price the premium charts in tests/*.csv and print the differences
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
    /// Print a new id for a catalogue entry
    Id {
        /// Kind of entry
        kind: IdKind,
    },
    /// Check the catalogue in the settings, then make the running server reload it
    Reload,
    /// Price a request with every variant: cover of a loan, or health cover of a family with --members
    Price {
        /// Day of the quote, DD/MM/YYYY [default: today]
        #[arg(long, value_name = "DATE")]
        on: Option<String>,
        /// Price only this variant, step by step
        #[arg(long, value_name = "ID")]
        variant: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// The request for cover of a loan.
        #[command(flatten)]
        life: Box<CreditCover>,
        /// The request for health cover.
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
    /// Cover amount, such as 500000.00
    #[arg(long, value_name = "AMOUNT", required_unless_present = "members")]
    pub cover_amount: Option<String>,
    /// Term in months
    #[arg(long, value_name = "MONTHS", required_unless_present = "members")]
    pub policy_term: Option<u32>,
    /// Loan amount, such as 500000
    #[arg(long, value_name = "AMOUNT")]
    pub loan_amount: Option<String>,
    /// Id of a rider; may be repeated
    #[arg(long, value_name = "ID")]
    pub rider: Vec<String>,
    /// Day of birth of a second insured person, DD/MM/YYYY
    #[arg(long, value_name = "DATE", requires = "joint_gender")]
    pub joint_date_of_birth: Option<String>,
    /// MALE or FEMALE
    #[arg(long, value_name = "GENDER", requires = "joint_date_of_birth")]
    pub joint_gender: Option<String>,
}

/// What health cover is priced by.
#[derive(Debug, Args)]
#[command(next_help_heading = "Health")]
pub struct HealthCover {
    /// Family members with ages, such as "self:40 spouse:34 son:8"
    #[arg(
        long,
        requires = "pincode",
        conflicts_with_all = ["date_of_birth", "cover_amount", "policy_term", "loan_amount", "joint_date_of_birth", "rider"]
    )]
    pub members: Option<String>,
    /// Pincode of the family's home
    #[arg(long, value_name = "PINCODE", requires = "members")]
    pub pincode: Option<String>,
    /// Sum insured [default: 1000000]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub sum_insured: Option<String>,
    /// base or super_top_up
    #[arg(long, value_name = "PLAN", default_value = "base")]
    pub plan: String,
    /// Amount that the family pays itself each year [default: none; for a super top-up its smallest deductible]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub deductible: Option<String>,
    /// Pre-existing disease; may be repeated
    #[arg(long, value_name = "ID", requires = "members")]
    pub illness: Vec<String>,
    /// yearly, half-yearly, quarterly or monthly [default: at once]
    #[arg(long, value_name = "WORD", requires = "members")]
    pub instalments: Option<String>,
    /// Occupation of the borrower or in the family, such as LABOURER; in a family it may be repeated
    #[arg(long, value_name = "WORD")]
    pub occupation: Vec<String>,
    /// The borrower, or somebody in the family, uses tobacco
    #[arg(long)]
    pub tobacco: bool,
}

/// The kinds of entries that have ids.
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
    /// The command.
    #[command(subcommand)]
    pub verb: QuoteVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote quote`
#[derive(Debug, Subcommand)]
pub enum QuoteVerb {
    /// Find health quotes by the partner's id of a lead or an end user
    Find {
        /// The lead_id of the request
        #[arg(long, value_name = "ID", required_unless_present = "user_id", conflicts_with = "user_id")]
        lead_id: Option<String>,
        /// The user_id of the request
        #[arg(long, value_name = "ID")]
        user_id: Option<String>,
        /// Most quotes to show
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Price a quote again with its own catalogue version, and show every step
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
    /// The command.
    #[command(subcommand)]
    pub verb: ProposalVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote proposal`
#[derive(Debug, Subcommand)]
pub enum ProposalVerb {
    /// List proposals, newest first
    List {
        /// Only proposals of this partner: partner_id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// Only proposals in this status. Credit protection has draft, pending, completed, rejected; health has all but
        /// draft and completed. Pending ones of the first and offline ones of the second need your decision
        #[arg(long, value_enum, ignore_case = true)]
        status: Option<Status>,
        /// Most proposals to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a proposal with its history and its reasons; other personal data is not shown
    Show {
        /// pro_…
        id: String,
        /// Also show everything that a decision needs: people with their ages, cover, loan, documents, nominees, consents,
        /// the price step by step, and the rules that a policy issued today would break
        #[arg(long)]
        personal: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print a new address of the page with a health application's status; it opens for 90 days
    StatusPage {
        /// pro_…
        id: String,
        /// End every address of the page that was given out before
        #[arg(long)]
        end: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Complete (accept) or reject an undecided proposal, even if somebody else normally decides it. Health proposals in
    /// OFFLINE need your decision
    Decide {
        /// pro_…
        id: String,
        /// The new status
        #[arg(long, value_enum, ignore_case = true)]
        status: Verdict,
        /// Reason for the proposal's history. If you reject it, a customer of the journey reads the reason
        #[arg(long)]
        reason: Option<String>,
        /// The insurer's own number of the policy, which is printed on the certificate; only if you complete or accept it
        #[arg(long, value_name = "NUMBER")]
        insurer_number: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `covernote import`
#[derive(Debug, Args)]
pub struct Import {
    /// The kind of records.
    #[command(subcommand)]
    pub what: ImportWhat,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// The kinds of records that can be imported.
#[derive(Debug, Subcommand)]
pub enum ImportWhat {
    /// Import health proposals, one JSON object on each line; docs/import.md describes the fields
    Proposals {
        /// The file
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Import health policies, one JSON object on each line; docs/import.md describes the fields
    Policies {
        /// The file
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// The statuses of proposals of both lines of business.
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

/// An operator's decision on a proposal.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "UPPER")]
#[allow(missing_docs)]
pub enum Verdict {
    /// Issue the policy; ACCEPTED does the same
    Completed,
    /// Issue the policy; COMPLETED does the same
    Accepted,
    /// Issue no policy
    Rejected,
}

/// `covernote keys`
#[derive(Debug, Args)]
pub struct Keys {
    /// The command.
    #[command(subcommand)]
    pub verb: KeysVerb,
    /// Flags for the store and the catalogue.
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
    /// Flags for the store and the catalogue.
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

/// `covernote operator`
#[derive(Debug, Args)]
pub struct OperatorCommand {
    /// The command.
    #[command(subcommand)]
    pub verb: OperatorVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote operator`
#[derive(Debug, Subcommand)]
pub enum OperatorVerb {
    /// Print an example of operator.toml
    Example,
    /// Check the file and show what pages and certificates will say
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `covernote backup`
#[derive(Debug, Args)]
pub struct Backup {
    /// The file to create; an existing file is never overwritten
    pub file: PathBuf,
    /// Also verify the copy: every page, every sealed record, every relation between records
    #[arg(long)]
    pub verify: bool,
    /// Also copy the keyring to FILE.keyring; whoever has both files can read everything
    #[arg(long)]
    pub with_keyring: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote restore`
#[derive(Debug, Args)]
#[command(
    after_help = "The keyring is the one of --keyring or the settings, else the one in the data folder, else FILE.keyring, which is copied into the data folder."
)]
pub struct Restore {
    /// The backup
    pub file: PathBuf,
    /// First verify the backup: every page, every sealed record, every relation between records
    #[arg(long)]
    pub verify: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// `covernote insurer`
#[derive(Debug, Args)]
pub struct Insurer {
    /// The command.
    #[command(subcommand)]
    pub verb: InsurerVerb,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote insurer`
#[derive(Debug, Subcommand)]
pub enum InsurerVerb {
    /// Check an insurer's server against the protocol, and report what it does wrong
    Check {
        /// Address of the server, without the paths of the protocol
        url: String,
        /// Insurer whose variants are requested: ins_… or its folder [default: the insurer with this address, else all
        /// insurers of the catalogue]
        #[arg(long, value_name = "ID_OR_FOLDER")]
        insurer: Option<String>,
        /// How the requests are authenticated
        #[command(flatten)]
        secret: SharedSecret,
        /// Submit no proposal; otherwise the check submits one of a fictional customer
        #[arg(long)]
        prices_only: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A secret that two servers share, with the way it is used.
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
    /// Address and port to listen on; port 0 takes a free one
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
    /// Time from a submission to its decision, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub decide_after_ms: u64,
    /// Send decisions to the service at this address [default: send none]
    #[arg(long, value_name = "URL")]
    pub tell: Option<String>,
    /// How requests are authenticated
    #[command(flatten)]
    pub secret: SharedSecret,
    /// Print the address as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}

/// The decisions of a mock insurer.
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
    /// Flags for the store and the catalogue.
    #[command(flatten)]
    pub flags: Flags,
}
