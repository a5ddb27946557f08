//! Actions on claims (D81 to D83).

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::{Args, ValueEnum};
use domain::claim::{Claim, ClaimDocument, ClaimState, WaivedPaper};
use domain::id::ClaimId;
use domain::proposal::Actor;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::Error;
use service::claim::settlement::{ClaimPaid, ClaimVerdict};
use service::claim::{ClaimShown, ClaimView};
use service::policy::claim_cover::ClaimCover;
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, Needed, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{PaymentMade, bad, read, read_amount, read_id};
use crate::record::{for_operator, minute, partner_name, policy_id};

verbs! {
    /// Verbs of `covernote claim`
    ClaimVerb {
        Add(AddClaim),
        List(ListClaims),
        Show(ShowClaim),
        Decide(DecideClaim),
        Paid(PayClaim),
        Withdraw(WithdrawClaim),
        Paper(ClaimPaper),
    }
}

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Claims, Role::Compliance];

/// Add a claim that somebody has reported to you
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddClaim {
    /// Policy id (pol_…) or policy number
    id: String,
    /// Kind of the loss: DEATH, DISABILITY, HOSPITALISATION or OTHER
    #[arg(long)]
    kind: String,
    /// Day of the loss, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    event_on: String,
    /// What happened, in words
    #[arg(long)]
    cause: String,
    /// Where the loss happened, such as the town or hospital
    #[arg(long)]
    place: Option<String>,
    /// Number of the policy's insured member whom the loss concerns, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[serde(default = "first_member")]
    member: u16,
    /// Name of the claimant: the person who makes the claim
    #[arg(long, value_name = "NAME")]
    claimant: String,
    /// Relationship of the claimant to the insured person, such as spouse
    #[arg(long)]
    relation: String,
    /// Mobile number of the claimant
    #[arg(long)]
    mobile: String,
    /// E-mail address of the claimant
    #[arg(long)]
    email: Option<String>,
    /// Claimed amount, in rupees
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<String>,
    /// Name of the holder of the bank account to which the claim is to be paid
    #[arg(long, value_name = "NAME", requires = "account", requires = "ifsc")]
    holder: Option<String>,
    /// Number of the bank account to which the claim is to be paid
    #[arg(long, value_name = "NUMBER", requires = "holder")]
    account: Option<String>,
    /// IFSC (branch code) of the bank account to which the claim is to be paid
    #[arg(long, requires = "holder")]
    ifsc: Option<String>,
}

const fn first_member() -> u16 {
    1
}

impl Act for AddClaim {
    const ABOUT: About = post("claim.add", "/policies/{id}/claims", &[Role::Support, Role::Claims]);

    async fn run(self, on: &On) -> Result<Answer> {
        let policy = policy_id(on, &self.id).await?;
        let account = self.holder.is_some() || self.account.is_some() || self.ifsc.is_some();
        let account =
            account.then(|| json!({ "holder": self.holder, "number": self.account, "ifsc": self.ifsc }));
        let told = json!({
            "policy_id": policy.to_string(), "kind": self.kind.to_uppercase(), "event_on": self.event_on,
            "cause": self.cause, "place": self.place, "member": self.member, "claimed_amount": self.amount,
            "claimant": {
                "name": self.claimant, "relation": self.relation, "mobile": self.mobile, "email": self.email,
            },
            "account": account,
        });
        let told = told.as_object().cloned().unwrap_or_default();
        let (policy, notice) = web::read_claim(&told).map_err(Error::Invalid)?;
        let of = on.service.policies.owner(policy).await?;
        let draft = on.service.claims.intimate(of, policy, notice, Actor::Operator).await?;
        let claim = draft.claim.clone();
        on.service.claims.keep(draft, None).await?.replayed();
        let shown = ClaimShown { today: on.service.policies.today_of(of), claim };
        let (id, by) = (shown.claim.id, shown.claim.settle_by());
        let json = for_operator(on, shown::claim(&shown), of, &[]);
        Ok(Answer::of(json).saying(format!("{id} must be settled by {by}")))
    }
}

/// List claims that are not settled, earliest due date first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListClaims {
    /// Also list settled claims; the newest claim comes first
    #[arg(long)]
    #[serde(default)]
    all: bool,
    /// Only claims of this partner; requires --all
    #[arg(long, value_name = "PARTNER", requires = "all")]
    partner: Option<String>,
    /// Most claims to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListClaims {
    const ABOUT: About = get("claim.list", "/claims", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let found = match self.all {
            true => on.service.claims.of_partners(self.partner.as_deref(), self.most).await?,
            false => on.service.claims.open(self.most).await?,
        };
        let row = |ClaimShown { claim, today }: &ClaimShown| {
            let late = if claim.is_late(*today) { " LATE" } else { "" };
            vec![
                claim.id.to_string(),
                claim.notice.kind.to_string(),
                claim.state.to_string(),
                partner_name(on, claim.partner),
                claim.policy.to_string(),
                claim.notice.event_on.to_string(),
                format!("{}{late}", claim.settle_by()),
            ]
        };
        let one = |claim: &ClaimShown| for_operator(on, shown::claim(claim), claim.claim.partner, &[]);
        let claims: Vec<Value> = found.iter().map(one).collect();
        let head = ["claim_id", "kind", "status", "partner", "policy_id", "event", "settle by"];
        Ok(Answer::of(json!({ "claims": claims })).table(&head, found.iter().map(row)))
    }
}

/// Show a claim with its remaining cover, documents and history; --personal adds the claimant and what
/// happened
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowClaim {
    /// Claim id, clm_…
    id: String,
    /// Also show the claimant, the affected member, what happened, and the bank account for the payment
    #[arg(long, requires = "reason")]
    #[serde(default)]
    personal: bool,
    /// Why you need to see the personal data; recorded in the audit trail
    #[arg(long, requires = "personal")]
    reason: Option<String>,
}

impl ShowClaim {
    /// Action that shows a claim with all personal data, for the export of a person's data.
    pub(crate) fn in_full(id: &ClaimId) -> Self {
        ShowClaim { id: id.to_string(), personal: true, reason: None }
    }
}

impl Act for ShowClaim {
    const ABOUT: About = get("claim.show", "/claims/{id}", READERS);

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a claim", &self.id)?;
        let of = on.service.claims.owner(id).await?;
        let view = on.service.claims.view(of, id).await?;
        let papers = on.service.claim_papers.list(of, id).await?;
        let cover = on.service.claims.cover(&view.shown.claim).await?;
        let mut answer = Answer::of(view_to_json(on, &view, &cover, &papers, self.personal));
        show(&mut answer, on, &view, &cover, &papers, self.personal);
        Ok(answer)
    }
}

/// Record the insurer's decision on a claim
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideClaim {
    /// Claim id, clm_…
    id: String,
    /// New status of the claim
    #[arg(long, value_enum, ignore_case = true)]
    status: ClaimStatus,
    /// Approved amount in rupees; required for APPROVED
    #[arg(long)]
    amount: Option<String>,
    /// Reason of the decision, for the history of the claim; required if nothing is paid
    #[arg(long)]
    reason: Option<String>,
}

impl Act for DecideClaim {
    const ABOUT: About = post("claim.decide", "/claims/{id}/decision", &[Role::Claims]).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let verdict = ClaimVerdict {
            state: state_of(self.status),
            approved: self.amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?,
            reason: self.reason.as_deref().map(|text| read("--reason", text)).transpose()?,
        };
        let id = read_id("a claim", &self.id)?;
        Ok(changed(&on.service.claims.decide(id, Actor::Operator, verdict).await?))
    }
}

/// Record the insurer's payment of an approved claim
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct PayClaim {
    /// Claim id, clm_…
    id: String,
    /// Payment of the claim
    #[command(flatten)]
    #[serde(flatten)]
    payment: PaymentMade,
    /// Id of a required document that is missing, and why the claim was paid without this document; may be
    /// repeated
    #[arg(long, value_name = "PAPER=REASON")]
    #[serde(default)]
    waive: Vec<String>,
}

impl Act for PayClaim {
    const ABOUT: About =
        post("claim.paid", "/claims/{id}/payment", &[Role::Claims, Role::Accounts]).irreversible();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let id = read_id("a claim", &self.id)?;
        let claims = &on.service.claims;
        let view = claims.view(claims.owner(id).await?, id).await?;
        on.payment(view.shown.claim.payable(), "payment of", id, view.history.len()).await
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (reference, paid_on, amount) = self.payment.read(on.service.policies.today())?;
        let waived = self.waive.iter().map(|text| read_waiver(text)).collect::<Result<_, _>>()?;
        let payment = ClaimPaid { reference, paid_on, amount, waived };
        let id = read_id("a claim", &self.id)?;
        Ok(changed(&on.service.claims.paid(id, Actor::Operator, payment).await?))
    }
}

/// Withdraw a claim that is neither paid nor refused
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WithdrawClaim {
    /// Claim id, clm_…
    id: String,
    /// Reason of the withdrawal, for the history of the claim
    #[arg(long)]
    reason: String,
}

impl Act for WithdrawClaim {
    const ABOUT: About = post("claim.withdraw", "/claims/{id}/withdrawal", &[Role::Claims, Role::Support]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (id, reason) = (read_id("a claim", &self.id)?, read("--reason", &self.reason)?);
        let claims = &on.service.claims;
        let of = claims.owner(id).await?;
        let withdrawal = claims.withdraw(of, id, Actor::Operator, reason).await?;
        claims.keep_withdrawal(withdrawal, None).await?.replayed();
        Ok(changed(&claims.view(of, id).await?.shown.claim))
    }
}

/// Write an uploaded document of a claim, such as a hospital bill, into a file
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimPaper {
    /// Claim id, clm_…
    id: String,
    /// Document id, doc_…
    document: String,
    /// Why you need the document; recorded in the audit trail
    #[arg(long)]
    reason: String,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    out: PathBuf,
}

impl Act for ClaimPaper {
    const ABOUT: About = get("claim.paper", "/claims/{id}/papers/{document}", &[Role::Claims]);

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (id, document) = (read_id("a claim", &self.id)?, read_id("a paper", &self.document)?);
        let of = on.service.claims.owner(id).await?;
        let found = on.service.claim_papers.find(of, id, document).await?;
        let service = on.service.clone();
        // In parts: a document may be larger than the memory that a request may use.
        let parts = stream::unfold(0, move |number| {
            let service = service.clone();
            async move {
                let part = service.claim_papers.part(of, document, number).await.transpose()?;
                Some((part.map_err(|fault| std::io::Error::other(fault.to_string())), number + 1))
            }
        });
        Ok(Answer::file(found.media.word(), Some(found.bytes), Body::from_stream(parts)))
    }
}

fn changed(claim: &Claim) -> Answer {
    let paid = claim.paid.as_ref();
    let json = json!({
        "claim_id": claim.id.to_string(), "status": claim.state.word(),
        "approved_amount": claim.payable().map(|amount| amount.to_string()),
        "interest": paid.map(|paid| paid.interest.to_string()),
    });
    Answer::of(json).saying(format!("{} is {}", claim.id, claim.state))
}

/// Personal fields of a claim.
const PERSONAL: &[&str] = &["cause", "place", "member", "claimant", "account"];

fn view_to_json(
    on: &On,
    view: &ClaimView,
    cover: &ClaimCover,
    papers: &[ClaimDocument],
    personal: bool,
) -> Value {
    let claim = &view.shown.claim;
    let left_out = if personal { &[] } else { PERSONAL };
    let mut printed = for_operator(on, shown::claim_view(view, papers), claim.partner, left_out);
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

fn show(
    to: &mut Answer,
    on: &On,
    view: &ClaimView,
    cover: &ClaimCover,
    papers: &[ClaimDocument],
    personal: bool,
) {
    let ClaimShown { claim, today } = &view.shown;
    let notice = &claim.notice;
    let late = if claim.is_late(*today) { ": LATE" } else { "" };
    to.data(format!("{}  {} on {}", claim.id, notice.kind, notice.event_on));
    to.data(format!("{}, must be settled by {}{late}", claim.state, claim.settle_by()));
    to.data(format!("policy {}, of {}", claim.policy, partner_name(on, claim.partner)));
    if personal {
        tell_in_words(to, claim);
        for nominee in &cover.nominees {
            to.data(format!(
                "nominee on the day of the loss: {} ({})",
                nominee.name.reveal(),
                nominee.relationship.reveal()
            ));
        }
    }
    let insured = cover.sum_insured.grouped_with_paise();
    to.data(match claim.state.is_open() && claim.approved.is_none() {
        true => {
            let left = cover.left.grouped_with_paise();
            format!("sum insured on the day of the loss {insured}, left for this claim {left}")
        }
        false => format!("sum insured on the day of the loss {insured}"),
    });
    if let Some(claimed) = notice.claimed {
        to.data(format!("claimed {}", claimed.grouped_with_paise()));
    }
    if let Some(approved) = claim.payable() {
        to.data(format!("approved {}", approved.grouped_with_paise()));
    }
    if let Some(paid) = &claim.paid {
        let interest = paid.interest.grouped_with_paise();
        to.data(format!(
            "paid on {}, reference {}, interest {interest}",
            paid.paid_on,
            paid.reference.as_str()
        ));
    }
    for wanted in &claim.wanted {
        let came = papers.iter().any(|paper| paper.paper.as_ref() == Some(&wanted.id));
        let is_waived = claim.waived.iter().any(|waived| waived.paper == wanted.id);
        let mark = match (came, wanted.required) {
            (true, _) => "received",
            (false, true) if is_waived => "waived",
            (false, true) => "MISSING",
            (false, false) => "optional",
        };
        to.data(format!("  {mark:<8} {} ({})", wanted.name, wanted.id));
    }
    for paper in papers {
        let which = paper.paper.as_deref().unwrap_or("other paper");
        to.data(format!("  {}  {which}, {}, {} bytes", paper.id, paper.media, paper.bytes));
    }
    for made in &view.history {
        let reason = made.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.reveal()));
        to.data(format!("{}  {} by the {}{reason}", minute(made.at), made.to, made.by));
    }
}

/// Adds lines with the personal data of a claim to the answer.
fn tell_in_words(to: &mut Answer, claim: &Claim) {
    let notice = &claim.notice;
    let place = notice.place.as_ref().map_or(String::new(), |place| format!(", {}", place.reveal()));
    to.data(format!("{}: {}{place}", claim.member_name.reveal(), notice.cause.reveal()));
    let claimant = &notice.claimant;
    let (name, relation) = (claimant.name.reveal(), claimant.relation.reveal());
    to.data(format!("claimed by {name} ({relation}), {}", claimant.phone.reveal()));
    if let Some(account) = &notice.account {
        let (holder, number) = (account.holder.reveal(), account.number.reveal());
        to.data(format!("to be paid to {holder}, account {number}, IFSC {}", account.ifsc.reveal()));
    }
}

/// Parses the waiver of a required document, written as `PAPER=REASON`.
fn read_waiver(text: &str) -> Result<WaivedPaper> {
    let (paper, reason) = text.split_once('=').ok_or_else(|| {
        bad("--waive must be the id of a missing document and a reason, such as death-certificate=\"seen by the branch\"")
    })?;
    Ok(WaivedPaper { paper: paper.trim().to_owned(), reason: read("--waive", reason)? })
}

/// Status that an insurer's decision gives a claim
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ClaimStatus {
    /// The insurer assesses the claim
    UnderAssessment,
    /// The insurer investigates the claim
    UnderInvestigation,
    /// The insurer will pay the claim
    Approved,
    /// The policy does not cover the loss
    Rejected,
    /// The insurer denies its liability
    Repudiated,
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
