//! Flags of commands that call a running service as a partner.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use clap::Args;

/// Address of the service, and credentials of the partner.
#[derive(Debug, Clone, Args)]
pub struct PartnerAccess {
    /// Address of the service
    #[arg(long, value_name = "URL", visible_alias = "upstream", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// The partner's client_id [default: the variable CLIENT_ID]
    #[arg(long, value_name = "ID", visible_alias = "partner")]
    pub client_id: Option<String>,
    /// The partner's client_secret [default: the variable CLIENT_SECRET, which other users of the machine
    /// cannot see]
    #[arg(long, value_name = "SECRET")]
    pub client_secret: Option<HiddenText>,
}

/// Text that `Debug` does not print, such as a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct HiddenText(pub String);

impl FromStr for HiddenText {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(HiddenText(text.to_owned()))
    }
}

impl fmt::Debug for HiddenText {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("HiddenText(…)")
    }
}
