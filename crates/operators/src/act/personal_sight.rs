//! Sight of personal data: its reason, its limit and its entry in the audit trail (D143, D145).

use service::acting;

use crate::act::arguments::fault;
use crate::act::decide::{Who, decide_reveal};
use crate::act::input::input;
use crate::act::record::policy_id;
use crate::act::trail::is_id;
use crate::act::{Act, Needed, On, Result};

/// Fewest characters of a reason that an operator must give.
const SHORTEST_REASON: usize = 10;

input! {
    /// Sight of personal data
    struct SightAsked {
        /// Show personal data in full
        #[flag(requires = &["reason"])]
        personal: bool,
        /// Show only this kind of personal data in full, such as claimant; may be repeated
        #[flag(value = "KIND", requires = &["personal"])]
        only: Vec<String>,
        /// Why you need to see the personal data; recorded in the audit trail
        #[flag(requires = &["personal"])]
        reason: Option<String>,
    }
}

impl SightAsked {
    /// Why the operator needs to see personal data. `None` if none is to be shown.
    pub(crate) fn why(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    /// Kinds of personal data that are shown in full.
    ///
    /// # Errors
    /// If the record has no such kind.
    pub(crate) fn kinds(&self, of: &[&'static str]) -> Result<Vec<&'static str>> {
        if let Some(unknown) = self.only.iter().find(|only| !of.contains(&only.as_str())) {
            return Err(fault("only", format!("{unknown}: must be one of {}.", of.join(", "))));
        }
        let is_asked = |kind: &&str| self.only.is_empty() || self.only.iter().any(|only| only == kind);
        Ok(of.iter().copied().filter(is_asked).filter(|_| self.personal).collect())
    }
}

/// What an action shows of people.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PersonalSight {
    Nothing,
    /// Ids and masked names of the people behind an identifier.
    Search,
    /// Personal data.
    Revealed,
    /// A link or a secret.
    Secret,
}

impl PersonalSight {
    /// What an action shows.
    ///
    /// # Errors
    /// If the caller may not see personal data, or gave no reason.
    pub(crate) fn of<A: Act>(act: &A, on: &On) -> Result<Self> {
        let Some(reason) = act.reveals() else {
            return Ok(match (act.searches(), A::ABOUT.gives_secret) {
                (true, _) => PersonalSight::Search,
                (false, true) => PersonalSight::Secret,
                (false, false) => PersonalSight::Nothing,
            });
        };
        decide_reveal(&on.who)?;
        says_why(reason, "why you need personal data")?;
        Ok(PersonalSight::Revealed)
    }
}

/// Checks that a reason is not one repeated sign, and long enough. `why`: what it must say.
pub(crate) fn says_why(reason: &str, why: &str) -> Result<()> {
    let signs: Vec<char> = reason.chars().filter(|sign| !sign.is_whitespace()).collect();
    if reason.trim().chars().count() < SHORTEST_REASON || signs.iter().all(|sign| *sign == signs[0]) {
        return Err(fault("reason", format!("Must say in at least {SHORTEST_REASON} characters {why}.")));
    }
    Ok(())
}

impl On {
    /// Approval that an operator needs who has seen personal data as often as the setting `reveals_per_hour` allows.
    pub(crate) async fn beyond_limit(&self, sight: PersonalSight) -> Result<Option<Needed>> {
        if sight == PersonalSight::Nothing || matches!(self.who, Who::User(..)) || self.approved.is_some() {
            return Ok(None);
        }
        let seen = self.service.audit.reveals_of(&acting::current().actor().to_string()).await?;
        if seen < u64::from(self.reveals_per_hour) {
            return Ok(None);
        }
        let what = "sight of more personal data than the limit of an hour";
        Ok(Some(Needed::new(what).fact("limit_of_an_hour", self.reveals_per_hour)))
    }

    /// Records in the audit trail what the operator is about to see.
    pub(crate) async fn note_sight(&self, sight: PersonalSight, record: &str) -> Result<()> {
        let entry = match sight {
            PersonalSight::Nothing => return Ok(()),
            PersonalSight::Search => "personal.search",
            PersonalSight::Revealed => "personal.reveal",
            PersonalSight::Secret => "secret.show",
        };
        // The number of a policy stands for its id.
        let id = if is_id(record) { None } else { policy_id(self, record).await.ok() };
        let record = id.map_or_else(|| record.to_owned(), |id| id.to_string());
        Ok(self.service.audit.note(entry, &record).await?)
    }
}
