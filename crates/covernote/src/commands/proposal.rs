//! `covernote proposal`: commands on proposals, such as the operator's decision (D29).

use domain::credit_life::{CreditApplication, CreditLife, EmbeddedPolicy, EmbeddedProposal, ProposalStatus};
use domain::health_proposal::Health;
use domain::id::ProposalId;
use domain::line::LineOfBusiness;
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::proposal::Move;
use serde_json::{Value, json};
use service::Service;
use service::line::person::Facts;
use service::proposal::operator as proposal_list;
use service::proposal::operator::{AnyProposal, OperatorDecision};
use service::storage::ProposalLine;

use super::arguments::{read, read_id};
use super::moves::{history_in_prose, history_to_json};
use super::proposal_health::Shown;
use super::{export, facts, on_service, settings};
use crate::cli::{Proposal, ProposalVerb, Status, Verdict};
use crate::failure::{Failure, Result};
use crate::output;
use crate::settings::Settings;

pub(super) fn run(Proposal { verb, flags }: Proposal) -> Result<()> {
    let settings = settings(&flags)?;
    on_service(&flags, async |service| match verb {
        ProposalVerb::List { partner, status, most, json } => {
            let found =
                service.operator_proposals.list(partner.as_deref(), status.map(word_of), most).await?;
            list(&found, json);
            Ok(())
        }
        ProposalVerb::Export { export } => export::proposals(&service, &export).await,
        ProposalVerb::Show { id, personal, json } => {
            match service.operator_proposals.find(read_id("a proposal", &id)?).await? {
                AnyProposal::CreditLife(proposal, history) => {
                    let policy =
                        service.proposals.policy_of::<CreditLife>(proposal.partner, proposal.id).await?;
                    let facts = match personal {
                        true => Some(service.operator_proposals.facts_of(proposal.as_ref()).await?),
                        false => None,
                    };
                    if json {
                        output::json(&to_json(&proposal, &history, policy.as_ref(), facts.as_ref()))
                    } else {
                        show(&proposal, &history, policy.as_ref(), facts.as_ref())
                    }
                }
                AnyProposal::Health(proposal, history) => {
                    let policy = service.proposals.policy_of::<Health>(proposal.partner, proposal.id).await?;
                    let facts = match personal {
                        true => Some(service.operator_proposals.facts_of(proposal.as_ref()).await?),
                        false => None,
                    };
                    let policy = policy.as_ref();
                    let shown = Shown { proposal: &proposal, history: &history, policy, facts };
                    if json { output::json(&shown.to_json()) } else { shown.show() }
                }
            }
            Ok(())
        }
        ProposalVerb::StatusPage { id, end, json } => {
            status_page(&service, &settings, read_id("a proposal", &id)?, end, json).await
        }
        ProposalVerb::Decide { id, status, reason, insurer_number, json } => {
            let id = read_id("a proposal", &id)?;
            let reason = reason
                .as_deref()
                .map(str::trim)
                .filter(|reason| !reason.is_empty())
                .map(|reason| read("--reason", reason))
                .transpose()?;
            let verdict = verdict(status, reason, insurer_number.as_deref())?;
            let OperatorDecision { status, waits_for } =
                service.operator_proposals.decide(id, verdict).await?;
            if json {
                let mut decided = json!({ "proposal_id": id.to_string(), "status": status });
                if waits_for.is_some() {
                    decided["premium"] = "due".into();
                }
                output::json(&decided);
            }
            output::message(&match waits_for {
                None => format!("{id} is {status}"),
                Some(due) => format!("{id} is accepted and stays {status}. {due}"),
            });
            Ok(())
        }
    })
}

/// What is decided.
fn verdict(
    status: Verdict,
    reason: Option<PersonalLine>,
    insurer_number: Option<&str>,
) -> Result<proposal_list::Verdict> {
    let insurer_number: Option<PolicyNumber> =
        insurer_number.map(|text| read("--insurer-number", text)).transpose()?;
    match (status, insurer_number) {
        (Verdict::Completed | Verdict::Accepted, insurer_number) => {
            Ok(proposal_list::Verdict::Accept { reason, insurer_number })
        }
        (Verdict::Rejected, None) => Ok(proposal_list::Verdict::Reject { reason }),
        (Verdict::Rejected, Some(_)) => {
            Err(Failure::BadData("--insurer-number: a rejected proposal has no policy".into()))
        }
    }
}

/// Prints a new address of a health application's page, and ends those of before if asked to.
async fn status_page(
    service: &Service,
    settings: &Settings,
    id: ProposalId,
    end: bool,
    as_json: bool,
) -> Result<()> {
    let AnyProposal::Health(proposal, _) = service.operator_proposals.find(id).await? else {
        return Err(Failure::BadData(format!("{id}: only health applications have such a page")));
    };
    if proposal.application.journey().is_none() {
        return Err(Failure::BadData(format!("{id}: an imported application has no such page")));
    }
    if end {
        service.status_pages.end(proposal.partner, id).await?;
        output::message("every address of the page that was given out before has ended");
    }
    let site = match settings.journey_url.as_str() {
        "" => service.installation.base_url(),
        address => address.trim_end_matches('/'),
    };
    let address = format!("{site}/health/status/{}", service.status_pages.code(proposal.partner, id));
    if as_json {
        output::json(&json!({ "proposal_id": id.to_string(), "address": address, "ended": end }));
    } else {
        output::data(&address);
    }
    Ok(())
}

/// The contract's word of a status.
fn word_of(status: Status) -> &'static str {
    match status {
        Status::Draft => "DRAFT",
        Status::Pending => "PENDING",
        Status::Completed => "COMPLETED",
        Status::Rejected => "REJECTED",
        Status::Initiated => "INITIATED",
        Status::Submitted => "SUBMITTED",
        Status::Underwriting => "UNDERWRITING",
        Status::Cancelled => "CANCELLED",
        Status::Accepted => "ACCEPTED",
        Status::Offline => "OFFLINE",
    }
}

/// The word by which this program's output names a line of business.
fn family(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "embedded",
        LineOfBusiness::Health => "health",
    }
}

fn list(lines: &[ProposalLine], as_json: bool) {
    if as_json {
        let line = |line: &ProposalLine| {
            json!({
                "proposal_id": line.id.to_string(), "family": family(line.line), "partner_id": line.partner.to_string(), "status": line.status,
                "created_at": line.created_at.to_string(), "changed_at": line.changed_at.to_string(),
            })
        };
        output::json(&json!({ "proposals": lines.iter().map(line).collect::<Vec<_>>() }));
        return;
    }
    let row = |line: &ProposalLine| {
        vec![
            line.id.to_string(),
            family(line.line).into(),
            line.partner.to_string(),
            line.status.into(),
            line.created_at.to_string(),
            line.changed_at.to_string(),
        ]
    };
    output::table(
        &["proposal_id", "family", "partner_id", "status", "created", "changed"],
        lines.iter().map(row).collect(),
    );
}

fn show(
    proposal: &EmbeddedProposal,
    history: &[Move<ProposalStatus>],
    policy: Option<&EmbeddedPolicy>,
    facts: Option<&Facts>,
) {
    let CreditApplication { variant, request, .. } = &proposal.application;
    let mut lines = vec![
        format!("proposal_id  {}", proposal.id),
        format!("partner_id   {}", proposal.partner),
        format!("status       {}", proposal.status),
        format!("quote_id     {}", request.quote),
        format!("variant_id   {}", variant),
        format!(
            "premium      {} + {} tax = {}",
            proposal.premium.base(),
            proposal.premium.gst(),
            proposal.premium.total()
        ),
        format!("insured      {}", request.insured_members.len()),
        format!("nominees     {}", request.nominees.len()),
    ];
    if let Some(policy) = policy {
        lines.push(format!(
            "policy       {}, cover {} to {}",
            policy.number, policy.cover.period.starts, policy.cover.period.ends
        ));
        if let Some(number) = &policy.insurer_number {
            lines.push(format!("insurer's no. {number}"));
        }
    }
    lines.extend(facts.iter().flat_map(|facts| facts::in_prose(facts, 0)));
    lines.push("history".into());
    lines.extend(history_in_prose(history));
    output::data(&lines.join("\n"));
}

fn to_json(
    proposal: &EmbeddedProposal,
    history: &[Move<ProposalStatus>],
    policy: Option<&EmbeddedPolicy>,
    facts: Option<&Facts>,
) -> Value {
    let CreditApplication { variant, request, .. } = &proposal.application;
    json!({
        "proposal_id": proposal.id.to_string(),
        "family": "embedded",
        "partner_id": proposal.partner.to_string(),
        "status": proposal.status.word(),
        "quote_id": request.quote.to_string(),
        "recommendation_id": request.recommendation.to_string(),
        "variant_id": variant.to_string(),
        "base_premium": proposal.premium.base().to_string(),
        "gst": proposal.premium.gst().to_string(),
        "total_premium": proposal.premium.total().to_string(),
        "created_at": proposal.created_at.to_string(),
        "changed_at": proposal.changed_at.to_string(),
        "policy": policy.map(|policy| json!({
            "policy_id": policy.id.to_string(), "policy_number": policy.number.as_str(),
            "insurer_policy_number": policy.insurer_number.as_ref().map(ToString::to_string),
            "cover_starts": policy.cover.period.starts.to_string(), "cover_ends": policy.cover.period.ends.to_string(),
            "issued_at": policy.issued_at.to_string(),
        })),
        "application": facts.map(facts::to_json),
        "history": history_to_json(history),
    })
}
