//! What became of an application, at an address that works on any device and does not end.

use std::borrow::Cow;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use domain::date::{day_of, kolkata_time};
use domain::health_policy::HealthPolicy;
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus, JourneyProposal};
use domain::id::{ProposalId, SessionId};
use domain::journey::{Answers, Journey};
use domain::line::ProposalState;
use domain::money::Rupees;
use domain::partner::Partner;
use rating::HealthVariant;

use super::dead_end::{DeadEnd, page_of};
use super::frame::{Frame, Framing, page};
use super::offer::{Fact, plain_insurer};
use super::visitor::{Sent, language_of, visit};
use super::words::Words;
use super::{amount, lead_to};
use crate::app::App;
use crate::error::Problem;
use crate::path::PathText;

use HealthProposalStatus::{
    Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
};

#[derive(Template)]
#[template(path = "journey/status.html")]
struct StatusPage {
    frame: Frame,
    title: Cow<'static, str>,
    text: Cow<'static, str>,
    is_good: bool,
    /// Why it came to nothing; empty where it did not or nobody said.
    reason: String,
    facts: Vec<Fact>,
    settlement: Cow<'static, str>,
    moves: Vec<Moved>,
    certificate: Option<String>,
    /// Not decided: it may be looked at again.
    is_open: bool,
    /// The customer's own browser, in which another application may begin.
    is_own: bool,
    is_lost: bool,
    /// The page's own address, for those who see another one above it.
    address: String,
    free_look: Cow<'static, str>,
    claims_contact: String,
    grievance_contact: String,
    return_url: Option<String>,
    return_name: Cow<'static, str>,
}

struct Moved {
    at: Cow<'static, str>,
    what: Cow<'static, str>,
}

pub(crate) async fn get(
    State(app): State<App>,
    PathText(code): PathText,
    parts: Parts,
) -> Result<Response, Problem> {
    let visit = visit(&app, &parts).await?.map(|visit| visit.journey);
    let asked = super::visitor::in_query(&parts, "lang").is_some();
    let own = visit.as_ref().filter(|_| !asked).map(|journey| journey.language);
    let words = Words(own.unwrap_or_else(|| language_of(&parts)));
    let known = app.service.read_status_code(&code);
    let partner = known.and_then(|(of, _)| app.service.known_partner(of));
    let (Some((_, id)), Some(partner)) = (known, partner) else {
        return Ok(page_of(&DeadEnd::Missing, words, None, parts.uri.path()));
    };
    let own = visit.filter(|journey| journey.answers.proposal == Some(id));
    let shown = status(&app, words, &partner, id, &code, own.as_ref()).await?;
    Ok(page(StatusCode::OK, &Framing::By(&partner), &shown))
}

/// Leads to the certificate by an address that is good for ten minutes.
pub(crate) async fn certificate(
    State(app): State<App>,
    PathText(code): PathText,
    parts: Parts,
) -> Result<Response, Problem> {
    let known = app.service.read_status_code(&code);
    let policy = match known {
        Some((of, id)) => app.service.policy_of::<Health>(of, id).await?.map(|_| (of, id)),
        None => None,
    };
    let Some((of, id)) = policy else {
        return Ok(page_of(&DeadEnd::Missing, Words(language_of(&parts)), None, parts.uri.path()));
    };
    let mut response = lead_to(&app.service.signed_address(of, id));
    let policy = header::HeaderValue::from_static("no-referrer");
    response.headers_mut().insert(header::REFERRER_POLICY, policy);
    Ok(response)
}

/// Begins anew in the same browser: with everything that was answered where the application came to nothing, else from
/// the start.
pub(crate) async fn again(State(app): State<App>, Sent { visitor, .. }: Sent) -> Result<Response, Problem> {
    let Some(id) = visitor.journey.answers.proposal else { return Ok(lead_to("start")) };
    let proposal = app.service.health_proposal(visitor.partner.id, id).await?.proposal;
    let lost = !proposal.status.is_active();
    let change = |journey: &mut Journey| {
        if lost {
            (journey.answers.proposal, journey.answers.choice) = (None, None);
        } else {
            journey.answers = Answers::default();
        }
    };
    app.service.change_journey(visitor.journey, change).await?;
    Ok(lead_to(if lost { "plans" } else { "who" }))
}

async fn status(
    app: &App,
    words: Words,
    partner: &Partner,
    id: ProposalId,
    code: &str,
    own: Option<&Journey>,
) -> Result<StatusPage, Problem> {
    let found = app.service.health_proposal(partner.id, id).await?;
    let lost = || Problem::unexpected("an application that was not made here");
    let (proposal, catalogue) = (&found.proposal, found.catalogue.as_ref().ok_or_else(lost)?);
    let made = proposal.application.journey().ok_or_else(lost)?;
    let variant = catalogue.health_variant(made.chosen.variant).ok_or_else(lost)?;
    let insurer = plain_insurer(&variant.insurer().name);
    let policy = app.service.policy_of::<Health>(partner.id, id).await?;
    let (title, text) = told(words, proposal.status, insurer, policy.as_ref());
    let history = app.service.history::<Health>(partner.id, id).await?;
    // Of what happened in one and the same moment only the last is told: nobody looked at it in between.
    let told_of = history.iter().enumerate().filter(|(at, moved)| {
        let passing = matches!(moved.to, Pending | Submitted | Underwriting);
        !(passing && history.get(at + 1).is_some_and(|next| next.at == moved.at))
    });
    let moves = told_of.map(|(_, moved)| {
        let at = kolkata_time(moved.at);
        let time = format!("{:02}:{:02}", at.hour(), at.minute());
        Moved { at: words.at_time(words.day(day_of(moved.at)), time), what: what(words, moved.to) }
    });
    // Why it was accepted is between operator and insurer.
    let told_why = proposal.reason.as_ref().filter(|_| proposal.status != Accepted);
    let reason = told_why.map_or("", |reason| reason.reveal());
    let product = &variant.product;
    let settlement = words.of_catalogue(&product.settlement);
    let url = own.map_or_else(|| partner.return_urls.first().cloned(), |own| own.return_url.clone());
    let lost = !proposal.status.is_active();
    Ok(StatusPage {
        title,
        text,
        is_good: proposal.status == Accepted,
        reason: reason_in(words, variant, reason).to_owned(),
        facts: facts(words, proposal, made, variant, policy.as_ref()),
        settlement: if lost { Cow::Borrowed("") } else { words.still_needed(settlement) },
        moves: moves.collect(),
        certificate: policy.as_ref().map(|_| format!("{code}/certificate")),
        is_open: !proposal.status.is_final(),
        is_own: own.is_some(),
        is_lost: lost,
        address: format!("{}{}/status/{code}", app.journey().map_or("", |site| &site.address), super::PATH),
        free_look: words.free_look(product.free_look_days),
        claims_contact: variant.insurer().claims_contact.clone(),
        grievance_contact: words.of_catalogue(&variant.insurer().grievance_contact).to_owned(),
        return_url: url.map(|url| with_session(&url, proposal.session)),
        return_name: words.back_to(&partner.name),
        frame: Frame {
            words,
            root: "../../",
            partner: Some(partner.name.clone()),
            in_other_language: format!("?lang={}", words.other().code()),
            step: 0,
            back: "",
            proof: own.map_or_else(String::new, |own| app.service.form_proof(own)),
            has_form: false,
            has_script: true,
            refresh: String::new(),
            refresh_always: false,
        },
    })
}

/// The address that a customer goes back to, with the session's id.
fn with_session(url: &str, session: Option<SessionId>) -> String {
    let Some(session) = session else { return url.to_owned() };
    let join = if url.contains('?') { '&' } else { '?' };
    format!("{url}{join}session_id={session}")
}

/// The reason of a rule before underwriting in the customer's language; every other as it was written.
fn reason_in<'t>(words: Words, variant: &'t HealthVariant, reason: &'t str) -> &'t str {
    let rules = &variant.product.pre_underwriting;
    let same = |english: &str| {
        domain::person::PersonalLine::of_words(english).is_some_and(|line| line.reveal() == reason)
    };
    let rule = rules.iter().find(|rule| same(rule.reason.english()));
    rule.map_or(reason, |rule| words.of_catalogue(&rule.reason))
}

fn told(
    words: Words,
    status: HealthProposalStatus,
    insurer: &str,
    policy: Option<&HealthPolicy>,
) -> (Cow<'static, str>, Cow<'static, str>) {
    match (status, policy.and_then(|policy| policy.cover.issued())) {
        (Accepted, Some(issued)) => {
            let (starts, ends) = (words.day(issued.period.starts), words.day(issued.period.ends));
            (words.accepted_title(), words.accepted_text(insurer, starts, ends))
        }
        (Rejected, _) => (words.rejected_title(), words.rejected_text(insurer)),
        (Cancelled, _) => (words.cancelled_title(), words.cancelled_text()),
        (Offline, _) => (words.offline_title(), words.offline_text(insurer)),
        (Initiated | Pending | Submitted | Underwriting | Accepted, _) => {
            (words.waiting_title(), words.waiting_text(insurer))
        }
    }
}

fn what(words: Words, to: HealthProposalStatus) -> Cow<'static, str> {
    match to {
        Initiated => words.moved_initiated(),
        Pending => words.moved_pending(),
        Submitted => words.moved_submitted(),
        Offline => words.moved_offline(),
        Underwriting => words.moved_underwriting(),
        Accepted => words.moved_accepted(),
        Rejected => words.moved_rejected(),
        Cancelled => words.moved_cancelled(),
    }
}

fn facts(
    words: Words,
    proposal: &HealthProposal,
    made: &JourneyProposal,
    variant: &HealthVariant,
    policy: Option<&HealthPolicy>,
) -> Vec<Fact> {
    let fact = |name, value: String| Fact { name, value };
    let mut facts = Vec::new();
    if let Some(policy) = policy {
        facts.push(fact(words.policy_number(), policy.number.to_string()));
        if let Some(number) = &policy.insurer_number {
            facts.push(fact(words.insurers_number(), number.to_string()));
        }
    }
    let plan = format!("{}, {}", variant.name, variant.insurer().name);
    facts.extend([
        fact(words.your_plan(), plan),
        fact(words.sum_insured(), amount::sum(words, made.chosen.sum_insured)),
    ]);
    if made.chosen.deductible > Rupees::ZERO {
        facts.push(fact(words.deductible(), amount::sum(words, made.chosen.deductible)));
    }
    if proposal.status.is_active() {
        let years = words.years(proposal.application.tenure);
        facts.push(fact(words.to_pay_for(years), amount::total(proposal.premium)));
    }
    facts.push(fact(words.application_number(), proposal.id.to_string()));
    facts
}
