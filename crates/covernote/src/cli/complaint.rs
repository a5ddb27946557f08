//! `covernote complaint`.

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote complaint`
#[derive(Debug, Args)]
pub struct Complaint {
    /// The command.
    #[command(subcommand)]
    pub verb: ComplaintVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote complaint`
#[derive(Debug, Subcommand)]
pub enum ComplaintVerb {
    /// Put a complaint into the register; its clock begins on the day on which it came
    Add {
        /// What it is about
        #[arg(long, value_enum, ignore_case = true)]
        kind: Grievance,
        /// Who complains, and how they are reached, on one line
        #[arg(long)]
        from: String,
        /// What they say, on one line
        #[arg(long)]
        text: String,
        /// The policy that it is about, pol_…
        #[arg(long, value_name = "POLICY")]
        policy: Option<String>,
        /// The day on which it came, YYYY-MM-DD [default: today]
        #[arg(long, value_name = "DAY")]
        received_on: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List complaints that are not answered, the one that is due first before the others
    List {
        /// Answered ones as well, newest first
        #[arg(long)]
        all: bool,
        /// Most complaints to list
        #[arg(long, value_name = "N", default_value_t = 50)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a complaint; who complains and what was said only with --personal
    Show {
        /// cmp_…
        id: String,
        /// Also who complains, what they say, and what was answered
        #[arg(long)]
        personal: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Note what a complaint was answered, once
    Answer {
        /// cmp_…
        id: String,
        /// Whether it was found right
        #[arg(long, value_enum)]
        outcome: ComplaintOutcome,
        /// What was answered, on one line
        #[arg(long)]
        text: String,
        /// The day of the answer, YYYY-MM-DD [default: today]
        #[arg(long, value_name = "DAY")]
        answered_on: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// What a complaint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Grievance {
    /// How it was sold.
    Sale,
    /// The policy or its certificate.
    Policy,
    /// A premium or a payment.
    Premium,
    /// A refund that does not come.
    Refund,
    /// A claim.
    Claim,
    /// How somebody was treated.
    Service,
    /// Anything else.
    Other,
}

/// Whether a complaint was found right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComplaintOutcome {
    /// It was.
    Upheld,
    /// It was not.
    NotUpheld,
}
