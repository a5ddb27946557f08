//! `covernote certify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::partner_access::{HiddenText, PartnerAccess};

/// `covernote certify`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 the integration keeps every rule, 1 it breaks a rule, or a required rule was not tested; otherwise the exit codes of every command. The check ends after --for, or at Ctrl-C."
)]
pub struct Certify {
    /// Address and port that the integration calls instead of the service
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090")]
    pub listen: String,
    /// Address at which the integration receives events, such as http://localhost:3000/hooks
    #[arg(long, value_name = "URL")]
    pub forward_to: String,
    /// Sign events with this secret, whsec_… [default: a new secret for this run, which is printed]
    #[arg(long, value_name = "SECRET")]
    pub secret: Option<HiddenText>,
    /// End the check after this time, such as 60s or 5m [default: at Ctrl-C]
    #[arg(long = "for", value_name = "TIME", value_parser = length)]
    pub length: Option<Duration>,
    /// Seed of the simulated failures: with the same seed, the same calls get the same failures
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Also write the report to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print JSON: the address that the integration must call on the first line, the report on the second
    /// line
    #[arg(long)]
    pub json: bool,
    /// Flags for the address of the service and the credentials of the test partner.
    #[command(flatten)]
    pub access: PartnerAccess,
}

/// Parses a duration: a whole number of seconds (`60s` or `60`) or minutes (`5m`).
fn length(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number: u32 = number.parse().map_err(|_| "must be a duration such as 60s or 5m".to_owned())?;
    Ok(Duration::from_secs(u64::from(number) * unit))
}
