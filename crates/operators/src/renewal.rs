//! Renewals of policies (D91).

use clap::Args;
use domain::proposal::Actor;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::on_any_policy;
use service::proposal::renewal::{RenewalDue, RenewalQuote};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, On, Result, Role, get, post};
use crate::answer::Answer;
use crate::record::{POLICY_READERS, masked_names, partner_name, policy_id, policy_in_short};

/// List health policies that are due for renewal, earliest end first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDuePolicies {
    /// Only policies of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only policies that end within this many days [default: policies that can be renewed today]
    #[arg(long, value_name = "DAYS")]
    within: Option<u16>,
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListDuePolicies {
    const ABOUT: About = get("policy.due", "/renewals", POLICY_READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list_due(
            on,
            &on.service.renewals.due_of_partners(self.partner.as_deref(), self.within, self.most).await?,
        ))
    }
}

/// Make a proposal that renews a policy; --quote only prints the premium
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenewPolicy {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Years of cover [default: the years of the policy to renew]
    #[arg(long, value_name = "YEARS")]
    years: Option<u8>,
    /// Change nothing; print the premium step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for RenewPolicy {
    const ABOUT: About = post("policy.renew", "/policies/{id}/renewal", &[Role::Underwriting, Role::Support]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(renewal(&on.service.renewals.quote(of, id, self.years).await?, None));
        }
        let draft = on.service.renewals.request(of, id, self.years, None, Actor::Operator).await?;
        let (quote, proposal) = (draft.quote.clone(), draft.proposal.to_string());
        on.service.renewals.keep(draft, None).await?.replayed();
        Ok(renewal(&quote, Some(&proposal)).saying(format!("{proposal} renews {id}")))
    }
}

fn list_due(on: &On, due: &[RenewalDue]) -> Answer {
    let one = |due: &RenewalDue| {
        let mut printed = policy_in_short(on, &due.shown);
        printed["renewable_from"] = due.from.map(|day| day.to_string()).into();
        printed["renewable_until"] = due.until.to_string().into();
        printed["notice"] = due.notice.into();
        printed
    };
    let json = json!({ "policies": due.iter().map(one).collect::<Vec<_>>() });
    let row = |due: &RenewalDue| {
        let (partner, ends) =
            on_any_policy!(&due.shown.policy, policy => (policy.partner, policy.last_day()));
        vec![
            due.shown.policy.id().to_string(),
            masked_names(&due.shown).join(", "),
            partner_name(on, partner),
            due.shown.covered.insurer.clone(),
            due.shown.state().to_string(),
            ends.to_string(),
            due.until.to_string(),
            due.notice.map(|days| days.to_string()).unwrap_or_default(),
        ]
    };
    Answer::of(json).table(
        &["policy_id", "insured", "partner", "insurer", "status", "ends", "renewable until", "notice"],
        due.iter().map(row),
    )
}

/// Answer with the premium of a renewal. `proposal`: id of the proposal that was made, or `None` for a quote
/// only.
fn renewal(quote: &RenewalQuote, proposal: Option<&str>) -> Answer {
    let premium = quote.premium;
    let mut json = shown::renewal_quote(quote);
    if let Some(proposal) = proposal {
        json["proposal_id"] = proposal.into();
    }
    let mut answer = Answer::of(json).steps(&quote.steps);
    let waiting = quote.waiting;
    answer.data(format!(
        "\npremium {} for cover from {} to {}; the premium before was {}. Covered since {}: {} of {} months of the waiting period are served. Can be renewed until {}.",
        premium.total().grouped_with_paise(),
        quote.period.starts,
        quote.period.ends,
        quote.before.total().grouped_with_paise(),
        quote.covered_since,
        waiting.served,
        waiting.months,
        quote.until,
    ));
    if quote.days_without_cover > 0 {
        answer.data(format!(
            "There is no cover for {} days before the new cover starts.",
            quote.days_without_cover
        ));
    }
    answer
}
