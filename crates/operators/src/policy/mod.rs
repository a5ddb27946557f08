//! Actions that read policies. Actions that change policies have their own files.
//!
//! Uses `act`, `export`.

pub(crate) mod cancellation;
pub(crate) mod endorsement;
pub(crate) mod refund;
pub(crate) mod renewal;

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use domain::endorsement::Endorsement;
use domain::policy_state::PolicyState;
use service::line::person::Facts;
use service::policy::{PolicyShown, PolicySought, PolicyView};
use web::api::PolicyDetail;
use web::sight::{Masked, Sight};

use crate::act::answer::{Done, Download};
use crate::act::facts::add_facts;
use crate::act::fields::{CustomerIdentifier, PartnerName, PolicyName};
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::personal_sight::SightAsked;
use crate::act::record::{OfPartner, POLICY_READERS, PolicyOfPartner, insured, policy_id};
use crate::act::shown::{Api, Shown, answer, words};
use crate::act::{About, Act, Needed, On, Result, Role, get, post};
use crate::export::{self, ExportAsk};

texts!(PolicyState);
words!(PolicyState);

input! {
    /// List policies, newest first
    struct ListPolicies {
        /// Only policies of this partner: partner_id or client_id
        partner: Option<PartnerName>,
        /// Only policies with this status today; CANCELLATION_REQUESTED may need your decision
        status: Option<PolicyState>,
    } with {
        sight: SightAsked,
        page: PageAsked,
    }
}

impl Act for ListPolicies {
    const ABOUT: About = get("policy.list", "/policies", POLICY_READERS);

    const PERSONAL: &'static [&'static str] = PERSONAL;

    type Answer = Done<Policies>;

    fn reveals(&self) -> Option<&str> {
        self.sight.why()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let kinds = self.sight.kinds(PERSONAL)?;
        let partner = self.partner.as_ref().map(|partner| partner.0.as_str());
        let (after, most) = (self.page.after()?, self.page.and_one());
        let (found, count) = on.service.policies.page_of_partners(partner, self.status, after, most).await?;
        let Listed { records, page } =
            self.page.begin_of(found, count as usize, |one| one.policy.id.to_string());
        Ok(list(on, &records, &Sight::Revealed(&kinds)).listing(page, records.len()))
    }
}

input! {
    /// Find policies by an exact number, mobile number, e-mail address, PAN or reference
    struct FindPolicies {
        /// Only policies of this partner: partner_id or client_id
        partner: Option<PartnerName>,
    } with {
        page: PageAsked,
        by: FindBy,
    }
}

impl Act for FindPolicies {
    const ABOUT: About = post("policy.find", "/policies/search", POLICY_READERS).showing_persons();

    type Answer = Done<Policies>;

    fn searches(&self) -> bool {
        self.by.customer.is_of_person()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let partner = self.partner.as_ref().map(|partner| partner.0.as_str());
        let found = on.service.policies.find_by(partner, &sought(self.by), self.page.reach()).await?;
        let Listed { records: found, page } = self.page.of(found, |one| one.policy.id.to_string())?;
        let done = list(on, &found, &Sight::Masked).listing(page, found.len());
        Ok(if found.is_empty() { done.saying("No policy matches.") } else { done })
    }
}

input! {
    /// Write policies into a CSV file, newest first; names and dates of birth only with --personal
    struct ExportPolicies {
        /// Also write names and dates of birth of the insured persons
        #[flag(requires = &["reason"])]
        personal: bool,
        /// Why you need the personal data; recorded in the audit trail
        #[flag(requires = &["personal"])]
        reason: Option<String>,
    } with {
        export: ExportAsk,
    }
}

impl Act for ExportPolicies {
    const ABOUT: About =
        get("policy.export", "/policies.csv", &[Role::Compliance, Role::Accounts]).giving_file();

    type Answer = Download;

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        Ok(self.personal.then(|| Needed::new("policies with names and dates of birth")))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (days, of) = self.export.read(on).await?;
        let until = on.exports_until();
        let left_out = match until {
            Some(at) => export::policies_after(&on.service, &of, days, at).await?,
            None => 0,
        };
        Ok(export::policies(on.service.clone(), of, days, until, self.personal).without_later(left_out))
    }
}

input! {
    /// Show a policy with its history, claims and cancellation; without --personal, names and the partner's
    /// reference are shortened
    struct ShowPolicy {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
    } with {
        sight: SightAsked,
    }
}

impl Act for ShowPolicy {
    const ABOUT: About = get("policy.show", "/policies/{id}", POLICY_READERS);

    const PERSONAL: &'static [&'static str] = PERSONAL;

    type Answer = Done<PolicyInFull>;

    fn reveals(&self) -> Option<&str> {
        self.sight.why()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let of = on.service.policies.owner(id).await?;
        let view = on.service.policies.view(of, id).await?;
        let kinds = self.sight.kinds(PERSONAL)?;
        Ok(Done::of(PolicyInFull::of(on, &view, &Sight::Revealed(&kinds)).await?))
    }
}

input! {
    /// Write a certificate of a policy into a file: the newest certificate, or one that an endorsement replaced
    struct PolicyCertificate {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Number of the certificate, where 1 is the first [default: the newest]
        #[flag(is_positional = true)]
        nth: Option<u32>,
        /// Why you need the certificate; recorded in the audit trail
        reason: String,
    }
}

impl Act for PolicyCertificate {
    const ABOUT: About = get(
        "policy.certificate",
        "/policies/{id}/certificate",
        &[Role::Support, Role::Underwriting, Role::Claims, Role::Compliance],
    )
    .giving_file();

    type Answer = Download;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id.find(on).await?;
        let bytes = match self.nth {
            Some(nth) => on.service.endorsements.replaced_certificate(id, nth).await?.1,
            None => on.service.documents.newest(on.service.policies.owner(id).await?, id).await?,
        };
        Ok(Download::of("application/pdf", Some(bytes.len() as u64), Body::from(bytes)))
    }
}

input! {
    /// Number or identifier to find; give exactly one
    struct FindBy {
        /// The number on the certificate, or the insurer's number
        #[flag(one_of = "identifier")]
        number: Option<String>,
    } with {
        customer: CustomerIdentifier,
    }
}

/// The number or identifier to find.
fn sought(by: FindBy) -> PolicySought {
    let FindBy { number, customer } = by;
    match customer.identifier() {
        Some(identifier) => PolicySought::Known(identifier),
        None => PolicySought::Number(number.unwrap_or_default().trim().to_owned()),
    }
}

/// The policy with this id or number, as it is today.
pub(crate) async fn standing(on: &On, named: &str) -> Result<PolicyShown> {
    let id = policy_id(on, named).await?;
    Ok(on.service.policies.view(on.service.policies.owner(id).await?, id).await?.shown)
}

fn list(on: &On, policies: &[PolicyShown], sight: &Sight<'_>) -> Done<Policies> {
    let seen = |shown| PolicyOfPartner::seen(on, shown, sight);
    Done::of(Policies { policies: policies.iter().map(seen).collect() })
}

answer! {
    /// Policies of a list
    struct Policies {
        /// Policies, in the order of the list
        #[shown(columns = ["policy_id", "policy_number", "status", "insured", "insurer", "product", "premium.total", "cover_ends", "partner_name", "reference"])]
        policies: Vec<PolicyOfPartner>,
    }
}

answer! {
    /// A policy
    struct PolicyInFull {
        /// Names of the insured persons
        insured: Vec<Masked>,
        /// The application after all endorsements, with nominees and contact. Only --personal shows it
        in_force: Option<Facts>,
        /// Values that endorsements changed, oldest first
        #[shown(columns = ["endorsement", "kind", "name", "before", "after"])]
        changes: Vec<ValueChanged>,
    } with {
        policy: Api<PolicyDetail>,
        of: OfPartner,
    }
}

answer! {
    /// A value that an endorsement changed
    struct ValueChanged {
        /// Number of the endorsement
        endorsement: u16,
        /// Kind of the endorsement
        kind: &'static str,
        /// Name of the value
        name: String,
        /// Value before the endorsement; empty: there was none
        before: Masked,
        /// Value after the endorsement; empty: there is none
        after: Masked,
    }
}

/// Values that differ between facts before and after an endorsement.
fn changed(made: &Endorsement, before: &Facts, after: &Facts, sight: &Sight<'_>) -> Vec<ValueChanged> {
    let [before, after] = [before, after].map(|facts| {
        let mut values = Vec::new();
        add_facts(&mut values, "", &facts.json());
        BTreeMap::from_iter(values)
    });
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let value = |of: Option<&String>| sight.any("members", of.map_or("", String::as_str));
    differs
        .map(|name| ValueChanged {
            endorsement: made.number,
            kind: made.change.kind().word(),
            name: name.clone(),
            before: value(before.get(name)),
            after: value(after.get(name)),
        })
        .collect()
}

/// Personal fields of a policy.
pub(crate) const PERSONAL: &[&str] = &["members", "papers", "reference", "reason"];

impl PolicyInFull {
    /// The policy, as the receiver may see it.
    pub(crate) async fn of(on: &On, view: &PolicyView, sight: &Sight<'_>) -> Result<Self> {
        let policy = &view.shown.policy;
        let mut facts = on.service.operator_proposals.facts_of_policy(policy).await?;
        let steps = policy.made_endorsements().zip(facts.windows(2));
        let changes = steps.flat_map(|(made, states)| changed(made, &states[0], &states[1], sight)).collect();
        Ok(PolicyInFull {
            insured: insured(&view.shown, sight),
            in_force: facts.pop().filter(|_| sight.shows("members")),
            changes,
            policy: Api(PolicyDetail::of(view, sight)),
            of: OfPartner::of(on, view.shown.policy.partner),
        })
    }
}
