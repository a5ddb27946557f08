//! `covernote statement`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Flags;

/// `covernote statement`
#[derive(Debug, Args)]
pub struct Statement {
    /// The command.
    #[command(subcommand)]
    pub verb: StatementVerb,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote statement`
#[derive(Debug, Subcommand)]
pub enum StatementVerb {
    /// Make the statements of a month that is over, and close it; a closed month is left as it is
    Make {
        /// The month, YYYY-MM
        #[arg(long, value_name = "MONTH")]
        month: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write the statements of a month as it stands now into a folder; nothing is kept, and the month stays open
    Draft {
        /// The month, YYYY-MM
        #[arg(long, value_name = "MONTH")]
        month: String,
        /// The folder, which is made where it is not there
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// List statements with their numbers and totals
    List {
        /// Only those of this month, YYYY-MM
        #[arg(long, value_name = "MONTH")]
        month: Option<String>,
        /// Most statements to list
        #[arg(long, value_name = "N", default_value_t = 1000)]
        most: usize,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a statement with its files, and what its insurer answered
    Show {
        /// Its number, such as PB-202611-0001
        number: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a file of a statement
    Export {
        /// Its number, such as PB-202611-0001
        number: String,
        /// Which file
        #[arg(long, value_enum, default_value_t = StatementFormat::Xlsx)]
        format: StatementFormat,
        /// The file, which must not be there yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Note that you paid a partner what it is owed by its commission statement
    Paid {
        /// Its number, such as CS-202611-0001
        number: String,
        /// Its payment
        #[command(flatten)]
        payment: PaymentMade,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Take an insurer's answer to a premium bordereau: all of the file, or nothing
    Answer {
        /// The bordereau's number, such as PB-202611-0001
        number: String,
        /// CSV with the columns row_id and status (accepted or rejected); insurer_policy_no and reason may be there as well
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A file of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatementFormat {
    /// Comma-separated values.
    Csv,
    /// A workbook.
    Xlsx,
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
