//! `covernote claim`: claims as their operator sees them and notes what insurers decide (D81 to D83).

use std::io::Write;
use std::path::Path;

use domain::claim::{Claim as MadeClaim, ClaimDocument, ClaimState, WaivedPaper};
use domain::id::{ClaimDocumentId, ClaimId};
use domain::proposal::Actor;
use serde_json::{Value, json};
use service::Service;
use service::claim::settlement::{ClaimPaid, ClaimVerdict};
use service::claim::{ClaimShown, ClaimView};
use service::policy::claim_cover::ClaimCover;
use web::api::shown;

use super::arguments::{read, read_amount, read_id};
use super::policy::minute;
use super::record::for_operator;
use super::refund::read_payment;
use super::{new_file, on_service};
use crate::cli::{Claim, ClaimStatus, ClaimVerb};
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(Claim { verb, flags }: Claim) -> Result<()> {
    on_service(&flags, async |service| match verb {
        ClaimVerb::List { all, partner, most, json } => {
            let found = match all {
                true => service.claims.of_partners(partner.as_deref(), most).await?,
                false => service.claims.open(most).await?,
            };
            list(&found, json);
            Ok(())
        }
        ClaimVerb::Show { id, personal, json } => {
            let id = read_id("a claim", &id)?;
            let of = service.claims.owner(id).await?;
            let view = service.claims.view(of, id).await?;
            let papers = service.claim_papers.list(of, id).await?;
            let cover = service.claims.cover(&view.shown.claim).await?;
            if json {
                output::json(&view_to_json(&view, &cover, &papers, personal));
            } else {
                show(&view, &cover, &papers, personal);
            }
            Ok(())
        }
        ClaimVerb::Decide { id, status, amount, reason, json } => {
            let verdict = ClaimVerdict {
                state: state_of(status),
                approved: amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?,
                reason: reason.as_deref().map(|text| read("--reason", text)).transpose()?,
            };
            let claim = service.claims.decide(read_id("a claim", &id)?, Actor::Operator, verdict).await?;
            changed(&claim, json);
            Ok(())
        }
        ClaimVerb::Paid { id, payment, waive, json } => {
            let (reference, paid_on, amount) = read_payment(&payment, service.policies.today())?;
            let waived = waive.iter().map(|text| read_waiver(text)).collect::<Result<_, _>>()?;
            let payment = ClaimPaid { reference, paid_on, amount, waived };
            let claim = service.claims.paid(read_id("a claim", &id)?, Actor::Operator, payment).await?;
            changed(&claim, json);
            Ok(())
        }
        ClaimVerb::Withdraw { id, reason, json } => {
            let (id, reason) = (read_id("a claim", &id)?, read("--reason", &reason)?);
            let of = service.claims.owner(id).await?;
            let withdrawal = service.claims.withdraw(of, id, Actor::Operator, reason).await?;
            service.claims.keep_withdrawal(withdrawal, None).await?.replayed();
            changed(&service.claims.view(of, id).await?.shown.claim, json);
            Ok(())
        }
        ClaimVerb::Paper { id, document, out } => {
            let (id, document) = (read_id("a claim", &id)?, read_id("a paper", &document)?);
            write_paper(&service, id, document, &out).await
        }
    })
}

/// Writes a paper into a file, a part after another.
async fn write_paper(service: &Service, id: ClaimId, document: ClaimDocumentId, out: &Path) -> Result<()> {
    let of = service.claims.owner(id).await?;
    let found = service.claim_papers.find(of, id, document).await?;
    let file = new_file::begin(out)?;
    let (mut written, mut number) = (0, 0);
    while let Some(part) = service.claim_papers.part(of, found.id, number).await? {
        file.file().write_all(&part).map_err(|cause| new_file::broken(out, &cause))?;
        written += part.len() as u64;
        number += 1;
    }
    if written != found.bytes {
        return Err(Failure::Failed(format!(
            "{document} is damaged: it has {written} of {} bytes",
            found.bytes
        )));
    }
    new_file::finish(file, out)?;
    output::message(&format!("{written} bytes are in {}", out.display()));
    Ok(())
}

fn changed(claim: &MadeClaim, as_json: bool) {
    if as_json {
        let paid = claim.paid.as_ref();
        output::json(&json!({
            "claim_id": claim.id.to_string(), "status": claim.state.word(),
            "approved_amount": claim.payable().map(|amount| amount.to_string()),
            "interest": paid.map(|paid| paid.interest.to_string()),
        }));
    }
    output::message(&format!("{} is {}", claim.id, claim.state));
}

fn list(claims: &[ClaimShown], as_json: bool) {
    if as_json {
        output::json(&json!({ "claims": claims.iter().map(to_json).collect::<Vec<_>>() }));
        return;
    }
    let row = |ClaimShown { claim, today }: &ClaimShown| {
        let late = if claim.is_late(*today) { " LATE" } else { "" };
        vec![
            claim.id.to_string(),
            claim.notice.kind.to_string(),
            claim.state.to_string(),
            claim.partner.to_string(),
            claim.policy.to_string(),
            claim.notice.event_on.to_string(),
            format!("{}{late}", claim.settle_by()),
        ]
    };
    output::table(
        &["claim_id", "kind", "status", "partner_id", "policy_id", "event", "settle by"],
        claims.iter().map(row).collect(),
    );
}

/// A claim in short, with its partner.
fn to_json(claim: &ClaimShown) -> Value {
    for_operator(shown::claim(claim), claim.claim.partner, &[])
}

/// What of a claim is personal.
const PERSONAL: &[&str] = &["cause", "place", "member", "claimant", "account"];

fn view_to_json(view: &ClaimView, cover: &ClaimCover, papers: &[ClaimDocument], personal: bool) -> Value {
    let claim = &view.shown.claim;
    let left_out = if personal { &[] } else { PERSONAL };
    let mut printed = for_operator(shown::claim_view(view, papers), claim.partner, left_out);
    if personal {
        let nominees = cover.nominees.iter().map(
            |nominee| json!({ "name": nominee.name.reveal(), "relationship": nominee.relationship.reveal() }),
        );
        printed["nominees"] = nominees.collect::<Vec<_>>().into();
        if let Some(account) = &claim.notice.account {
            printed["account"]["number"] = account.number.reveal().into();
        }
    }
    printed["cover"] = json!({
        "sum_insured": cover.sum_insured.to_string(), "most": cover.most.to_string(),
        "left": cover.left.to_string(),
    });
    printed
}

fn show(view: &ClaimView, cover: &ClaimCover, papers: &[ClaimDocument], personal: bool) {
    let ClaimShown { claim, today } = &view.shown;
    let notice = &claim.notice;
    let late = if claim.is_late(*today) { ": LATE" } else { "" };
    output::data(&format!("{}  {} on {}", claim.id, notice.kind, notice.event_on));
    output::data(&format!("{}, to be settled by {}{late}", claim.state, claim.settle_by()));
    output::data(&format!("policy {}, of partner {}", claim.policy, claim.partner));
    if personal {
        tell_in_words(claim);
        for nominee in &cover.nominees {
            output::data(&format!(
                "nominee on that day: {} ({})",
                nominee.name.reveal(),
                nominee.relationship.reveal()
            ));
        }
    }
    let insured = cover.sum_insured.grouped_with_paise();
    output::data(&match claim.state.is_open() && claim.approved.is_none() {
        true => {
            format!("{insured} insured on that day, {} left for this claim", cover.left.grouped_with_paise())
        }
        false => format!("{insured} insured on that day"),
    });
    if let Some(claimed) = notice.claimed {
        output::data(&format!("{} is claimed", claimed.grouped_with_paise()));
    }
    if let Some(approved) = claim.payable() {
        output::data(&format!("{} is approved", approved.grouped_with_paise()));
    }
    if let Some(paid) = &claim.paid {
        let interest = paid.interest.grouped_with_paise();
        output::data(&format!(
            "paid on {} by {}, with {interest} of interest",
            paid.paid_on,
            paid.reference.as_str()
        ));
    }
    for wanted in &claim.wanted {
        let came = papers.iter().any(|paper| paper.paper.as_ref() == Some(&wanted.id));
        let is_waived = claim.waived.iter().any(|waived| waived.paper == wanted.id);
        let mark = match (came, wanted.required) {
            (true, _) => "came",
            (false, true) if is_waived => "waived",
            (false, true) => "MISSING",
            (false, false) => "may come",
        };
        output::data(&format!("  {mark:<8} {} ({})", wanted.name, wanted.id));
    }
    for paper in papers {
        let which = paper.paper.as_deref().unwrap_or("another paper");
        output::data(&format!("  {}  {which}, {}, {} bytes", paper.id, paper.media, paper.bytes));
    }
    for made in &view.history {
        let reason = made.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.reveal()));
        output::data(&format!("{}  {} by the {}{reason}", minute(made.at), made.to, made.by));
    }
}

/// Prints what somebody told of a claim, which is personal.
fn tell_in_words(claim: &MadeClaim) {
    let notice = &claim.notice;
    let place = notice.place.as_ref().map_or(String::new(), |place| format!(", {}", place.reveal()));
    output::data(&format!("{}: {}{place}", claim.member_name.reveal(), notice.cause.reveal()));
    let claimant = &notice.claimant;
    let (name, relation) = (claimant.name.reveal(), claimant.relation.reveal());
    output::data(&format!("claimed by {name} ({relation}), {}", claimant.phone.reveal()));
    if let Some(account) = &notice.account {
        let (holder, number) = (account.holder.reveal(), account.number.reveal());
        output::data(&format!("to be paid to {holder}, {number}, {}", account.ifsc.reveal()));
    }
}

/// Reads a waiver: the paper, an equals sign, and the reason.
fn read_waiver(text: &str) -> Result<WaivedPaper> {
    let (paper, reason) = text.split_once('=').ok_or_else(|| {
        Failure::BadData(
            "--waive must be a paper and a reason, such as death-certificate=\"seen by the branch\"".into(),
        )
    })?;
    Ok(WaivedPaper { paper: paper.trim().to_owned(), reason: read("--waive", reason)? })
}

const fn state_of(status: ClaimStatus) -> ClaimState {
    match status {
        ClaimStatus::UnderAssessment => ClaimState::UnderAssessment,
        ClaimStatus::UnderInvestigation => ClaimState::UnderInvestigation,
        ClaimStatus::Approved => ClaimState::Approved,
        ClaimStatus::Rejected => ClaimState::Rejected,
        ClaimStatus::Repudiated => ClaimState::Repudiated,
    }
}
