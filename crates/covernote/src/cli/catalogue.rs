//! `covernote catalogue`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{CatalogueFlag, Flags, Printing};

/// `covernote catalogue`
#[derive(Debug, Args)]
pub struct Catalogue {
    /// Subcommand that the command line names.
    #[command(subcommand)]
    pub verb: CatalogueVerb,
    /// Flag that chooses the catalogue.
    #[command(flatten)]
    pub catalogue: CatalogueFlag,
    /// Flags for the store.
    #[command(flatten)]
    pub flags: Flags,
}

/// Verbs of `covernote catalogue`
#[derive(Debug, Subcommand)]
pub enum CatalogueVerb {
    /// Write the sample catalogue into a folder, as a starting point
    Init {
        /// Folder to write into; no existing file is overwritten
        folder: PathBuf,
    },
    /// Check the catalogue: list every fault with file and line
    Check {
        /// Catalogue folder [default: the folder in the settings]
        folder: Option<PathBuf>,
    },
    /// Price every row of the premium charts in tests/*.csv, and print the differences
    Test {
        /// Catalogue folder [default: the folder in the settings]
        folder: Option<PathBuf>,
    },
    /// Show insurers, products and variants
    Show {
        /// Catalogue folder [default: the folder in the settings]
        folder: Option<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print a new id for a catalogue entry
    Id {
        /// Kind of the entry
        kind: IdKind,
    },
    /// Check the catalogue in the settings, then make every running process use it
    Reload(Printing),
    /// Price a request with every variant: cover of a loan, or health cover of a family (with --members)
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
        /// Flags of a request for cover of a loan.
        #[command(flatten)]
        life: Box<CreditCover>,
        /// Flags of a request for health cover.
        #[command(flatten)]
        family: Box<HealthCover>,
    },
}

/// Request for cover of a loan.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cover of a loan")]
pub struct CreditCover {
    /// Day of birth of the borrower, DD/MM/YYYY
    #[arg(long, value_name = "DATE", required_unless_present = "members")]
    pub date_of_birth: Option<String>,
    /// Gender of the borrower: MALE or FEMALE
    #[arg(long, default_value = "MALE")]
    pub gender: String,
    /// Cover amount in rupees, such as 500000.00
    #[arg(long, value_name = "AMOUNT", required_unless_present = "members")]
    pub cover_amount: Option<String>,
    /// Term of the cover, in months
    #[arg(long, value_name = "MONTHS", required_unless_present = "members")]
    pub policy_term: Option<u32>,
    /// Loan amount in rupees, such as 500000
    #[arg(long, value_name = "AMOUNT")]
    pub loan_amount: Option<String>,
    /// Id of a rider; may be repeated
    #[arg(long, value_name = "ID")]
    pub rider: Vec<String>,
    /// Day of birth of a second insured person, DD/MM/YYYY
    #[arg(long, value_name = "DATE", requires = "joint_gender")]
    pub joint_date_of_birth: Option<String>,
    /// Gender of the second insured person: MALE or FEMALE
    #[arg(long, value_name = "GENDER", requires = "joint_date_of_birth")]
    pub joint_gender: Option<String>,
}

/// Request for health cover.
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
    /// Sum insured, in rupees [default: 1000000]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub sum_insured: Option<String>,
    /// Plan: base or super_top_up
    #[arg(long, value_name = "PLAN", default_value = "base")]
    pub plan: String,
    /// Deductible in rupees: amount that the family pays itself each year [default: none; for a super top-up,
    /// the variant's smallest deductible]
    #[arg(long, value_name = "AMOUNT", requires = "members")]
    pub deductible: Option<String>,
    /// Id of a pre-existing disease; may be repeated
    #[arg(long, value_name = "ID", requires = "members")]
    pub illness: Vec<String>,
    /// Instalments: yearly, half-yearly, quarterly or monthly [default: one payment]
    #[arg(long, value_name = "WORD", requires = "members")]
    pub instalments: Option<String>,
    /// Occupation of the borrower or a family member, such as LABOURER; may be repeated for a family
    #[arg(long, value_name = "WORD")]
    pub occupation: Vec<String>,
    /// The borrower, or somebody in the family, uses tobacco
    #[arg(long)]
    pub tobacco: bool,
}

/// The kinds of entries that have ids.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum IdKind {
    Insurer,
    Product,
    Variant,
}
