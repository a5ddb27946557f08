//! Renewals of policies (D91).

use domain::date::Date;
use domain::id::ProposalId;
use domain::money::Rupees;
use domain::proposal::Actor;
use service::proposal::renewal::{RenewalDue, RenewalQuote};
use web::api::RenewalQuoteShown;

use crate::act::answer::Done;
use crate::act::fields::{PartnerName, PolicyName};
use crate::act::input::input;
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::{POLICY_READERS, PolicyOfPartner, policy_id};
use crate::act::shown::{Api, answer};
use crate::act::{About, Act, Allowed, On, Result, Role, get, post};

input! {
    /// List health policies that are due for renewal, earliest end first
    struct ListDuePolicies {
        /// Only policies of this partner: partner_id or client_id
        partner: Option<PartnerName>,
        /// Only policies that end within this many days [default: policies that can be renewed today]
        #[flag(value = "DAYS")]
        within: Option<u16>,
        /// Also show the premium of the policy and of its renewal today
        prices: bool,
    } with {
        page: PageAsked,
    }
}

impl Act for ListDuePolicies {
    const ABOUT: About = get("policy.due", "/renewals", POLICY_READERS);

    type Answer = Done<DuePolicies>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let of = self.partner.as_ref().map(|partner| partner.0.as_str());
        let due = on.service.renewals.due_of_partners(of, self.within, self.page.reach()).await?;
        let Listed { records: due, page } = self.page.of(due, |one| one.shown.policy.id.to_string())?;
        let mut policies = Vec::new();
        for due in &due {
            let mut shown = DuePolicy::of(on, due);
            if self.prices {
                shown.premium_before = Some(due.shown.policy.sold_terms().premium.total());
                let policy = &due.shown.policy;
                let quote = on.service.renewals.quote(policy.partner, policy.id, None).await;
                shown.premium_now = quote.ok().map(|quote| quote.premium.total());
            }
            policies.push(shown);
        }
        Ok(Done::of(DuePolicies { policies }).listing(page, due.len()))
    }
}

input! {
    /// Make a proposal that renews a policy; --quote only prints the premium
    struct RenewPolicy {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Years of cover [default: the years of the policy to renew]
        #[flag(value = "YEARS")]
        years: Option<u8>,
        /// Change nothing; print the premium step by step
        #[flag(is_preview = true)]
        quote: bool,
    }
}

impl Act for RenewPolicy {
    const ABOUT: About = post("policy.renew", "/policies/{id}/renewal", &[Role::Underwriting, Role::Support]);

    type Answer = Done<RenewalMade>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let id = policy_id(on, record).await?;
        let of = on.service.policies.owner(id).await?;
        Ok(Allowed::if_so(on.service.renewals.quote(of, id, None).await.is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(renewal(&on.service.renewals.quote(of, id, self.years).await?, None));
        }
        let draft = on.service.renewals.request(of, id, self.years, None, Actor::Operator).await?;
        let (quote, proposal) = (draft.quote.clone(), draft.proposal);
        on.service.renewals.keep(draft, None).await?.saved()?;
        Ok(renewal(&quote, Some(proposal)).saying(format!("{proposal} renews {id}")))
    }
}

/// Answer with the premium of a renewal. `proposal`: id of the proposal that was made, or `None` for a quote
/// only.
fn renewal(quote: &RenewalQuote, proposal: Option<ProposalId>) -> Done<RenewalMade> {
    let done = Done::of(RenewalMade { proposal_id: proposal, quote: Api(RenewalQuoteShown::of(quote)) });
    match quote.days_without_cover {
        0 => done,
        days => done.saying(format!("There is no cover for {days} days before the new cover starts.")),
    }
}

answer! {
    /// A renewal, or the quote of one
    struct RenewalMade {
        /// Proposal that renews the policy; null: nothing was changed
        proposal_id: Option<ProposalId>,
    } with {
        quote: Api<RenewalQuoteShown>,
    }
}

answer! {
    /// Policies that are due for renewal
    struct DuePolicies {
        /// Policies, earliest end first
        #[shown(columns = ["policy_id", "insured", "partner_name", "insurer", "status", "cover_ends", "renewable_until", "notice", "premium_before", "premium_now"])]
        policies: Vec<DuePolicy>,
    }
}

answer! {
    /// A policy that is due for renewal
    struct DuePolicy {
        /// First day on which it can be renewed
        renewable_from: Option<Date>,
        /// Last day on which it can be renewed
        renewable_until: Date,
        /// Days before the end of the cover at which the last notice was sent
        notice: Option<u16>,
        /// Premium of the policy
        #[shown(label = "premium")]
        premium_before: Option<Rupees>,
        /// Premium of a renewal today
        #[shown(label = "renewal today")]
        premium_now: Option<Rupees>,
    } with {
        policy: PolicyOfPartner,
    }
}

impl DuePolicy {
    fn of(on: &On, due: &RenewalDue) -> Self {
        DuePolicy {
            renewable_from: due.from,
            renewable_until: due.until,
            notice: due.notice,
            premium_before: None,
            premium_now: None,
            policy: PolicyOfPartner::of(on, &due.shown),
        }
    }
}
