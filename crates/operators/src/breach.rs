//! Whose records a breach concerns.

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

/// Write whose records a key, a partner or a period could open into a CSV file: each record with how its person is reached
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListBreach {
    /// A data key that was lost, by its number: it could open what was made before its end. A lost keyring opens everything
    #[arg(long, value_name = "NUMBER")]
    key: Option<u32>,
    /// Only records of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only records that were made on this day or later, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// Only records that were made on this day or before, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Why you need it, such as the number of the incident: it is kept in the audit trail
    #[arg(long)]
    reason: String,
    /// The file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    out: PathBuf,
}

impl ListBreach {
    async fn pages(&self, on: &On) -> Result<OpenedPages> {
        let day =
            |flag: &str, text: &Option<String>| text.as_deref().map(|text| read_day(flag, text)).transpose();
        let start = |day| start_of_day(day).ok_or_else(|| bad("The calendar ends before this day."));
        let from = day("--from", &self.from)?.map(start).transpose()?;
        let behind = |day| days_later(day, 1).ok_or_else(|| bad("The calendar ends with this day."));
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
        Ok(Some(Needed::new(format!("whose records a breach concerns: {scope}"))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(export::opened(self.pages(on).await?))
    }
}
