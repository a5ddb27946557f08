//! `covernote quote` and `covernote proposal`.

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote quote`
#[derive(Debug, Args)]
pub struct Quote {
    /// The command.
    #[command(subcommand)]
    pub verb: QuoteVerb,
    /// Flags for the store.
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
    /// Flags for the store.
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
    /// Write proposals into a CSV file, newest first, without personal data
    Export {
        /// What to write, and where
        #[command(flatten)]
        export: super::ExportAsk,
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

/// The statuses of proposals of both lines of business.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "UPPER")]
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
pub enum Verdict {
    /// Issue the policy; ACCEPTED does the same
    Completed,
    /// Issue the policy; COMPLETED does the same
    Accepted,
    /// Issue no policy
    Rejected,
}
