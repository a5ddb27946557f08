//! `covernote partner`.

use clap::{Args, Subcommand};

use super::Flags;

/// `covernote partner`
#[derive(Debug, Args)]
pub struct Partner {
    /// The command.
    #[command(subcommand)]
    pub verb: PartnerVerb,
    /// Flags for the store.
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
        /// Make it a test partner: it has a sandbox, nothing that it does reaches an insurer, and nobody is insured by it
        #[arg(long = "test")]
        is_test: bool,
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
