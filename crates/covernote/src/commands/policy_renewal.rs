//! `covernote policy due|renew`: policies that are due to be renewed, and their renewal (D91).

use domain::id::PolicyId;
use domain::proposal::Actor;
use serde_json::json;
use service::Service;
use service::on_any_policy;
use service::proposal::renewal::{RenewalDue, RenewalQuote};
use web::api::shown;

use super::policy_view::{print_steps, to_json};
use crate::failure::Result;
use crate::output;

pub(super) fn list(due: &[RenewalDue], as_json: bool) {
    if as_json {
        let one = |due: &RenewalDue| {
            let mut printed = to_json(&due.shown);
            printed["renewable_from"] = due.from.map(|day| day.to_string()).into();
            printed["renewable_until"] = due.until.to_string().into();
            printed["notice"] = due.notice.into();
            printed
        };
        output::json(&json!({ "policies": due.iter().map(one).collect::<Vec<_>>() }));
        return;
    }
    let row = |due: &RenewalDue| {
        let (partner, ends) =
            on_any_policy!(&due.shown.policy, policy => (policy.partner, policy.last_day()));
        vec![
            due.shown.policy.id().to_string(),
            partner.to_string(),
            due.shown.covered.insurer.clone(),
            due.shown.state().to_string(),
            ends.to_string(),
            due.until.to_string(),
            due.notice.map(|days| days.to_string()).unwrap_or_default(),
        ]
    };
    output::table(
        &["policy_id", "partner", "insurer", "status", "ends", "renewable until", "notice"],
        due.iter().map(row).collect(),
    );
}

/// Makes a renewal's proposal, or only says what it would cost.
///
/// # Errors
/// Why it cannot be renewed.
pub(super) async fn renew(
    service: &Service,
    id: PolicyId,
    years: Option<u8>,
    only_quote: bool,
    as_json: bool,
) -> Result<()> {
    let of = service.policies.owner(id).await?;
    if only_quote {
        print(&service.renewals.quote(of, id, years).await?, None, as_json);
        return Ok(());
    }
    let draft = service.renewals.request(of, id, years, None, Actor::Operator).await?;
    let (quote, proposal) = (draft.quote.clone(), draft.proposal.to_string());
    service.renewals.keep(draft, None).await?.replayed();
    print(&quote, Some(&proposal), as_json);
    output::message(&format!("{proposal} renews {id}"));
    Ok(())
}

fn print(quote: &RenewalQuote, proposal: Option<&str>, as_json: bool) {
    let premium = quote.premium;
    if as_json {
        let mut printed = shown::renewal_quote(quote);
        if let Some(proposal) = proposal {
            printed["proposal_id"] = proposal.into();
        }
        output::json(&printed);
        return;
    }
    if !quote.steps.is_empty() {
        print_steps(&quote.steps);
    }
    let waiting = quote.waiting;
    output::data(&format!(
        "\n{} for cover from {} to {}; {} before. Covered since {}: {} of {} months of waiting are served. To be renewed until {}.",
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
        output::data(&format!("Nobody is covered for {} days before it.", quote.days_without_cover));
    }
}
