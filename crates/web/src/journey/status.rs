//! Status page of an application, at an address that works on any device for 90 days.

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use domain::date::{day_of, kolkata_time};
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus, JourneyProposal};
use domain::id::{PartnerId, ProposalId, SessionId};
use domain::journey::{Answers, Journey};
use domain::language::Language;
use domain::line::ProposalState;
use domain::money::Rupees;
use domain::partner::Partner;
use domain::policy::Policy;
use rating::HealthVariant;
use service::access::status_page::StatusAddress;
use tokio::time::{Instant, sleep};

use super::address::{self, Parameter, redirect, route};
use super::amount;
use super::error_page::ErrorPage;
use super::extract::{Submission, visit};
use super::form::Form;
use super::frame::{Frame, Framing, render_as};
use super::offer::{Fact, plain_insurer};
use super::papers::{Paper, papers};
use super::quote::{LONGEST_WAIT, MOST_WAITING, POLL_INTERVAL};
use super::request::{language_of, query_value};
use super::status_premium::{self, PremiumShown, ROUNDS_AFTER_PAYING};
use super::status_renewal;
use super::step::Step;
use super::words::Words;
use crate::app::App;
use crate::context::{Admitted, RequestContext};
use crate::error::{Problem, Result};
use crate::path::PathText;

use HealthProposalStatus::{
    Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
};

#[derive(Template)]
#[template(path = "journey/status.html")]
struct StatusPage {
    frame: Frame,
    title: &'static str,
    text: String,
    is_good: bool,
    /// Reason for which the application was rejected or cancelled. Empty if there is none.
    reason: String,
    facts: Vec<Fact>,
    settlement: String,
    premium: Option<PremiumShown>,
    moves: Vec<Moved>,
    certificate: Option<String>,
    /// Note that the certificate is in English, if the page is in another language.
    certificate_language: Option<&'static str>,
    /// Whether the status can still change.
    is_open: bool,
    /// Whether this is the browser in which the customer applied. Only this browser can start another
    /// application.
    is_own: bool,
    /// Whether the application was rejected or cancelled.
    is_lost: bool,
    /// The page's own address, for a link that opens it outside a partner's frame.
    address: String,
    papers: Vec<Paper>,
    /// Text about the free look. `None` for a renewal, which has no free look.
    free_look: Option<String>,
    claims_contact: String,
    grievance_contact: String,
    return_url: Option<String>,
    return_name: String,
}

struct Moved {
    at: String,
    what: &'static str,
}

pub(crate) async fn get(
    State(app): State<App>,
    _: Admitted,
    PathText(code): PathText,
    context: RequestContext,
    parts: Parts,
) -> Result<Response> {
    let visit = visit(&app, &parts).await?.map(|visit| visit.journey);
    let is_asked = query_value(&parts, Parameter::Language).is_some();
    let own_language = visit.as_ref().filter(|_| !is_asked).map(|journey| journey.language);
    let words = Words::of(own_language.unwrap_or_else(|| language_of(&parts)));
    let missing = || ErrorPage::Missing.response(&app, words, None, parts.uri.path());
    let (of, id) = match app.service.status_pages.find(&code).await? {
        Some(StatusAddress::Open(of, id)) => (of, id),
        Some(StatusAddress::Ended(of, _)) => {
            let partner = app.service.shared.directory.partner(of);
            return Ok(partner.map_or_else(missing, |partner| {
                status_renewal::page(&app, words, &partner, &Form::default(), StatusCode::GONE)
            }));
        }
        None => return Ok(missing()),
    };
    let Some(partner) = app.service.shared.directory.partner(of) else { return Ok(missing()) };
    let own = visit.filter(|journey| journey.answers.proposal == Some(id));
    let rounds = query_value(&parts, Parameter::Wait).and_then(|rounds| rounds.parse().ok()).unwrap_or(0);
    if rounds > 0 {
        wait_for_change(&app, &context, of, id).await?;
    }
    let mut page = status(&app, words, &partner, id, &code, own.as_ref()).await?;
    if let Some(rounds) = page.follows(rounds) {
        let language =
            if is_asked { format!("&{}={}", Parameter::Language, words.code()) } else { String::new() };
        page.frame.refresh = format!("{code}?{}={rounds}{language}", Parameter::Wait);
        page.frame.refresh_always = true;
    }
    Ok(render_as(StatusCode::OK, &Framing::By(&partner), &page))
}

impl StatusPage {
    /// How many more times the page reloads itself. `None` if no change is expected soon.
    fn follows(&self, rounds: u32) -> Option<u32> {
        let premium = self.premium.as_ref()?;
        match (premium.is_issuing, premium.is_last) {
            (true, _) if rounds == 0 => Some(ROUNDS_AFTER_PAYING),
            (true, _) | (false, true) => rounds.checked_sub(1).filter(|left| *left > 0),
            (false, false) => None,
        }
    }
}

/// Waits up to [`LONGEST_WAIT`] for a payment of the premium or for the issue of the policy.
async fn wait_for_change(app: &App, context: &RequestContext, of: PartnerId, id: ProposalId) -> Result<()> {
    let look = async || -> Result<_> {
        let proposal = app.service.health_proposals.find(of, id).await?.proposal.status;
        let premium = app.service.premiums.of_proposal(of, id).await?;
        Ok((proposal, premium.map(|premium| premium.books.state())))
    };
    let (before, until) = (look().await?, Instant::now() + LONGEST_WAIT);
    let Some(_waits) = app.waiting_pages.add(id.uuid(), MOST_WAITING) else { return Ok(()) };
    let wait = async {
        while look().await? == before && Instant::now() < until && !app.is_draining() {
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    };
    context.without_permit(app, wait).await?
}

/// Redirects to the certificate. Its address expires after ten minutes.
pub(crate) async fn certificate(
    State(app): State<App>,
    _: Admitted,
    PathText(code): PathText,
    parts: Parts,
) -> Result<Response> {
    let policy = match app.service.status_pages.find(&code).await? {
        // The status page asks for the date of birth.
        Some(StatusAddress::Ended(..)) => return Ok(redirect(format!("../{code}"))),
        Some(StatusAddress::Open(of, id)) => app.service.proposals.policy_of(of, id).await?.map(|_| (of, id)),
        None => None,
    };
    let Some((of, id)) = policy else {
        let words = Words::of(language_of(&parts));
        return Ok(ErrorPage::Missing.response(&app, words, None, parts.uri.path()));
    };
    let mut response = redirect(app.service.documents.signed_address(of, id));
    let policy = header::HeaderValue::from_static("no-referrer");
    response.headers_mut().insert(header::REFERRER_POLICY, policy);
    Ok(response)
}

/// Address of an application's status page, to give to the customer. `None` if hosted pages are off.
pub(crate) fn status_address(app: &App, of: PartnerId, proposal: ProposalId) -> Option<String> {
    let code = app.service.status_pages.code(of, proposal);
    app.journey().map(|site| format!("{}{}", site.address, route(address::status(&code))))
}

/// Starts a new application in the same browser. If the last application was rejected or cancelled, the
/// answers stay and the customer chooses another plan.
pub(crate) async fn again(
    State(app): State<App>,
    Submission { visitor, .. }: Submission,
) -> Result<Response> {
    let Some(id) = visitor.journey.answers.proposal else { return Ok(redirect(address::START)) };
    let proposal = app.service.health_proposals.find(visitor.partner.id, id).await?.proposal;
    let lost = !proposal.status.is_active();
    let change = |journey: &mut Journey| {
        if lost {
            (journey.answers.proposal, journey.answers.choice) = (None, None);
        } else {
            journey.answers = Answers::default();
        }
    };
    app.service.journeys.change(visitor.journey, change).await?;
    Ok(redirect(if lost { Step::Plans } else { Step::Who }))
}

async fn status(
    app: &App,
    words: &'static Words,
    partner: &Partner,
    id: ProposalId,
    code: &str,
    own: Option<&Journey>,
) -> Result<StatusPage> {
    let record = app.service.health_proposals.find(partner.id, id).await?;
    let lost = || Problem::unexpected("the application was not made on the hosted journey");
    let (proposal, catalogue) = (&record.proposal, record.catalogue.as_ref().ok_or_else(lost)?);
    let made = proposal.application.journey().ok_or_else(lost)?;
    let variant = catalogue.health_variant(made.chosen.variant).ok_or_else(lost)?;
    let insurer = plain_insurer(&variant.insurer().name);
    let policy = app.service.proposals.policy_of(partner.id, id).await?;
    let premium = status_premium::shown(app, words, proposal, &variant.product, code).await?;
    let (title, text) = match &premium {
        Some(premium) if premium.is_last => {
            (words.status.premium_title, (words.status.premium_text)(insurer))
        }
        Some(premium) if premium.is_issuing => {
            (words.status.issuing_title, words.status.issuing_text.to_owned())
        }
        _ => headline(words, proposal.status, insurer, policy.as_ref()),
    };
    let history = app.service.proposals.history::<Health>(partner.id, id).await?;
    // Of several status changes at the same time, show only the last.
    let shown = history.iter().enumerate().filter(|(at, moved)| {
        let passing = matches!(moved.to, Pending | Submitted | Underwriting);
        !(passing && history.get(at + 1).is_some_and(|next| next.at == moved.at))
    });
    let moves = shown.map(|(_, moved)| {
        let at = kolkata_time(moved.at);
        let time = format!("{:02}:{:02}", at.hour(), at.minute());
        let day = (words.format.day)(day_of(moved.at));
        Moved { at: (words.status.at_time)(&day, &time), what: what(words, moved.to) }
    });
    // The reason of an acceptance is not for the customer.
    let reason = proposal.reason.as_ref().filter(|_| proposal.status != Accepted);
    let reason = reason.map_or("", |reason| reason.reveal());
    let product = &variant.product;
    let settlement = product.settlement.in_language(words.language);
    let url = own.map_or_else(|| partner.return_urls.first().cloned(), |own| own.return_url.clone());
    let lost = !proposal.status.is_active();
    let site = app.journey().map_or("", |site| &site.address);
    let certificate_language = words.status.certificate_language;
    Ok(StatusPage {
        title,
        text,
        is_good: proposal.status == Accepted,
        reason: reason_in(words, variant, reason).to_owned(),
        facts: facts(words, proposal, made, variant, policy.as_ref()),
        settlement: if lost || premium.is_some() {
            String::new()
        } else {
            (words.status.still_needed)(settlement)
        },
        premium,
        moves: moves.collect(),
        certificate: policy.as_ref().map(|_| format!("{code}/certificate")),
        certificate_language: (words.language != Language::English).then_some(certificate_language),
        is_open: !proposal.status.is_final(),
        is_own: own.is_some(),
        is_lost: lost,
        address: format!("{site}{}", route(address::status(code))),
        papers: papers(words, product),
        free_look: made.chosen.renewal.is_none().then(|| (words.plan.free_look)(product.free_look_days)),
        claims_contact: variant.insurer().claims_contact.clone(),
        grievance_contact: variant.insurer().grievance_contact.in_language(words.language).to_owned(),
        return_url: url.map(|url| with_session(&url, proposal.session)),
        return_name: (words.frame.back_to)(&partner.name),
        frame: Frame {
            csrf_token: own.map_or_else(String::new, |own| app.service.journeys.form_proof(own)),
            ..Frame::without_journey(app, words, partner)
        },
    })
}

/// Return address `url`, with the session's id as a query parameter.
fn with_session(url: &str, session: Option<SessionId>) -> String {
    let Some(session) = session else { return url.to_owned() };
    let join = if url.contains('?') { '&' } else { '?' };
    format!("{url}{join}{}={session}", Parameter::Session)
}

/// Reason in the customer's language, if a pre-underwriting rule gave it. Otherwise the reason as it is
/// stored.
fn reason_in<'t>(words: &Words, variant: &'t HealthVariant, reason: &'t str) -> &'t str {
    let rules = &variant.product.pre_underwriting;
    let same = |english: &str| {
        domain::person::PersonalLine::of_words(english).is_some_and(|line| line.reveal() == reason)
    };
    let rule = rules.iter().find(|rule| same(rule.reason.english()));
    rule.map_or(reason, |rule| rule.reason.in_language(words.language))
}

/// Title and text of the status page.
fn headline(
    words: &Words,
    status: HealthProposalStatus,
    insurer: &str,
    policy: Option<&Policy>,
) -> (&'static str, String) {
    match (status, policy.and_then(|policy| policy.cover.health()?.issued())) {
        (Accepted, Some(issued)) => {
            let (starts, ends) =
                ((words.format.day)(issued.period.starts), (words.format.day)(issued.period.ends));
            (words.status.accepted_title, (words.status.accepted_text)(insurer, &starts, &ends))
        }
        (Rejected, _) => (words.status.rejected_title, (words.status.rejected_text)(insurer)),
        (Cancelled, _) => (words.status.cancelled_title, words.status.cancelled_text.to_owned()),
        (Offline, _) => (words.status.offline_title, (words.status.offline_text)(insurer)),
        (Initiated | Pending | Submitted | Underwriting | Accepted, _) => {
            (words.status.waiting_title, (words.status.waiting_text)(insurer))
        }
    }
}

fn what(words: &Words, to: HealthProposalStatus) -> &'static str {
    match to {
        Initiated => words.status.moved_initiated,
        Pending => words.status.moved_pending,
        Submitted => words.status.moved_submitted,
        Offline => words.status.moved_offline,
        Underwriting => words.status.moved_underwriting,
        Accepted => words.status.moved_accepted,
        Rejected => words.status.moved_rejected,
        Cancelled => words.status.moved_cancelled,
    }
}

fn facts(
    words: &Words,
    proposal: &HealthProposal,
    made: &JourneyProposal,
    variant: &HealthVariant,
    policy: Option<&Policy>,
) -> Vec<Fact> {
    let fact = |name: &str, value: String| Fact { name: name.to_owned(), value };
    let mut facts = Vec::new();
    if let Some(policy) = policy {
        facts.push(fact(words.status.policy_number, policy.number.to_string()));
        if let Some(number) = &policy.insurer_number {
            facts.push(fact(words.status.insurers_number, number.to_string()));
        }
    }
    let plan = format!("{}, {}", variant.name, variant.insurer().name);
    facts.extend([
        fact(words.review.your_plan, plan),
        fact(words.offer.sum_insured, words.sum(made.chosen.sum_insured)),
    ]);
    if made.chosen.deductible > Rupees::ZERO {
        facts.push(fact(words.offer.deductible, words.sum(made.chosen.deductible)));
    }
    if proposal.status.is_active() {
        let years = (words.format.years)(proposal.application.tenure);
        facts.push(fact(
            &(words.review.to_pay_for)(&years),
            amount::total(policy.map_or(proposal.premium, |policy| policy.premium)),
        ));
    }
    facts.push(fact(words.status.application_number, proposal.id.to_string()));
    facts
}
