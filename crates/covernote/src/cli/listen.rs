//! `covernote listen`.

use clap::Args;

use super::partner_access::{HiddenText, PartnerAccess};

/// `covernote listen`
#[derive(Debug, Args)]
pub struct Listen {
    /// Where events are sent to, such as http://localhost:3000/hooks
    #[arg(long, value_name = "URL")]
    pub forward_to: String,
    /// Only events of these types, with commas between [default: every type]
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub types: Vec<String>,
    /// Sign with this secret, whsec_… [default: one that is made for this run, and shown]
    #[arg(long, value_name = "SECRET")]
    pub secret: Option<HiddenText>,
    /// Print one JSON object on each line
    #[arg(long)]
    pub json: bool,
    /// The service, and the test partner.
    #[command(flatten)]
    pub access: PartnerAccess,
}
