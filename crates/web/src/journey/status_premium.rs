//! Premium on the status page: whether it is due, and where to pay it.

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::date::{day_of, days_later};
use domain::health_proposal::{Health, HealthProposal};
use domain::premium::{PremiumState, ProposalPremium};
use rating::{PremiumTerms, Product};
use service::access::status_page::StatusAddress;
use service::line::SoldLine;

use super::address::{self, Parameter, redirect, route};
use super::error_page::ErrorPage;
use super::offer::plain_insurer;
use super::request::language_of;
use super::words::Words;
use crate::app::App;
use crate::context::Admitted;
use crate::error::{Problem, Result};
use crate::path::PathText;

/// Text about the premium on the status page.
pub(super) struct PremiumShown {
    pub(super) text: String,
    /// Address and text of the link with which the customer pays, if any.
    pub(super) pay: Option<(String, &'static str)>,
    /// Whether the application is accepted and only the premium is missing.
    pub(super) is_last: bool,
    /// Whether the premium is received and the policy will be issued soon.
    pub(super) is_issuing: bool,
}

/// Text about the premium of a proposal. `None` if there is nothing to say.
pub(super) async fn shown(
    app: &App,
    words: &'static Words,
    proposal: &HealthProposal,
    product: &Product,
    code: &str,
) -> Result<Option<PremiumShown>> {
    let premium = app.service.premiums.of_proposal(proposal.partner, proposal.id).await?;
    let shown = premium.and_then(|premium| say(app, words, &premium, product, code));
    Ok(match shown {
        Some(shown) if shown.is_last && app.service.proposals.is_void(proposal).await? => {
            Some(PremiumShown {
                text: words.status.renewal_void.to_owned(),
                pay: None,
                is_last: false,
                is_issuing: false,
            })
        }
        shown => shown,
    })
}

fn say(
    app: &App,
    words: &'static Words,
    premium: &ProposalPremium,
    product: &Product,
    code: &str,
) -> Option<PremiumShown> {
    let (day, words) = (words.format.day, &words.status);
    let (books, insurer) = (premium.books, plain_insurer(&product.insurer.name));
    let due = books.due.grouped();
    let text = match books.state() {
        PremiumState::Due if premium.decision.is_none() => (words.premium_later)(&due),
        PremiumState::Due => {
            let text = (words.premium_due)(&due, insurer);
            let accepted = premium.decision.as_ref().zip(product.pay_within_days);
            let last = accepted.and_then(|(accepted, days)| days_later(day_of(accepted.at), days));
            last.map_or(text.clone(), |last| format!("{text} {}", (words.pay_by)(&day(last))))
        }
        PremiumState::Received | PremiumState::Paid => (words.premium_received)(&due),
        PremiumState::Mismatch => (words.premium_mismatch)(&books.unsettled.grouped(), &due),
        PremiumState::RefundDue => (words.premium_refund_due)(&books.refundable.grouped()),
        PremiumState::Refunded => (words.premium_refunded)(&books.refunded.grouped()),
        PremiumState::Cancelled => return None,
    };
    let is_last = books.state() == PremiumState::Due && premium.decision.is_some();
    let pay = match &product.premium {
        // Do not take money before the acceptance: after a refusal it would have to go back.
        _ if !is_last => None,
        PremiumTerms::Here if app.service.payments.takes(premium) => {
            Some((format!("{code}/pay"), words.pay_now))
        }
        PremiumTerms::Link { address: Some(address) } => {
            Some((address.replace("{proposal_id}", &premium.proposal.to_string()), words.pay_insurer))
        }
        _ => None,
    };
    Some(PremiumShown { text, pay, is_last, is_issuing: premium.is_ready() })
}

/// How many times the page reloads itself after a payment: about half a minute.
pub(super) const ROUNDS_AFTER_PAYING: u32 = 15;

/// Address to which the customer returns after paying. The page at this address waits until the payment is
/// reported.
fn address_after_paying(app: &App, code: &str) -> String {
    let site = app.journey().map_or("", |site| &site.address);
    format!("{site}{}?{}={ROUNDS_AFTER_PAYING}", route(address::status(code)), Parameter::Wait)
}

/// Redirects to the gateway's payment page.
pub(crate) async fn pay(
    State(app): State<App>,
    _: Admitted,
    PathText(code): PathText,
    parts: Parts,
) -> Result<Response> {
    let (of, id) = match app.service.status_pages.find(&code).await? {
        Some(StatusAddress::Open(of, id)) => (of, id),
        // The status page asks for the date of birth.
        Some(StatusAddress::Ended(..)) => return Ok(redirect(format!("../{code}"))),
        None => {
            let words = Words::of(language_of(&parts));
            return Ok(ErrorPage::Missing.response(&app, words, None, parts.uri.path()));
        }
    };
    let record = app.service.health_proposals.find(of, id).await?;
    let catalogue = record
        .catalogue
        .ok_or_else(|| Problem::unexpected("the application was not made on the hosted journey"))?;
    let product = Health::product(&catalogue, &record.proposal)?;
    let return_url = address_after_paying(&app, &code);
    let page = app.service.payments.begin(&record.proposal, product, return_url).await?;
    // Already paid, or not payable here: the status page explains it.
    Ok(redirect(page.unwrap_or_else(|| format!("../{code}"))))
}
