//! `covernote policy`: policies as their operator lists, shows, endorses, renews and cancels them (D66 to D69, D89, D91).

use std::io::Write;

use domain::cancellation::CancellationReason;
use domain::date::{Timestamp, kolkata_time};
use domain::endorsement::{ChargePayment, Endorsement, EndorsementState};
use domain::id::PolicyId;
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Rupees;
use domain::person::IndianMobile;
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use serde_json::{Value, json};
use service::Service;
use service::on_any_policy;
use service::policy::cancellation::{CancellationAsk, CancellationQuote};
use service::policy::endorsement::{EndorsementAsk, EndorsementQuote, EndorsementVerdict};
use service::policy::{PolicyShown, PolicySought, PolicyView};
use web::api::shown;

use super::arguments::{read, read_day, read_id, read_reference};
use super::policy_view::{print_steps, to_json};
use super::record::for_operator;
use super::{export, new_file, on_service, policy_renewal};
use crate::cli::{FindBy, Policy, PolicyVerb, PolicyVerdict, Reason, State};
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(Policy { verb, flags }: Policy) -> Result<()> {
    on_service(&flags, async |service| match verb {
        PolicyVerb::List { partner, status, most, json } => {
            let found = service.policies.of_partners(partner.as_deref(), status.map(state_of), most);
            list(&found.await?, json);
            Ok(())
        }
        PolicyVerb::Find { by, partner, most, json } => {
            let found = service.policies.find_by(partner.as_deref(), &sought(by)?, most).await?;
            list(&found, json);
            if found.is_empty() {
                output::message("No policy is found by this.");
            }
            Ok(())
        }
        PolicyVerb::Export { export, personal } => export::policies(&service, &export, personal).await,
        PolicyVerb::Show { id, json } => {
            let id = read_id("a policy", &id)?;
            let of = service.policies.owner(id).await?;
            let view = service.policies.view(of, id).await?;
            if json {
                output::json(&view_to_json(&view))
            } else {
                show(&view)
            }
            Ok(())
        }
        PolicyVerb::Cancel { id, reason, received_on, for_insurer, note, quote, json } => {
            let ask = CancellationAsk {
                reason: reason_of(reason),
                received_on: received_on.as_deref().map(|day| read_day("--received-on", day)).transpose()?,
                by: if for_insurer { Actor::Insurer } else { Actor::Operator },
                note: note.as_deref().map(|text| read("--note", text)).transpose()?,
            };
            cancel(&service, read_id("a policy", &id)?, &ask, quote, json).await
        }
        PolicyVerb::Endorse { id, change, quote, json } => {
            let bytes = std::fs::read(&change)
                .map_err(|cause| Failure::BadData(format!("{}: {cause}", change.display())))?;
            let (change, note) = web::read_endorsement(&bytes, service.policies.today())
                .map_err(service::error::Error::Invalid)?;
            let ask = EndorsementAsk { change, by: Actor::Operator, note };
            endorse(&service, read_id("a policy", &id)?, &ask, quote, json).await
        }
        PolicyVerb::Endorsements { most, json } => {
            let waiting = service.policies.endorsements_open(most).await?;
            list_endorsements(&waiting, json);
            Ok(())
        }
        PolicyVerb::DecideEndorsement { id, verdict, number, reason, payment, paid_on, json } => {
            let id = read_id("a policy", &id)?;
            let verdict = match verdict {
                PolicyVerdict::Refuse => EndorsementVerdict::Refuse(
                    reason.as_deref().map(|text| read("--reason", text)).transpose()?,
                ),
                PolicyVerdict::Confirm => EndorsementVerdict::Confirm(match payment {
                    None => None,
                    Some(payment) => Some(ChargePayment {
                        reference: read_reference(&payment)?,
                        received_on: match paid_on {
                            Some(day) => read_day("--paid-on", &day)?,
                            None => service.policies.today(),
                        },
                    }),
                }),
            };
            let decided = service.endorsements.decide(id, number, Actor::Operator, verdict).await?;
            let (number, state) = decided;
            if json {
                output::json(
                    &json!({ "policy_id": id.to_string(), "number": number, "status": state.word() }),
                );
            }
            output::message(&format!("endorsement {number} of {id} is {state}"));
            Ok(())
        }
        PolicyVerb::Due { partner, within, most, json } => {
            let due = service.renewals.due_of_partners(partner.as_deref(), within, most).await?;
            policy_renewal::list(&due, json);
            Ok(())
        }
        PolicyVerb::Renew { id, years, quote, json } => {
            policy_renewal::renew(&service, read_id("a policy", &id)?, years, quote, json).await
        }
        PolicyVerb::Certificate { id, nth, out } => {
            let (number, bytes) =
                service.endorsements.replaced_certificate(read_id("a policy", &id)?, nth).await?;
            let file = new_file::begin(&out)?;
            file.file().write_all(&bytes).map_err(|cause| new_file::broken(&out, &cause))?;
            new_file::finish(file, &out)?;
            output::message(&format!("version {nth} of certificate {number} is in {}", out.display()));
            Ok(())
        }
        PolicyVerb::Decide { id, verdict, reason, json } => {
            let id = read_id("a policy", &id)?;
            let reason = reason.as_deref().map(|text| read("--reason", text)).transpose()?;
            let confirms = verdict == PolicyVerdict::Confirm;
            let state = service.cancellations.decide(id, None, Actor::Operator, confirms, reason).await?;
            if json {
                output::json(&json!({ "policy_id": id.to_string(), "status": state.word() }));
            }
            output::message(&format!("{id} is {state}"));
            Ok(())
        }
    })
}

/// What policies are looked for by.
fn sought(by: FindBy) -> Result<PolicySought> {
    let FindBy { number, mobile, email, pan, reference } = by;
    if let Some(number) = number {
        return Ok(PolicySought::Number(number.trim().to_owned()));
    }
    let kinds = [
        (IdentifierKind::Mobile, mobile),
        (IdentifierKind::Email, email),
        (IdentifierKind::Pan, pan),
        (IdentifierKind::Reference, reference),
    ];
    let given = kinds.into_iter().find_map(|(kind, value)| Some((kind, value?)));
    let (kind, value) = given.ok_or_else(|| Failure::BadData("nothing to find a policy by".into()))?;
    let value = match kind {
        // People write it with a country code and spaces.
        IdentifierKind::Mobile => {
            read("--mobile", &value).map(|IndianMobile(mobile)| mobile.reveal().to_owned())?
        }
        _ => value,
    };
    Ok(PolicySought::Known(Identifier::of(kind, &value)))
}

async fn cancel(
    service: &Service,
    id: PolicyId,
    ask: &CancellationAsk,
    only_quote: bool,
    as_json: bool,
) -> Result<()> {
    let of = service.policies.owner(id).await?;
    if only_quote {
        let quote = service.cancellations.quote(of, id, ask).await?;
        print_quote(&quote, None, as_json);
        return Ok(());
    }
    let draft = service.cancellations.request(of, id, ask, None).await?;
    let (quote, state) = (draft.quote.clone(), draft.state);
    service.cancellations.keep(draft, None).await?.replayed();
    print_quote(&quote, Some(state), as_json);
    output::message(&format!("{id} is {state}"));
    Ok(())
}

async fn endorse(
    service: &Service,
    id: PolicyId,
    ask: &EndorsementAsk,
    only_quote: bool,
    as_json: bool,
) -> Result<()> {
    let of = service.policies.owner(id).await?;
    if only_quote {
        print_endorsement(&service.endorsements.quote(of, id, ask).await?, None, as_json);
        return Ok(());
    }
    let draft = service.endorsements.request(of, id, ask, None).await?;
    let (quote, number, state) = (draft.quote.clone(), draft.number, draft.state);
    service.endorsements.keep(draft, None).await?.replayed();
    print_endorsement(&quote, Some((number, state)), as_json);
    output::message(&format!("endorsement {number} of {id} is {state}"));
    Ok(())
}

fn print_endorsement(quote: &EndorsementQuote, kept: Option<(u16, EndorsementState)>, as_json: bool) {
    let refund = quote.refund.as_ref();
    if as_json {
        let mut printed = shown::endorsement_quote(quote);
        if let Some((number, state)) = kept {
            printed["number"] = number.into();
            printed["status"] = state.word().into();
        }
        output::json(&printed);
        return;
    }
    if !quote.steps.is_empty() {
        print_steps(&quote.steps);
    }
    let charge = quote.charge.total();
    let costs = match refund {
        Some(refund) => {
            format!("{} comes back, due on {}", refund.amount.total().grouped_with_paise(), refund.due_on)
        }
        None if charge > Rupees::ZERO => format!("{} is to be paid first", charge.grouped_with_paise()),
        None => "Nothing is to be paid, and nothing comes back".to_owned(),
    };
    output::data(&format!("{costs}: {}", quote.source));
}

fn list_endorsements(waiting: &[PolicyShown], as_json: bool) {
    let open = |shown: &PolicyShown| -> Option<Endorsement> {
        on_any_policy!(&shown.policy, policy => policy.open_endorsement().cloned())
    };
    if as_json {
        let one = |shown: &PolicyShown| {
            let mut printed = to_json(shown);
            printed["endorsement"] = open(shown).as_ref().map(shown::endorsement).into();
            printed
        };
        output::json(&json!({ "policies": waiting.iter().map(one).collect::<Vec<_>>() }));
        return;
    }
    let row = |shown: &PolicyShown| {
        let open = open(shown)?;
        let charge = open.charge.total();
        Some(vec![
            shown.policy.id().to_string(),
            shown.covered.insurer.clone(),
            open.number.to_string(),
            open.change.kind().to_string(),
            minute(open.asked_at),
            open.asked_by.to_string(),
            if charge > Rupees::ZERO { charge.grouped_with_paise() } else { String::new() },
        ])
    };
    output::table(
        &["policy_id", "insurer", "number", "kind", "asked for", "by", "to be paid"],
        waiting.iter().filter_map(row).collect(),
    );
}

fn print_quote(quote: &CancellationQuote, state: Option<PolicyState>, as_json: bool) {
    let refund = quote.refund.refund;
    if as_json {
        let mut printed = shown::cancellation_quote(quote);
        if let Some(state) = state {
            printed["status"] = state.word().into();
        }
        output::json(&printed);
        return;
    }
    print_steps(&quote.refund.steps);
    output::data(&format!(
        "\n{} comes back, due on {}: {}",
        refund.total().grouped_with_paise(),
        quote.refund.due_on,
        quote.refund.source
    ));
}

fn list(policies: &[PolicyShown], as_json: bool) {
    if as_json {
        output::json(&json!({ "policies": policies.iter().map(to_json).collect::<Vec<_>>() }));
        return;
    }
    let row = |shown: &PolicyShown| {
        on_any_policy!(&shown.policy, policy => vec![
            policy.id.to_string(),
            policy.number.to_string(),
            shown.state().to_string(),
            policy.partner.to_string(),
            shown.covered.insurer.clone(),
            policy.last_day().to_string(),
            policy.premium.total().grouped_with_paise(),
        ])
    };
    output::table(
        &["policy_id", "number", "status", "partner_id", "insurer", "covers until", "premium"],
        policies.iter().map(row).collect(),
    );
}

fn view_to_json(view: &PolicyView) -> Value {
    let partner = on_any_policy!(&view.shown.policy, policy => policy.partner);
    for_operator(shown::policy_view(view), partner, &["reference", "members", "papers"])
}

fn show(view: &PolicyView) {
    let shown = &view.shown;
    on_any_policy!(&shown.policy, policy => {
        let insurers = policy.insurer_number.as_ref().map_or(String::new(), |number| format!(", the insurer's {number}"));
        output::data(&format!("{}  {}{insurers}", policy.id, policy.number));
        output::data(&format!("{} since {}", shown.state(), minute(shown.state_since())));
        output::data(&format!("{}, {}: {}", shown.covered.insurer, shown.covered.product_name, shown.covered.variant_name));
        let starts = shown.covered.starts.map_or_else(String::new, |day| format!("from {day} "));
        output::data(&format!("{} {starts}to {}", policy.sum_insured.grouped(), policy.last_day()));
        output::data(&format!("premium {}, of partner {}", policy.premium.total().grouped_with_paise(), policy.partner));
        for endorsement in &policy.endorsements {
            let Endorsement { number, change, state, asked_at, .. } = endorsement;
            let difference = endorsement.difference().total();
            let costs = match difference == Rupees::ZERO {
                true => String::new(),
                false => format!(", {} of premium", difference.grouped_with_paise()),
            };
            output::data(&format!(
                "endorsement {number} for {}: {state}, asked for at {}{costs}",
                change.kind(),
                minute(*asked_at)
            ));
        }
        if let Some(cancellation) = &policy.cancellation {
            let refund = &cancellation.refund;
            let total = refund.amount.total().grouped_with_paise();
            let whose = match (refund.to_deposit, refund.of_insured()) {
                (Rupees::ZERO, _) => format!("due on {}", refund.due_on),
                (_, Rupees::ZERO) => "to the deposit that paid the premium".to_owned(),
                (back, rest) => format!(
                    "{} of it to the deposit, {} to the insured, due on {}",
                    back.grouped_with_paise(), rest.grouped_with_paise(), refund.due_on
                ),
            };
            output::data(&format!("cancellation for {}: {total} comes back, {whose}", cancellation.reason));
            if let Some(paid) = &cancellation.refund.paid {
                let interest = paid.interest.grouped_with_paise();
                output::data(&format!("paid on {} by {}, with {interest} of interest", paid.paid_on, paid.reference.as_str()));
            }
        }
    });
    for made in &view.history {
        let reason = made.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.reveal()));
        output::data(&format!("{}  {} by the {}{reason}", minute(made.at), made.to, made.by));
    }
}

/// An instant to the minute, in Kolkata.
pub(super) fn minute(at: Timestamp) -> String {
    kolkata_time(at).strftime("%Y-%m-%d %H:%M").to_string()
}

const fn state_of(state: State) -> PolicyState {
    match state {
        State::Issued => PolicyState::Issued,
        State::CancellationRequested => PolicyState::CancellationRequested,
        State::Cancelled => PolicyState::Cancelled,
        State::Lapsed => PolicyState::Lapsed,
        State::Expired => PolicyState::Expired,
        State::Renewed => PolicyState::Renewed,
        State::Terminated => PolicyState::Terminated,
    }
}

const fn reason_of(reason: Reason) -> CancellationReason {
    match reason {
        Reason::FreeLook => CancellationReason::FreeLook,
        Reason::LoanCoolingOff => CancellationReason::LoanCoolingOff,
        Reason::LoanForeclosed => CancellationReason::LoanForeclosed,
        Reason::NotDisbursed => CancellationReason::NotDisbursed,
        Reason::Customer => CancellationReason::Customer,
        Reason::Duplicate => CancellationReason::Duplicate,
        Reason::MisSale => CancellationReason::MisSale,
        Reason::Misstatement => CancellationReason::Misstatement,
        Reason::Fraud => CancellationReason::Fraud,
    }
}
