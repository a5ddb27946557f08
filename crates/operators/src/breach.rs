//! The records that a data breach may have exposed.

use std::path::{Path, PathBuf};

use clap::Args;
use domain::date::{days_later, start_of_day};
use serde::{Deserialize, Serialize};
use service::person::breach::{BreachScope, OpenedPages};
use utoipa::ToSchema;

use crate::act::{About, Act, Needed, On, Result, Role, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read_day};
use crate::export;

verbs! {
    /// Verbs of `covernote breach`
    BreachVerb {
        List(ListBreach),
    }
}

/// Write the records that a data breach may have exposed into a CSV file, with each person's contact data and
/// identifiers
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListBreach {
    /// Number of the data key that was lost: only records made before this key was retired. If the keyring
    /// was lost, omit --key
    #[arg(long, value_name = "NUMBER")]
    key: Option<u32>,
    /// Only records of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only records made on this day or later, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// Only records made on this day or earlier, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Why you need the records, such as the incident's number; recorded in the audit trail
    #[arg(long)]
    reason: String,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    out: PathBuf,
}

impl ListBreach {
    async fn pages(&self, on: &On) -> Result<OpenedPages> {
        let day =
            |flag: &str, text: &Option<String>| text.as_deref().map(|text| read_day(flag, text)).transpose();
        let start = |day| start_of_day(day).ok_or_else(|| bad("This day is outside the supported calendar."));
        let from = day("--from", &self.from)?.map(start).transpose()?;
        let behind =
            |day| days_later(day, 1).ok_or_else(|| bad("This day is outside the supported calendar."));
        let until = day("--until", &self.until)?.map(behind).transpose()?.map(start).transpose()?;
        let partner = match &self.partner {
            Some(named) => Some(on.service.partners.find(named).await?.partner.id),
            None => None,
        };
        let persons = on.service.persons.clone();
        Ok(persons.opened_by(BreachScope { key: self.key, partner, from, until }).await?)
    }
}

impl Act for ListBreach {
    const ABOUT: About = post("breach.list", "/breaches/records", &[Role::Compliance]).giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        let scope = [
            self.key.map(|key| format!("key {key}")),
            self.partner.clone().map(|partner| format!("partner {partner}")),
            self.from.clone().map(|from| format!("from {from}")),
            self.until.clone().map(|until| format!("until {until}")),
        ];
        let scope: Vec<String> = scope.into_iter().flatten().collect();
        let scope = if scope.is_empty() { "everything".to_owned() } else { scope.join(", ") };
        Ok(Some(Needed::new(format!("the list of records that a breach concerns: {scope}"))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(export::opened(self.pages(on).await?))
    }
}
