//! Actions that read policies. Actions that change policies have their own files.

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::{Args, ValueEnum};
use domain::endorsement::Endorsement;
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Rupees;
use domain::person::IndianMobile;
use domain::policy_state::PolicyState;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::on_any_policy;
use service::policy::{PolicyShown, PolicySought, PolicyView};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, Needed, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{only_one, read};
use crate::cancellation::{CancelPolicy, DecideCancellation};
use crate::endorsement::{DecideEndorsement, EndorsePolicy, ListEndorsements};
use crate::export::{self, ExportAsk};
use crate::record::{
    POLICY_READERS, for_operator, masked_names, masked_reference, minute, partner_name, policy_id,
    policy_in_short,
};
use crate::renewal::{ListDuePolicies, RenewPolicy};

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
        Certificate(PolicyCertificate),
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
    /// Only policies with this status today; CANCELLATION_REQUESTED may need your decision
    #[arg(long, value_enum, ignore_case = true)]
    status: Option<State>,
    /// Most policies to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListPolicies {
    const ABOUT: About = get("policy.list", "/policies", POLICY_READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let found =
            on.service.policies.of_partners(self.partner.as_deref(), self.status.map(state_of), self.most);
        Ok(list(on, &found.await?))
    }
}

/// Find policies by an exact number, mobile number, e-mail address, PAN or reference
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct FindPolicies {
    /// Number or identifier to find
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
    const ABOUT: About = post("policy.find", "/policies/search", POLICY_READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let found =
            on.service.policies.find_by(self.partner.as_deref(), &sought(&self.by)?, self.most).await?;
        let answer = list(on, &found);
        Ok(if found.is_empty() { answer.saying("No policy matches.") } else { answer })
    }
}

/// Write policies into a CSV file, newest first; names and dates of birth only with --personal
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ExportPolicies {
    /// Policies to write, and the file
    #[command(flatten)]
    #[serde(flatten)]
    export: ExportAsk,
    /// Also write names and dates of birth of the insured persons
    #[arg(long)]
    #[serde(default)]
    personal: bool,
}

impl Act for ExportPolicies {
    const ABOUT: About =
        get("policy.export", "/policies.csv", &[Role::Compliance, Role::Accounts]).giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.export.out)
    }

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        Ok(self.personal.then(|| Needed::new("policies with names and dates of birth")))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (days, of) = self.export.read(on).await?;
        Ok(export::policies(on.service.clone(), of, days, self.personal))
    }
}

/// Show a policy with its history, claims and cancellation; without --personal, names and the partner's
/// reference are shortened
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPolicy {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Show names and the partner's reference in full
    #[arg(long, requires = "reason")]
    #[serde(default)]
    personal: bool,
    /// Why you need to see the personal data; recorded in the audit trail
    #[arg(long, requires = "personal")]
    reason: Option<String>,
}

impl Act for ShowPolicy {
    const ABOUT: About = get("policy.show", "/policies/{id}", POLICY_READERS);

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let of = on.service.policies.owner(id).await?;
        let view = on.service.policies.view(of, id).await?;
        let mut answer = Answer::of(view_to_json(on, &view, self.personal));
        show(&mut answer, on, &view, self.personal);
        Ok(answer)
    }
}

/// Write a certificate of a policy into a file: the newest certificate, or one that an endorsement replaced
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyCertificate {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Number of the certificate, where 1 is the first [default: the newest]
    #[serde(skip_serializing_if = "Option::is_none")]
    nth: Option<u32>,
    /// Why you need the certificate; recorded in the audit trail
    #[arg(long)]
    reason: String,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    out: PathBuf,
}

impl Act for PolicyCertificate {
    const ABOUT: About = get(
        "policy.certificate",
        "/policies/{id}/certificate",
        &[Role::Support, Role::Underwriting, Role::Compliance],
    )
    .giving_file();

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let id = policy_id(on, &self.id).await?;
        let bytes = match self.nth {
            Some(nth) => on.service.endorsements.replaced_certificate(id, nth).await?.1,
            None => on.service.documents.newest(on.service.policies.owner(id).await?, id).await?,
        };
        Ok(Answer::file("application/pdf", Some(bytes.len() as u64), Body::from(bytes)))
    }
}

/// Number or identifier to find; give exactly one
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[group(required = true, multiple = false)]
pub(crate) struct FindBy {
    /// The number on the certificate, or the insurer's number
    #[arg(long)]
    number: Option<String>,
    /// Mobile number of the customer, 10 digits
    #[arg(long)]
    mobile: Option<String>,
    /// E-mail address of the customer
    #[arg(long)]
    email: Option<String>,
    /// PAN of the customer
    #[arg(long)]
    pan: Option<String>,
    /// The partner's own reference, such as a loan account
    #[arg(long)]
    reference: Option<String>,
}

/// Parses the number or identifier to find.
fn sought(by: &FindBy) -> Result<PolicySought> {
    let (kind, value) = only_one([
        ("number", None, &by.number),
        ("mobile", Some(IdentifierKind::Mobile), &by.mobile),
        ("email", Some(IdentifierKind::Email), &by.email),
        ("pan", Some(IdentifierKind::Pan), &by.pan),
        ("reference", Some(IdentifierKind::Reference), &by.reference),
    ])?;
    match kind {
        Some(kind) => known_as(kind, value).map(PolicySought::Known),
        None => Ok(PolicySought::Number(value.to_owned())),
    }
}

/// Parses an identifier. A mobile number may have a country code and spaces.
pub(crate) fn known_as(kind: IdentifierKind, value: &str) -> Result<Identifier> {
    let value = match kind {
        IdentifierKind::Mobile => {
            read("--mobile", value).map(|IndianMobile(mobile)| mobile.reveal().to_owned())?
        }
        _ => value.to_owned(),
    };
    Ok(Identifier::of(kind, &value))
}

fn list(on: &On, policies: &[PolicyShown]) -> Answer {
    let json =
        json!({ "policies": policies.iter().map(|shown| policy_in_short(on, shown)).collect::<Vec<_>>() });
    let row = |shown: &PolicyShown| {
        on_any_policy!(&shown.policy, policy => vec![
            policy.id.to_string(),
            policy.number.to_string(),
            shown.state().to_string(),
            masked_names(shown).join(", "),
            shown.covered.insurer.clone(),
            shown.covered.product_name.clone(),
            policy.premium.total().grouped_with_paise(),
            policy.last_day().to_string(),
            partner_name(on, policy.partner),
            masked_reference(shown).unwrap_or_default(),
        ])
    };
    Answer::of(json).table(
        &[
            "policy_id",
            "number",
            "status",
            "insured",
            "insurer",
            "product",
            "premium",
            "covers until",
            "partner",
            "reference",
        ],
        policies.iter().map(row),
    )
}

fn view_to_json(on: &On, view: &PolicyView, personal: bool) -> Value {
    let partner = view.shown.policy.partner();
    let left_out: &[&str] = if personal { &[] } else { &["members", "papers"] };
    let mut printed = for_operator(on, shown::policy_view(view), partner, left_out);
    if !personal {
        printed["reference"] = masked_reference(&view.shown).into();
        printed["insured"] = masked_names(&view.shown).into();
    }
    printed
}

fn show(to: &mut Answer, on: &On, view: &PolicyView, personal: bool) {
    let shown = &view.shown;
    on_any_policy!(&shown.policy, policy => {
        let insurers = policy.insurer_number.as_ref().map_or(String::new(), |number| format!(", insurer's number {number}"));
        to.data(format!("{}  {}{insurers}", policy.id, policy.number));
        to.data(format!("{} since {}", shown.state(), minute(shown.state_since())));
        let names = match personal {
            true => shown.covered.members.iter().map(|member| member.name.reveal().to_owned()).collect(),
            false => masked_names(shown),
        };
        to.data(format!("insured: {}", names.join(", ")));
        to.data(format!("{}, {}: {}", shown.covered.insurer, shown.covered.product_name, shown.covered.variant_name));
        let starts = shown.covered.starts.map_or_else(String::new, |day| format!("from {day} "));
        to.data(format!("sum insured {} {starts}to {}", policy.sum_insured.grouped(), policy.last_day()));
        to.data(format!("premium {}, sold by {}", policy.premium.total().grouped_with_paise(), partner_name(on, policy.partner)));
        let reference = match personal {
            true => policy.reference.as_ref().map(|reference| reference.reveal().to_owned()),
            false => masked_reference(shown),
        };
        reference.iter().for_each(|reference| to.data(format!("reference {reference}")));
        policy.proposal.iter().for_each(|proposal| to.data(format!("proposal {proposal}")));
        for claim in &view.claims {
            to.data(format!("claim {}: {} on {}, {}", claim.id, claim.notice.kind, claim.notice.event_on, claim.state));
        }
        for endorsement in &policy.endorsements {
            let Endorsement { number, change, state, asked_at, .. } = endorsement;
            let difference = endorsement.difference().total();
            let costs = match difference == Rupees::ZERO {
                true => String::new(),
                false => format!(", premium difference {}", difference.grouped_with_paise()),
            };
            to.data(format!(
                "endorsement {number} for {}: {state}, requested at {}{costs}",
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
            to.data(format!("cancellation for {}: refund {total}, {whose}", cancellation.reason));
            if let Some(paid) = &cancellation.refund.paid {
                let interest = paid.interest.grouped_with_paise();
                to.data(format!("paid on {}, reference {}, interest {interest}", paid.paid_on, paid.reference.as_str()));
            }
        }
    });
    for made in &view.history {
        let reason = made.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.reveal()));
        to.data(format!("{}  {} by the {}{reason}", minute(made.at), made.to, made.by));
    }
}

/// Status of a policy
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum State {
    /// The policy is in force, or its cover starts later
    Issued,
    /// The cancellation of the policy was requested
    CancellationRequested,
    /// The policy was cancelled
    Cancelled,
    /// The policy was not renewed in time, and can no longer be renewed
    Lapsed,
    /// The policy's last day has passed. It can still be renewed, or its product has no renewals
    Expired,
    /// The policy was renewed: another policy follows it
    Renewed,
    /// A paid claim ended the cover of the policy's last insured person
    Terminated,
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
