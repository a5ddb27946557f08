//! `covernote listen`.

use clap::Args;

use super::partner_access::{HiddenText, PartnerAccess};

/// `covernote listen`
#[derive(Debug, Args)]
pub struct Listen {
    /// Address to which events are forwarded, such as http://localhost:3000/hooks
    #[arg(long, value_name = "URL")]
    pub forward_to: String,
    /// Forward only events of these types, separated by commas [default: every type]
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub types: Vec<String>,
    /// Sign events with this secret, whsec_… [default: a new secret for this run, which is printed]
    #[arg(long, value_name = "SECRET")]
    pub secret: Option<HiddenText>,
    /// Print one JSON object on each line
    #[arg(long)]
    pub json: bool,
    /// Flags for the address of the service and the credentials of the test partner.
    #[command(flatten)]
    pub access: PartnerAccess,
}
