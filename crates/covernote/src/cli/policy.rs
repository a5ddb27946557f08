//! `covernote policy` and `covernote refund`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote policy`
#[derive(Debug, Args)]
pub struct Policy {
    /// The command.
    #[command(subcommand)]
    pub verb: PolicyVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// What an export has, and where it goes.
#[derive(Debug, Args)]
pub struct ExportAsk {
    /// The file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Only records of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    pub partner: Option<String>,
    /// First day in Asia/Kolkata, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    pub from: Option<String>,
    /// Last day in Asia/Kolkata, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    pub to: Option<String>,
}

/// What policies are found by: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct FindBy {
    /// The number on the certificate, or the insurer's number
    #[arg(long)]
    pub number: Option<String>,
    /// Mobile number of 10 digits
    #[arg(long)]
    pub mobile: Option<String>,
    /// E-mail address
    #[arg(long)]
    pub email: Option<String>,
    /// PAN
    #[arg(long)]
    pub pan: Option<String>,
    /// The partner's own reference, such as a loan account
    #[arg(long)]
    pub reference: Option<String>,
}

/// Verbs of `covernote policy`
#[derive(Debug, Subcommand)]
pub enum PolicyVerb {
    /// List policies, newest first
    List {
        /// Only policies of this partner: partner_id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// Only policies that stand in this state today. Those whose cancellation was requested may need your decision
        #[arg(long, value_enum, ignore_case = true)]
        status: Option<State>,
        /// Most policies to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Find policies by a number, or by what their customer or their sale is known by; exact
    Find {
        /// What to find them by
        #[command(flatten)]
        by: FindBy,
        /// Only policies of this partner: partner_id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// Most policies to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write policies into a CSV file, newest first; names and days of birth only with --personal
    Export {
        /// What to write, and where
        #[command(flatten)]
        export: ExportAsk,
        /// Also who is covered: names and days of birth
        #[arg(long)]
        personal: bool,
    },
    /// Show a policy with every move and its cancellation; names and days of birth are not shown
    Show {
        /// pol_…
        id: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Cancel a policy as of today; --quote only says what would come back
    Cancel {
        /// pol_…
        id: String,
        /// Why
        #[arg(long, value_enum, ignore_case = true)]
        reason: Reason,
        /// The day on which the customer received the document, YYYY-MM-DD [default: the first download, else the issue]
        #[arg(long, value_name = "DAY")]
        received_on: Option<String>,
        /// The insurer gives the reason, as only it can for FRAUD and MISSTATEMENT
        #[arg(long)]
        for_insurer: bool,
        /// A note for the history
        #[arg(long)]
        note: Option<String>,
        /// Change nothing: print what would come back, step by step
        #[arg(long)]
        quote: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change a policy, with a new certificate; --quote only says what it would cost or give back
    Endorse {
        /// pol_…
        id: String,
        /// What is changed: a file of JSON in the shape of the API's endorsement-quote
        #[arg(long, value_name = "FILE")]
        change: PathBuf,
        /// Change nothing: print what it would cost or give back, step by step
        #[arg(long)]
        quote: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List policies of which an endorsement waits for a confirmation or for its payment
    Endorsements {
        /// Most policies to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Confirm or refuse the endorsement of a policy that waits
    DecideEndorsement {
        /// pol_…
        id: String,
        /// What is decided
        #[arg(long, value_enum)]
        verdict: PolicyVerdict,
        /// Which one, as `policy endorsements` shows it: refused where another one waits by now
        #[arg(long, value_name = "N")]
        number: Option<u16>,
        /// Why it is refused
        #[arg(long)]
        reason: Option<String>,
        /// What the payment of its charge is called, such as the bank's UTR
        #[arg(long, value_name = "REFERENCE")]
        payment: Option<String>,
        /// The day on which the insurer received that, YYYY-MM-DD [default: today]
        #[arg(long, value_name = "DAY", requires = "payment")]
        paid_on: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List health policies that are due to be renewed, the one that ends first before the others
    Due {
        /// Only policies of this partner: partner_id or client_id
        #[arg(long, value_name = "PARTNER")]
        partner: Option<String>,
        /// Those that end within so many days [default: those that can be renewed today]
        #[arg(long, value_name = "DAYS")]
        within: Option<u16>,
        /// Most policies to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make the proposal by which another policy follows; --quote only says what it would cost
    Renew {
        /// pol_…
        id: String,
        /// Years of cover [default: as before]
        #[arg(long, value_name = "YEARS")]
        years: Option<u8>,
        /// Change nothing: print what it would cost, step by step
        #[arg(long)]
        quote: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a certificate that an endorsement replaced
    Certificate {
        /// pol_…
        id: String,
        /// Its number among those that the policy had, from 1 on: the one of the issue
        nth: u32,
        /// The file, which must not be there yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Confirm or refuse a cancellation that was requested
    Decide {
        /// pol_…
        id: String,
        /// What is decided
        #[arg(long, value_enum)]
        verdict: PolicyVerdict,
        /// Why, for the history
        #[arg(long)]
        reason: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Where a policy stands.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// It covers, or will.
    Issued,
    /// Somebody asked for its cancellation.
    CancellationRequested,
    /// It was cancelled.
    Cancelled,
    /// It could be renewed, and was not.
    Lapsed,
    /// Its last day is over, and it can still be renewed or never could.
    Expired,
    /// Another policy follows it.
    Renewed,
    /// A paid claim ended the cover of its last life.
    Terminated,
}

/// Why a policy is cancelled.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// The customer gives the document back in time.
    FreeLook,
    /// The borrower left the loan in its cooling-off period.
    LoanCoolingOff,
    /// The loan was repaid before its time.
    LoanForeclosed,
    /// The loan was never disbursed.
    NotDisbursed,
    /// The customer no longer wants it.
    Customer,
    /// The same cover was sold twice.
    Duplicate,
    /// It was sold wrongly.
    MisSale,
    /// Something that was told is not so, without fraud.
    Misstatement,
    /// Somebody deceived the insurer.
    Fraud,
}

/// What is decided of a cancellation or an endorsement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PolicyVerdict {
    /// It is done.
    Confirm,
    /// The policy goes on as it is.
    Refuse,
}

/// `covernote refund`
#[derive(Debug, Args)]
pub struct Refund {
    /// The command.
    #[command(subcommand)]
    pub verb: RefundVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// A payment that was made, and is noted now.
#[derive(Debug, Args)]
pub struct PaymentMade {
    /// What the payment is called, such as the bank's UTR. The same again changes nothing
    #[arg(long)]
    pub reference: String,
    /// The day on which it was paid, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    pub paid_on: Option<String>,
    /// What was paid, in rupees, with interest where it is owed for paying late. Refused where another amount is owed on that day
    #[arg(long)]
    pub amount: Option<String>,
}

/// Verbs of `covernote refund`
#[derive(Debug, Subcommand)]
pub enum RefundVerb {
    /// List refunds that insurers owe for cancelled and endorsed policies, the one that is due first before the others
    List {
        /// Most refunds to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note that the insurer paid the refund of a policy to the insured: of several the one that is due first
    Paid {
        /// pol_…
        id: String,
        /// Its payment
        #[command(flatten)]
        payment: PaymentMade,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
