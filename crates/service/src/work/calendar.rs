//! Events that a day of the calendar causes for a partner's policies: reminders, ends and lapses (D98).

use std::collections::BTreeSet;
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use domain::date::{Date, Timestamp, days_before, days_later};
use domain::event::EventType;
use domain::health_quote::PlanType;
use domain::id::{PartnerId, PolicyId};
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::statement::Month;
use rating::{Catalogue, HealthVariant};

use crate::error::Result;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::statement::StatementService;
use crate::storage::NewEvent;
use crate::storage::calendars::{CalendarMark, DayOfPolicy};

/// Policies whose events are saved in one transaction.
const AT_ONCE: usize = 100;

/// Number of the step of a day for policies that end. The steps for reminders come first: their numbers are
/// the days before the end.
const EXPIRED: u16 = 1000;
/// Number of the step of a day for policies that lapse.
const LAPSED: u16 = 1001;

/// Makes the events that the calendar causes for partners.
pub struct CalendarService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) statements: Arc<StatementService>,
}

impl CalendarService {
    /// Makes the calendar's events for every partner. Returns the number of events. An error for one partner
    /// does not stop the others.
    pub async fn tell_all(&self) -> u64 {
        let mut told = 0;
        for of in self.shared.directory.partner_ids() {
            match self.tell(of).await {
                Ok(count) => told += count,
                Err(fault) => {
                    tracing::warn!(partner.id = %of, "calendar events of partner {of} could not be created: {fault}");
                }
            }
        }
        told
    }

    /// Makes a partner's calendar events from the last call up to the partner's current day. Returns the
    /// number of events.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]. The next call continues from there.
    pub async fn tell(&self, of: PartnerId) -> Result<u64> {
        let today = self.shared.partner_clock.today(of);
        let Some(mut mark) = self.shared.storage.calendar(of).await? else {
            self.begin(of).await?;
            return Ok(0);
        };
        let mut told = self.tell_of_catalogue(of, &mut mark).await?;
        let steps = self.steps();
        let mut is_kept = true;
        loop {
            if mark.step.is_none() {
                match days_later(mark.day, 1).filter(|next| *next <= today) {
                    Some(next) => {
                        told += self.end_month(of, mark.day, next).await?;
                        (mark.day, mark.step) = (next, Some((0, None)));
                    }
                    None if is_kept => return Ok(told),
                    None => return self.keep(of, &mut mark, &[]).await.map(|_| told),
                }
            }
            let Some((step, after)) = mark.step else { continue };
            // Skip a step that the catalogue no longer has.
            let Some(step) = steps.iter().copied().find(|known| *known >= step) else {
                (mark.step, is_kept) = (None, false);
                continue;
            };
            let (events, last) = self.events_of(of, mark.day, step, after).await?;
            mark.step = Some(match last {
                Some(last) => (step, Some(last)),
                None => (step + 1, None),
            });
            if events.is_empty() && last.is_none() {
                // The step made no events, so it is recorded as done together with the next step.
                continue;
            }
            if !self.keep(of, &mut mark, &events).await? {
                return Ok(told);
            }
            is_kept = true;
            told += events.len() as u64;
        }
    }

    /// Begins a partner's calendar on its current day. Earlier days cause no events.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub(crate) async fn begin(&self, of: PartnerId) -> Result<()> {
        let assortment = Some(assortment(&self.shared.catalogues.running(), of));
        let mark =
            CalendarMark { day: self.shared.partner_clock.today(of), step: None, assortment, version: 1 };
        Ok(self.shared.storage.begin_calendar(of, &mark).await?)
    }

    /// Makes the statement of a test partner, if a month ends with this day on the partner's clock. For other
    /// partners, the operator makes statements. A second call for the same month makes no second statement.
    async fn end_month(&self, of: PartnerId, day: Date, next: Date) -> Result<u64> {
        let (ends, begins) = (Month::of(day), Month::of(next));
        if ends == begins || !self.shared.partner_clock.is_test(of) {
            return Ok(0);
        }
        let at = domain::date::start_of_day(next).unwrap_or_else(|| self.shared.partner_clock.now(of));
        Ok(self.statements.make_for_test(of, ends, at).await?.into())
    }

    async fn keep(&self, of: PartnerId, mark: &mut CalendarMark, events: &[NewEvent]) -> Result<bool> {
        let is_kept = self.shared.storage.tell_calendar(of, mark, events).await?;
        mark.version += 1;
        Ok(is_kept)
    }

    /// Steps of every day: one for each reminder of the running catalogue, then ends and lapses.
    fn steps(&self) -> BTreeSet<u16> {
        let running = self.shared.catalogues.running();
        let rules = running.products().filter_map(|product| product.renewals.as_ref());
        let mut steps: BTreeSet<u16> = rules.flat_map(|rules| rules.notice_days.iter().copied()).collect();
        steps.extend([EXPIRED, LAPSED]);
        steps
    }

    /// Events of one step of a day, for policies after `after`. Also returns the last policy that was read,
    /// if more policies may follow.
    async fn events_of(
        &self,
        of: PartnerId,
        day: Date,
        step: u16,
        after: Option<PolicyId>,
    ) -> Result<(Vec<NewEvent>, Option<PolicyId>)> {
        let sought = match step {
            EXPIRED => days_before(day, 1).map(DayOfPolicy::LastDay),
            LAPSED => days_before(day, 1).map(DayOfPolicy::RenewableUntil),
            notice => days_later(day, notice).map(DayOfPolicy::LastDay),
        };
        let Some(sought) = sought else { return Ok((Vec::new(), None)) };
        let found = self.shared.storage.policies_on(of, sought, after, AT_ONCE).await?;
        let last = found.last().map(|policy| policy.id).filter(|_| found.len() == AT_ONCE);
        let at = domain::date::start_of_day(day).unwrap_or_else(|| self.shared.partner_clock.now(of));
        let mut events = Vec::new();
        for policy in &found {
            let notices = match step {
                EXPIRED | LAPSED => Vec::new(),
                _ => self.notices(policy).await?,
            };
            events.extend(self.event_of(policy, step, &notices, at));
        }
        Ok((events, last))
    }

    fn event_of(&self, policy: &Policy, step: u16, notices: &[u16], at: Timestamp) -> Option<NewEvent> {
        use PolicyState::{Expired, Issued, Lapsed};
        let has_grace = policy.renewable_until.is_some_and(|until| until > policy.last_day());
        let make =
            |kind, states, left| Some(self.shared.events().of_calendar(kind, policy, states, left, at));
        match step {
            // A policy without days of grace lapses on the day when it ends.
            EXPIRED if policy.renewable_until.is_some() && !has_grace => None,
            EXPIRED => make(EventType::PolicyExpired, (Expired, Some(Issued)), None),
            LAPSED => {
                let before = if has_grace { Expired } else { Issued };
                make(EventType::PolicyLapsed, (Lapsed, Some(before)), None)
            }
            days if notices.contains(&days) => {
                make(EventType::PolicyRenewalDue, (policy.state, None), Some(days))
            }
            _ => None,
        }
    }

    /// Days before a policy's end on which its partner gets a reminder, by the product's rules.
    async fn notices(&self, policy: &Policy) -> Result<Vec<u16>> {
        if policy.renewable_until.is_none() {
            return Ok(Vec::new());
        }
        let covered = self.policies.covered_in_short(policy).await?;
        let product = self.policies.sold_as(&covered);
        let rules = product.and_then(|product| product.renewals.clone());
        Ok(rules.map(|rules| rules.notice_days.clone()).unwrap_or_default())
    }

    /// Makes an event if the plans that a partner may sell have changed since the last event.
    async fn tell_of_catalogue(&self, of: PartnerId, mark: &mut CalendarMark) -> Result<u64> {
        let catalogue = self.shared.catalogues.running();
        let now = assortment(&catalogue, of);
        // While processes run different catalogues, only those with the last announced catalogue make the
        // event.
        if mark.assortment == Some(now) || !self.shared.catalogues.is_newest().await? {
            return Ok(0);
        }
        let (credit_life, health) =
            (catalogue.credit_variants(of).len(), health_variants(&catalogue, of).count());
        let event =
            self.shared.events().of_catalogue(of, credit_life, health, self.shared.partner_clock.now(of));
        let told = mark.assortment.is_some();
        mark.assortment = Some(now);
        let events = if told { vec![event] } else { Vec::new() };
        if !self.keep(of, mark, &events).await? {
            return Ok(0);
        }
        Ok(events.len() as u64)
    }
}

/// Health variants of all plans that a partner may sell.
fn health_variants(catalogue: &Catalogue, of: PartnerId) -> impl Iterator<Item = &HealthVariant> {
    PlanType::ALL.iter().flat_map(move |plan| catalogue.health_variants(of, *plan))
}

/// Hash of the plans that a partner may sell. The hash changes if the plans or their names change.
fn assortment(catalogue: &Catalogue, of: PartnerId) -> [u8; 32] {
    let mut hash = Context::new(&SHA256);
    let credit_life = catalogue.credit_variants(of).map(|variant| (variant.id, variant.name.as_str()));
    let health = health_variants(catalogue, of).map(|variant| (variant.id, variant.name.as_str()));
    for (id, name) in credit_life.chain(health) {
        hash.update(id.uuid().as_bytes());
        hash.update(name.as_bytes());
        hash.update(&[0]);
    }
    hash.finish().as_ref().try_into().expect("SHA-256 is 32 bytes")
}
