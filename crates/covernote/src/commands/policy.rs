//! `covernote policy`: policies as their operator lists, shows and cancels them (D66 to D69).

use domain::cancellation::CancellationReason;
use domain::date::{Date, Timestamp, kolkata_time};
use domain::id::PolicyId;
use domain::identifier::{Identifier, IdentifierKind};
use domain::period::IsoDate;
use domain::person::{IndianMobile, PersonalLine};
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::{Value, json};
use service::Service;
use service::cancellation::{CancellationAsk, CancellationQuote};
use service::on_any_policy;
use service::policy::{PolicyShown, PolicySought, PolicyView};

use super::{export, on_service};
use crate::cli::{CancellationVerdict, FindBy, Policy, PolicyVerb, Reason, State};
use crate::failure::Failure;
use crate::output;

pub(super) fn run(Policy { verb, flags }: Policy) -> Result<(), Failure> {
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
            let id = read_id(&id)?;
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
                note: note.as_deref().map(|text| read_line("--note", text)).transpose()?,
            };
            cancel(&service, read_id(&id)?, &ask, quote, json).await
        }
        PolicyVerb::Decide { id, verdict, reason, json } => {
            let id = read_id(&id)?;
            let reason = reason.as_deref().map(|text| read_line("--reason", text)).transpose()?;
            let confirms = verdict == CancellationVerdict::Confirm;
            let state = service.cancellations.decide(id, confirms, reason).await?;
            if json {
                output::json(&json!({ "policy_id": id.to_string(), "status": state.word() }));
            }
            output::message(&format!("{id} is {state}"));
            Ok(())
        }
    })
}

/// What policies are looked for by.
fn sought(by: FindBy) -> Result<PolicySought, Failure> {
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
        IdentifierKind::Mobile => IndianMobile::from_text(value.trim())
            .map(|IndianMobile(mobile)| mobile.reveal().to_owned())
            .map_err(|came| {
                Failure::BadData(format!("--mobile: {} is wanted, not {came}", IndianMobile::WANTED))
            })?,
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
) -> Result<(), Failure> {
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

fn print_quote(quote: &CancellationQuote, state: Option<PolicyState>, as_json: bool) {
    let refund = quote.refund.refund;
    let steps = quote.refund.steps.iter();
    if as_json {
        let step = |step: &rating::Step| {
            json!({
                "step": step.kind.to_string(), "factor": step.factor, "amount": step.exact_amount(),
                "rule": step.location.as_ref().map(ToString::to_string),
            })
        };
        let mut printed = json!({
            "policy_id": quote.policy.to_string(), "reason": quote.reason.word(),
            "effective_on": quote.effective_on.to_string(), "base": refund.base().to_string(),
            "gst": refund.gst().to_string(), "total": refund.total().to_string(),
            "refund_due_on": quote.refund.due_on.to_string(), "source": quote.refund.source,
            "steps": steps.map(step).collect::<Vec<_>>(),
        });
        if let Some(state) = state {
            printed["status"] = state.word().into();
        }
        output::json(&printed);
        return;
    }
    let row = |step: &rating::Step| {
        vec![
            step.kind.to_string(),
            step.factor.clone(),
            step.exact_amount(),
            step.location.as_ref().map(ToString::to_string).unwrap_or_default(),
        ]
    };
    output::table(&["step", "factor", "amount", "rule"], steps.map(row).collect());
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

/// A policy in short, without personal data.
pub(super) fn to_json(shown: &PolicyShown) -> Value {
    on_any_policy!(&shown.policy, policy => json!({
        "policy_id": policy.id.to_string(), "policy_number": policy.number.as_str(),
        "insurer_policy_number": policy.insurer_number.as_ref().map(|number| number.as_str()),
        "partner_id": policy.partner.to_string(),
        "line": shown.policy.line().word(), "status": shown.state().word(),
        "status_since": shown.state_since().to_string(), "insurer": shown.covered.insurer,
        "product": shown.covered.product_name, "variant": shown.covered.variant_name,
        "issued_at": policy.issued_at.to_string(),
        "cover_starts": shown.covered.starts.map(|day| day.to_string()),
        "cover_ends": policy.last_day().to_string(), "sum_insured": policy.sum_insured.to_string(),
        "premium": policy.premium.total().to_string(),
        "proposal_id": policy.proposal.map(|proposal| proposal.to_string()),
    }))
}

fn view_to_json(view: &PolicyView) -> Value {
    let mut printed = to_json(&view.shown);
    let history = view.history.iter().map(|made| {
        json!({
            "at": made.at.to_string(), "by": made.by.word(), "from": made.from.map(PolicyState::word),
            "to": made.to.word(), "reason": made.reason.as_ref().map(PersonalLine::reveal),
        })
    });
    printed["history"] = history.collect::<Vec<_>>().into();
    let cancellation = on_any_policy!(&view.shown.policy, policy => policy.cancellation.as_ref());
    if let Some(cancellation) = cancellation {
        printed["cancellation"] = json!({
            "reason": cancellation.reason.word(), "asked_at": cancellation.asked_at.to_string(),
            "asked_by": cancellation.asked_by.word(), "refund": cancellation.refund.total().to_string(),
            "refund_due_on": cancellation.due_on.to_string(),
            "confirmed_at": cancellation.confirmed_at.map(|at| at.to_string()),
            "paid": cancellation.paid.as_ref().map(|paid| json!({
                "reference": paid.reference.as_str(), "paid_on": paid.paid_on.to_string(),
                "interest": paid.interest.to_string(),
            })),
        });
    }
    printed
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
        if let Some(cancellation) = &policy.cancellation {
            let refund = cancellation.refund.total().grouped_with_paise();
            output::data(&format!("cancellation for {}: {refund} comes back, due on {}", cancellation.reason, cancellation.due_on));
            if let Some(paid) = &cancellation.paid {
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

pub(super) fn read_id(text: &str) -> Result<PolicyId, Failure> {
    text.parse().map_err(|_| {
        Failure::BadData(format!("{text} is not the id of a policy, which is pol_ and 26 characters"))
    })
}

pub(super) fn read_day(flag: &str, text: &str) -> Result<Date, Failure> {
    IsoDate::from_text(text.trim())
        .map(|day| day.0)
        .map_err(|came| Failure::BadData(format!("{flag}: {came} was found; {} is wanted", IsoDate::WANTED)))
}

pub(super) fn read_line(flag: &str, text: &str) -> Result<PersonalLine, Failure> {
    PersonalLine::from_text(text.trim()).map_err(|came| {
        Failure::BadData(format!("{flag}: {came} was found; {} is wanted", PersonalLine::WANTED))
    })
}

const fn state_of(state: State) -> PolicyState {
    match state {
        State::Issued => PolicyState::Issued,
        State::CancellationRequested => PolicyState::CancellationRequested,
        State::Cancelled => PolicyState::Cancelled,
        State::Lapsed => PolicyState::Lapsed,
        State::Expired => PolicyState::Expired,
        State::Renewed => PolicyState::Renewed,
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
