//! The records that a data breach may have exposed.

use domain::date::{Date, days_later, start_of_day};
use service::person::breach::{BreachScope, OpenedPages};

use crate::act::answer::Download;
use crate::act::arguments::bad;
use crate::act::fields::PartnerName;
use crate::act::input::input;
use crate::act::{About, Act, Needed, On, Result, Role, post};
use crate::export;

input! {
    /// Write the records that a data breach may have exposed into a CSV file, with each person's contact data and
    /// identifiers
    struct ListBreach {
        /// Number of the data key that was lost: only records made before this key was retired. If the keyring
        /// was lost, omit --key
        #[flag(value = "NUMBER")]
        key: Option<u32>,
        /// Only records of this partner: partner_id or client_id
        partner: Option<PartnerName>,
        /// Only records made on this day or later, YYYY-MM-DD
        from: Option<Date>,
        /// Only records made on this day or earlier, YYYY-MM-DD
        until: Option<Date>,
        /// Why you need the records, such as the incident's number; recorded in the audit trail
        reason: String,
    }
}

impl ListBreach {
    async fn pages(&self, on: &On) -> Result<OpenedPages> {
        let start = |day| start_of_day(day).ok_or_else(|| bad("This day is outside the supported calendar."));
        let from = self.from.map(start).transpose()?;
        let behind =
            |day| days_later(day, 1).ok_or_else(|| bad("This day is outside the supported calendar."));
        let until = self.until.map(behind).transpose()?.map(start).transpose()?;
        let until = until.into_iter().chain(on.exports_until()).min();
        let partner = match &self.partner {
            Some(named) => Some(named.find(on).await?),
            None => None,
        };
        let persons = on.service.persons.clone();
        Ok(persons.opened_by(BreachScope { key: self.key, partner, from, until }).await?)
    }
}

impl Act for ListBreach {
    const ABOUT: About = post("breach.list", "/breaches/records", &[Role::Compliance]).giving_file();

    type Answer = Download;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        let scope = [
            self.key.map(|key| format!("key {key}")),
            self.partner.as_ref().map(|partner| format!("partner {}", partner.0)),
            self.from.map(|from| format!("from {from}")),
            self.until.map(|until| format!("until {until}")),
        ];
        let scope: Vec<String> = scope.into_iter().flatten().collect();
        let scope = if scope.is_empty() { "everything".to_owned() } else { scope.join(", ") };
        Ok(Some(Needed::new(format!("the list of records that a breach concerns: {scope}"))))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        Ok(export::opened(self.pages(on).await?))
    }
}
