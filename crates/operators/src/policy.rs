//! Policies: an operator lists, shows, endorses, renews and cancels them (D66 to D69, D89, D91).

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::{Args, ValueEnum};
use domain::cancellation::CancellationReason;
use domain::endorsement::{ChargePayment, Endorsement, EndorsementState};
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Rupees;
use domain::person::IndianMobile;
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::policy::cancellation::{CancellationAsk, CancellationQuote};
use service::policy::endorsement::{EndorsementAsk, EndorsementQuote, EndorsementVerdict};
use service::policy::{PolicyShown, PolicySought, PolicyView};
use service::proposal::renewal::{RenewalDue, RenewalQuote};
use service::{Error, on_any_policy};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read, read_day, read_id, read_reference};
use crate::export::{self, ExportAsk};
use crate::record::{for_operator, minute};

const READERS: &[Role] =
    &[Role::Read, Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

verbs! {
    /// Verbs of `covernote policy`
    PolicyVerb {
        List(ListPolicies),
        Find(FindPolicies),
        Export(ExportPolicies),
        Show(ShowPolicy),
        Cancel(CancelPolicy),
        Endorse(EndorsePolicy),
        Endorsements(ListEndorsements),
        DecideEndorsement(DecideEndorsement),
        Due(ListDuePolicies),
        Renew(RenewPolicy),
        Certificate(ReplacedCertificate),
        Decide(DecideCancellation),
    }
}

/// List policies, newest first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPolicies {
    /// Only policies of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only policies that stand in this state today. Those whose cancellation was requested may need your decision
    #[arg(long, value_enum, ignore_case = true)]
    status: Option<State>,
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListPolicies {
    const ABOUT: About = get("policy.list", "/policies", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let found =
            on.service.policies.of_partners(self.partner.as_deref(), self.status.map(state_of), self.most);
        Ok(list(&found.await?))
    }
}

/// Find policies by a number, or by what their customer or their sale is known by; exact
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct FindPolicies {
    /// What to find them by
    #[command(flatten)]
    #[serde(flatten)]
    by: FindBy,
    /// Only policies of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for FindPolicies {
    const ABOUT: About = post("policy.find", "/policies/search", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let found =
            on.service.policies.find_by(self.partner.as_deref(), &sought(self.by)?, self.most).await?;
        let answer = list(&found);
        Ok(if found.is_empty() { answer.saying("No policy is found by this.") } else { answer })
    }
}

/// Write policies into a CSV file, newest first; names and days of birth only with --personal
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ExportPolicies {
    /// What to write, and where
    #[command(flatten)]
    #[serde(flatten)]
    export: ExportAsk,
    /// Also who is covered: names and days of birth
    #[arg(long)]
    #[serde(default)]
    personal: bool,
}

impl Act for ExportPolicies {
    const ABOUT: About = get("policy.export", "/policies.csv", &[Role::Compliance, Role::Accounts]);

    fn out(&self) -> Option<&Path> {
        Some(&self.export.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (days, of) = self.export.read(on).await?;
        Ok(export::policies(on.service.clone(), of, days, self.personal))
    }
}

/// Show a policy with every move and its cancellation; names and days of birth are not shown
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPolicy {
    /// pol_…
    id: String,
}

impl Act for ShowPolicy {
    const ABOUT: About = get("policy.show", "/policies/{id}", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a policy", &self.id)?;
        let of = on.service.policies.owner(id).await?;
        let view = on.service.policies.view(of, id).await?;
        let mut answer = Answer::of(view_to_json(&view));
        show(&mut answer, &view);
        Ok(answer)
    }
}

/// Cancel a policy as of today; --quote only says what would come back
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelPolicy {
    /// pol_…
    id: String,
    /// Why
    #[arg(long, value_enum, ignore_case = true)]
    reason: Reason,
    /// The day on which the customer received the document, YYYY-MM-DD [default: the first download, else the issue]
    #[arg(long, value_name = "DAY")]
    received_on: Option<String>,
    /// The insurer gives the reason, as only it can for FRAUD and MISSTATEMENT
    #[arg(long)]
    #[serde(default)]
    for_insurer: bool,
    /// A note for the history
    #[arg(long)]
    note: Option<String>,
    /// Change nothing: print what would come back, step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for CancelPolicy {
    const ABOUT: About =
        post("policy.cancel", "/policies/{id}/cancellation", &[Role::Underwriting, Role::Support]);

    async fn run(self, on: &On) -> Result<Answer> {
        let ask = CancellationAsk {
            reason: reason_of(self.reason),
            received_on: self.received_on.as_deref().map(|day| read_day("--received-on", day)).transpose()?,
            by: if self.for_insurer { Actor::Insurer } else { Actor::Operator },
            note: self.note.as_deref().map(|text| read("--note", text)).transpose()?,
        };
        let id = read_id("a policy", &self.id)?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(cancellation(&on.service.cancellations.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.cancellations.request(of, id, &ask, None).await?;
        let (quote, state) = (draft.quote.clone(), draft.state);
        on.service.cancellations.keep(draft, None).await?.replayed();
        Ok(cancellation(&quote, Some(state)).saying(format!("{id} is {state}")))
    }
}

/// Change a policy, with a new certificate; --quote only says what it would cost or give back
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndorsePolicy {
    /// pol_…
    id: String,
    /// What is changed: a file of JSON in the shape of the API's endorsement-quote
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    change: PathBuf,
    /// What is changed, in the shape of the partners' API.
    #[arg(skip)]
    #[schema(value_type = Object)]
    wanted: Value,
    /// Change nothing: print what it would cost or give back, step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for EndorsePolicy {
    const ABOUT: About =
        post("policy.endorse", "/policies/{id}/endorsements", &[Role::Underwriting, Role::Support]);

    fn read_files(&mut self) -> Result<(), String> {
        let said = |cause: &dyn std::fmt::Display| format!("{}: {cause}", self.change.display());
        let bytes = std::fs::read(&self.change).map_err(|cause| said(&cause))?;
        self.wanted = serde_json::from_slice(&bytes).map_err(|cause| said(&cause))?;
        Ok(())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let change = serde_json::to_vec(&self.wanted).map_err(|cause| bad(cause.to_string()))?;
        let (change, note) =
            web::read_endorsement(&change, on.service.policies.today()).map_err(Error::Invalid)?;
        let ask = EndorsementAsk { change, by: Actor::Operator, note };
        let id = read_id("a policy", &self.id)?;
        let of = on.service.policies.owner(id).await?;
        if self.quote {
            return Ok(endorsement(&on.service.endorsements.quote(of, id, &ask).await?, None));
        }
        let draft = on.service.endorsements.request(of, id, &ask, None).await?;
        let (quote, number, state) = (draft.quote.clone(), draft.number, draft.state);
        on.service.endorsements.keep(draft, None).await?.replayed();
        let answer = endorsement(&quote, Some((number, state)));
        Ok(answer.saying(format!("endorsement {number} of {id} is {state}")))
    }
}

/// List policies of which an endorsement waits for a confirmation or for its payment
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEndorsements {
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListEndorsements {
    const ABOUT: About = get("policy.endorsements", "/endorsements", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list_endorsements(&on.service.policies.endorsements_open(self.most).await?))
    }
}

/// Confirm or refuse the endorsement of a policy that waits
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideEndorsement {
    /// pol_…
    id: String,
    /// What is decided
    #[arg(long, value_enum)]
    verdict: PolicyVerdict,
    /// Which one, as `policy endorsements` shows it: refused where another one waits by now
    #[arg(long, value_name = "N")]
    number: Option<u16>,
    /// Why it is refused
    #[arg(long)]
    reason: Option<String>,
    /// What the payment of its charge is called, such as the bank's UTR
    #[arg(long, value_name = "REFERENCE")]
    payment: Option<String>,
    /// The day on which the insurer received that, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY", requires = "payment")]
    paid_on: Option<String>,
}

impl Act for DecideEndorsement {
    const ABOUT: About =
        post("policy.decide_endorsement", "/policies/{id}/endorsement-decision", &[Role::Underwriting]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a policy", &self.id)?;
        let verdict = match self.verdict {
            PolicyVerdict::Refuse => EndorsementVerdict::Refuse(
                self.reason.as_deref().map(|text| read("--reason", text)).transpose()?,
            ),
            PolicyVerdict::Confirm => EndorsementVerdict::Confirm(match self.payment {
                None => None,
                Some(payment) => Some(ChargePayment {
                    reference: read_reference(&payment)?,
                    received_on: match self.paid_on {
                        Some(day) => read_day("--paid-on", &day)?,
                        None => on.service.policies.today(),
                    },
                }),
            }),
        };
        let (number, state) =
            on.service.endorsements.decide(id, self.number, Actor::Operator, verdict).await?;
        let json = json!({ "policy_id": id.to_string(), "number": number, "status": state.word() });
        Ok(Answer::of(json).saying(format!("endorsement {number} of {id} is {state}")))
    }
}

/// List health policies that are due to be renewed, the one that ends first before the others
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDuePolicies {
    /// Only policies of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Those that end within so many days [default: those that can be renewed today]
    #[arg(long, value_name = "DAYS")]
    within: Option<u16>,
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListDuePolicies {
    const ABOUT: About = get("policy.due", "/renewals", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list_due(
            &on.service.renewals.due_of_partners(self.partner.as_deref(), self.within, self.most).await?,
        ))
    }
}

/// Make the proposal by which another policy follows; --quote only says what it would cost
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenewPolicy {
    /// pol_…
    id: String,
    /// Years of cover [default: as before]
    #[arg(long, value_name = "YEARS")]
    years: Option<u8>,
    /// Change nothing: print what it would cost, step by step
    #[arg(long)]
    #[serde(default)]
    quote: bool,
}

impl Act for RenewPolicy {
    const ABOUT: About = post("policy.renew", "/policies/{id}/renewal", &[Role::Underwriting, Role::Support]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a policy", &self.id)?;
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

/// Write a certificate that an endorsement replaced
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplacedCertificate {
    /// pol_…
    id: String,
    /// Its number among those that the policy had, from 1 on: the one of the issue
    nth: u32,
    /// The file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    out: PathBuf,
}

impl Act for ReplacedCertificate {
    const ABOUT: About = get(
        "policy.certificate",
        "/policies/{id}/certificates/{nth}",
        &[Role::Support, Role::Underwriting, Role::Compliance],
    );

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a policy", &self.id)?;
        let (_, bytes) = on.service.endorsements.replaced_certificate(id, self.nth).await?;
        Ok(Answer::file("application/pdf", Some(bytes.len() as u64), Body::from(bytes)))
    }
}

/// Confirm or refuse a cancellation that was requested
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideCancellation {
    /// pol_…
    id: String,
    /// What is decided
    #[arg(long, value_enum)]
    verdict: PolicyVerdict,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

impl Act for DecideCancellation {
    const ABOUT: About = post("policy.decide", "/policies/{id}/cancellation-decision", &[Role::Underwriting]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a policy", &self.id)?;
        let reason = self.reason.as_deref().map(|text| read("--reason", text)).transpose()?;
        let confirms = self.verdict == PolicyVerdict::Confirm;
        let state = on.service.cancellations.decide(id, None, Actor::Operator, confirms, reason).await?;
        let json = json!({ "policy_id": id.to_string(), "status": state.word() });
        Ok(Answer::of(json).saying(format!("{id} is {state}")))
    }
}

/// What policies are found by: one of these.
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[group(required = true, multiple = false)]
pub(crate) struct FindBy {
    /// The number on the certificate, or the insurer's number
    #[arg(long)]
    number: Option<String>,
    /// Mobile number of 10 digits
    #[arg(long)]
    mobile: Option<String>,
    /// E-mail address
    #[arg(long)]
    email: Option<String>,
    /// PAN
    #[arg(long)]
    pan: Option<String>,
    /// The partner's own reference, such as a loan account
    #[arg(long)]
    reference: Option<String>,
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
    let (kind, value) = given.ok_or_else(|| bad("nothing to find a policy by"))?;
    let value = match kind {
        // People write it with a country code and spaces.
        IdentifierKind::Mobile => {
            read("--mobile", &value).map(|IndianMobile(mobile)| mobile.reveal().to_owned())?
        }
        _ => value,
    };
    Ok(PolicySought::Known(Identifier::of(kind, &value)))
}

/// A policy in short, with its partner and without personal data.
pub(crate) fn to_json(shown: &PolicyShown) -> Value {
    let partner = on_any_policy!(&shown.policy, policy => policy.partner);
    for_operator(shown::policy(shown), partner, &["reference"])
}

fn list(policies: &[PolicyShown]) -> Answer {
    let json = json!({ "policies": policies.iter().map(to_json).collect::<Vec<_>>() });
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
    Answer::of(json).table(
        &["policy_id", "number", "status", "partner_id", "insurer", "covers until", "premium"],
        policies.iter().map(row),
    )
}

fn view_to_json(view: &PolicyView) -> Value {
    let partner = on_any_policy!(&view.shown.policy, policy => policy.partner);
    for_operator(shown::policy_view(view), partner, &["reference", "members", "papers"])
}

fn show(to: &mut Answer, view: &PolicyView) {
    let shown = &view.shown;
    on_any_policy!(&shown.policy, policy => {
        let insurers = policy.insurer_number.as_ref().map_or(String::new(), |number| format!(", the insurer's {number}"));
        to.data(format!("{}  {}{insurers}", policy.id, policy.number));
        to.data(format!("{} since {}", shown.state(), minute(shown.state_since())));
        to.data(format!("{}, {}: {}", shown.covered.insurer, shown.covered.product_name, shown.covered.variant_name));
        let starts = shown.covered.starts.map_or_else(String::new, |day| format!("from {day} "));
        to.data(format!("{} {starts}to {}", policy.sum_insured.grouped(), policy.last_day()));
        to.data(format!("premium {}, of partner {}", policy.premium.total().grouped_with_paise(), policy.partner));
        for endorsement in &policy.endorsements {
            let Endorsement { number, change, state, asked_at, .. } = endorsement;
            let difference = endorsement.difference().total();
            let costs = match difference == Rupees::ZERO {
                true => String::new(),
                false => format!(", {} of premium", difference.grouped_with_paise()),
            };
            to.data(format!(
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
            to.data(format!("cancellation for {}: {total} comes back, {whose}", cancellation.reason));
            if let Some(paid) = &cancellation.refund.paid {
                let interest = paid.interest.grouped_with_paise();
                to.data(format!("paid on {} by {}, with {interest} of interest", paid.paid_on, paid.reference.as_str()));
            }
        }
    });
    for made in &view.history {
        let reason = made.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.reveal()));
        to.data(format!("{}  {} by the {}{reason}", minute(made.at), made.to, made.by));
    }
}

fn list_endorsements(waiting: &[PolicyShown]) -> Answer {
    let open = |shown: &PolicyShown| -> Option<Endorsement> {
        on_any_policy!(&shown.policy, policy => policy.open_endorsement().cloned())
    };
    let one = |shown: &PolicyShown| {
        let mut printed = to_json(shown);
        printed["endorsement"] = open(shown).as_ref().map(shown::endorsement).into();
        printed
    };
    let json = json!({ "policies": waiting.iter().map(one).collect::<Vec<_>>() });
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
    Answer::of(json).table(
        &["policy_id", "insurer", "number", "kind", "asked for", "by", "to be paid"],
        waiting.iter().filter_map(row),
    )
}

/// What an endorsement costs or gives back, and how it stands if it was made.
fn endorsement(quote: &EndorsementQuote, made: Option<(u16, EndorsementState)>) -> Answer {
    let refund = quote.refund.as_ref();
    let mut json = shown::endorsement_quote(quote);
    if let Some((number, state)) = made {
        json["number"] = number.into();
        json["status"] = state.word().into();
    }
    let mut answer = Answer::of(json).steps(&quote.steps);
    let charge = quote.charge.total();
    let costs = match refund {
        Some(refund) => {
            format!("{} comes back, due on {}", refund.amount.total().grouped_with_paise(), refund.due_on)
        }
        None if charge > Rupees::ZERO => format!("{} is to be paid first", charge.grouped_with_paise()),
        None => "Nothing is to be paid, and nothing comes back".to_owned(),
    };
    answer.data(format!("{costs}: {}", quote.source));
    answer
}

/// What a cancellation gives back, and where the policy stands if it was asked for.
fn cancellation(quote: &CancellationQuote, state: Option<PolicyState>) -> Answer {
    let refund = quote.refund.refund;
    let mut json = shown::cancellation_quote(quote);
    if let Some(state) = state {
        json["status"] = state.word().into();
    }
    let mut answer = Answer::of(json).steps(&quote.refund.steps);
    answer.data(format!(
        "\n{} comes back, due on {}: {}",
        refund.total().grouped_with_paise(),
        quote.refund.due_on,
        quote.refund.source
    ));
    answer
}

fn list_due(due: &[RenewalDue]) -> Answer {
    let one = |due: &RenewalDue| {
        let mut printed = to_json(&due.shown);
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
            partner.to_string(),
            due.shown.covered.insurer.clone(),
            due.shown.state().to_string(),
            ends.to_string(),
            due.until.to_string(),
            due.notice.map(|days| days.to_string()).unwrap_or_default(),
        ]
    };
    Answer::of(json).table(
        &["policy_id", "partner", "insurer", "status", "ends", "renewable until", "notice"],
        due.iter().map(row),
    )
}

/// What a renewal costs, and its proposal if it was made.
fn renewal(quote: &RenewalQuote, proposal: Option<&str>) -> Answer {
    let premium = quote.premium;
    let mut json = shown::renewal_quote(quote);
    if let Some(proposal) = proposal {
        json["proposal_id"] = proposal.into();
    }
    let mut answer = Answer::of(json).steps(&quote.steps);
    let waiting = quote.waiting;
    answer.data(format!(
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
        answer.data(format!("Nobody is covered for {} days before it.", quote.days_without_cover));
    }
    answer
}

/// Where a policy stands.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum State {
    /// It covers, or will.
    Issued,
    /// Somebody asked for its cancellation.
    CancellationRequested,
    /// It was cancelled.
    Cancelled,
    /// It could be renewed, and was not.
    Lapsed,
    /// Its last day is over, and it can still be renewed or never could.
    Expired,
    /// Another policy follows it.
    Renewed,
    /// A paid claim ended the cover of its last life.
    Terminated,
}

/// Why a policy is cancelled.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Reason {
    /// The customer gives the document back in time.
    FreeLook,
    /// The borrower left the loan in its cooling-off period.
    LoanCoolingOff,
    /// The loan was repaid before its time.
    LoanForeclosed,
    /// The loan was never disbursed.
    NotDisbursed,
    /// The customer no longer wants it.
    Customer,
    /// The same cover was sold twice.
    Duplicate,
    /// It was sold wrongly.
    MisSale,
    /// Something that was told is not so, without fraud.
    Misstatement,
    /// Somebody deceived the insurer.
    Fraud,
}

/// What is decided of a cancellation or an endorsement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PolicyVerdict {
    /// It is done.
    Confirm,
    /// The policy goes on as it is.
    Refuse,
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
