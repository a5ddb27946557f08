//! `covernote trigger`.

use clap::Args;

use super::partner_access::PartnerAccess;

/// `covernote trigger`
#[derive(Debug, Args)]
pub struct Trigger {
    /// The type of the event, such as policy.issued
    #[arg(value_name = "EVENT", required_unless_present = "list")]
    pub event: Option<String>,
    /// List the types of events
    #[arg(long, conflicts_with = "event")]
    pub list: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Flags for the address of the service and the credentials of the test partner.
    #[command(flatten)]
    pub access: PartnerAccess,
}
