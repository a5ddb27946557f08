//! `covernote claim`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Flags, PaymentMade};

/// `covernote claim`
#[derive(Debug, Args)]
pub struct Claim {
    /// The command.
    #[command(subcommand)]
    pub verb: ClaimVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote claim`
#[derive(Debug, Subcommand)]
pub enum ClaimVerb {
    /// List claims that are not settled, the one that is due first before the others
    List {
        /// Settled ones as well, newest first
        #[arg(long)]
        all: bool,
        /// Only claims of this partner, newest first, with --all
        #[arg(long, value_name = "PARTNER", requires = "all")]
        partner: Option<String>,
        /// Most claims to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a claim: the cover that is left for it, its papers and every move. --personal adds who claims and what happened
    Show {
        /// clm_…
        id: String,
        /// Also who claims, to whom it happened, what happened, and the account for the payment
        #[arg(long)]
        personal: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note what the insurer decided
    Decide {
        /// clm_…
        id: String,
        /// Where the claim stands now
        #[arg(long, value_enum, ignore_case = true)]
        status: ClaimStatus,
        /// What the insurer pays, in rupees, where it is approved
        #[arg(long)]
        amount: Option<String>,
        /// Why, for the history; needed where nothing is paid
        #[arg(long)]
        reason: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note that the insurer paid an approved claim
    Paid {
        /// clm_…
        id: String,
        /// Its payment
        #[command(flatten)]
        payment: PaymentMade,
        /// A required paper that is missing, and why the claim was paid without it; again for each
        #[arg(long, value_name = "PAPER=REASON")]
        waive: Vec<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Withdraw a claim that is neither paid nor refused
    Withdraw {
        /// clm_…
        id: String,
        /// Why, for the history
        #[arg(long)]
        reason: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a paper of a claim into a file
    Paper {
        /// clm_…
        id: String,
        /// doc_…
        document: String,
        /// The file, which must not be there yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

/// Where an insurer's decision leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ClaimStatus {
    /// The insurer assesses it.
    UnderAssessment,
    /// The insurer has it investigated.
    UnderInvestigation,
    /// The insurer pays it.
    Approved,
    /// The policy does not cover it.
    Rejected,
    /// The insurer denies its liability.
    Repudiated,
}
