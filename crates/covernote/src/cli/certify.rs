//! `covernote certify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::partner_access::{HiddenText, PartnerAccess};

/// `covernote certify`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 every rule is kept, 1 a rule is broken or was not seen, and those of every command. --for ends the check, and so does Ctrl-C."
)]
pub struct Certify {
    /// Address and port that the integration calls instead of the service
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090")]
    pub listen: String,
    /// Where the integration takes events, such as http://localhost:3000/hooks
    #[arg(long, value_name = "URL")]
    pub forward_to: String,
    /// Sign events with this secret, whsec_… [default: one that is made for this run, and shown]
    #[arg(long, value_name = "SECRET")]
    pub secret: Option<HiddenText>,
    /// End after this time, such as 60s or 5m [default: at Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = length)]
    pub length: Option<Duration>,
    /// Seed of the order of troubles: the same seed troubles the same calls in the same way
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Also write the report to this file as JUnit does
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print JSON: where the check listens on the first line, the report on the second
    #[arg(long)]
    pub json: bool,
    /// The service, and the test partner.
    #[command(flatten)]
    pub access: PartnerAccess,
}

/// A length of time: a whole number of seconds or minutes.
fn length(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number: u32 = number.parse().map_err(|_| "it is no time such as 60s or 5m".to_owned())?;
    Ok(Duration::from_secs(u64::from(number) * unit))
}
