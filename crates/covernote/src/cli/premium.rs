//! `covernote premium` and `covernote deposit`.

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote premium`
#[derive(Debug, Args)]
pub struct Premium {
    /// The command.
    #[command(subcommand)]
    pub verb: PremiumVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote premium`
#[derive(Debug, Subcommand)]
pub enum PremiumVerb {
    /// List premiums that are due, received, mismatched, to be remitted or to be paid back, the oldest first
    List {
        /// Most premiums to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the premium of a proposal with every payment that came for it
    Show {
        /// pro_…
        id: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note a payment that came in: for one proposal or for many
    #[command(visible_alias = "add")]
    Receive {
        /// The proposals, each with what of the payment is for it: pro_…=5900.00
        #[arg(required = true, value_name = "PROPOSAL=AMOUNT")]
        items: Vec<String>,
        /// What the payment is called where it was made, such as the bank's UTR. The same again changes nothing
        #[arg(long)]
        reference: String,
        /// All of it, in rupees [default: the sum of the items]
        #[arg(long)]
        amount: Option<String>,
        /// The day on which it came, YYYY-MM-DD [default: today]
        #[arg(long, value_name = "DAY")]
        received_on: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Settle an amount that is not the premium: take the premium out of it, or pay all of it back
    #[command(visible_alias = "match")]
    Settle {
        /// pro_…
        id: String,
        /// What is done with it; what is over is owed back
        #[arg(long, value_enum)]
        how: How,
        /// A note for the ledger, such as the number of a ticket
        #[arg(long)]
        reference: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note that what is owed back was paid back
    Refund {
        /// pro_…
        id: String,
        /// What was paid back, in rupees. Refused where another amount is owed back [default: all of it]
        #[arg(long)]
        amount: Option<String>,
        /// What the payment is called, such as the bank's UTR. The same again changes nothing
        #[arg(long)]
        reference: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note that premiums that were collected here went to their insurer, which is due within 24 hours
    Remit {
        /// The proposals
        #[arg(value_name = "PROPOSAL", required_unless_present = "insurer")]
        ids: Vec<String>,
        /// Every premium that was collected for this insurer, ins_…
        #[arg(long, value_name = "INSURER", conflicts_with = "ids")]
        insurer: Option<String>,
        /// What the payment is called, such as the bank's UTR. The same again changes nothing
        #[arg(long)]
        reference: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the balance of every account of the ledger. Their sum is nought
    Accounts {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// What is done with an amount that is not the premium.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum How {
    /// The premium is taken out of it.
    Apply,
    /// All of it is owed back.
    Refund,
}

/// `covernote deposit`
#[derive(Debug, Args)]
pub struct Deposit {
    /// The command.
    #[command(subcommand)]
    pub verb: DepositVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote deposit`
#[derive(Debug, Subcommand)]
pub enum DepositVerb {
    /// List the advance deposits from which policies draw their premium
    #[command(visible_alias = "show")]
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note money that was paid into a deposit. Proposals that wait for it are tried again at once
    TopUp(DepositPayment),
    /// Note money that was taken out of a deposit
    Withdraw(DepositPayment),
}

/// A payment into a deposit, or out of it.
#[derive(Debug, Args)]
pub struct DepositPayment {
    /// Its name, as `deposit list` prints it
    pub name: String,
    /// How much, in rupees
    #[arg(long)]
    pub amount: String,
    /// What the payment is called, such as the bank's UTR. The same again changes nothing
    #[arg(long)]
    pub reference: String,
    /// The insurer, ins_…, where deposits of several insurers have this name
    #[arg(long)]
    pub insurer: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
