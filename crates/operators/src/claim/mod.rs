//! Actions on claims (D81 to D83).
//!
//! Uses `act`.

pub(crate) mod complaint;
pub(crate) mod paper;

use domain::bank::Ifsc;
use domain::claim::{
    AccountNumber, Claim, ClaimKind, ClaimNotice, ClaimState, Claimant, PayeeAccount, RefundsAfter,
    WaivedPaper,
};
use domain::date::Date;
use domain::id::ClaimId;
use domain::money::Rupees;
use domain::person::{Email, IndianMobile, PersonalLine};
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use domain::text::FromText;
use domain::vocabulary;
use service::claim::ClaimShown;
use service::claim::settlement::{ClaimPaid, ClaimVerdict};
use service::insurer::covered::CoveredNominee;
use service::policy::claim_cover::ClaimCover;
use web::api::{ClaimDetail, ClaimSummary};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::approval_shown::FACTS;
use crate::act::approving::IN_FULL;
use crate::act::arguments::read_id;
use crate::act::fields::{PartnerName, PaymentMade, PolicyName};
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::personal_sight::SightAsked;
use crate::act::record::OfPartner;
use crate::act::shown::{Api, answer, words};
use crate::act::{About, Act, Allowed, Needed, On, Result, Role, get, post};

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Claims, Role::Accounts, Role::Compliance];

input! {
    /// Add a claim that was reported to you
    struct AddClaim {
        /// Policy id (pol_…) or policy number
        id: PolicyName,
        /// Kind of the loss
        kind: ClaimKind,
        /// Day of the loss, YYYY-MM-DD
        event_on: Date,
        /// What happened, in words
        cause: PersonalLine,
        /// Where the loss happened, such as the town or hospital
        place: Option<PersonalLine>,
        /// Number of the policy's insured member whom the loss concerns, counted from 1
        #[flag(range = (1, 65_535))]
        member: u16 = 1,
        /// Name of the claimant: the person who makes the claim
        #[flag(value = "NAME")]
        claimant: PersonalLine,
        /// Relationship of the claimant to the insured person, such as spouse
        relation: PersonalLine,
        /// Mobile number of the claimant
        mobile: IndianMobile,
        /// E-mail address of the claimant
        email: Option<Email>,
        /// Claimed amount, in rupees
        amount: Option<Rupees>,
        /// Name of the holder of the bank account to which the claim is to be paid
        #[flag(value = "NAME", requires = &["account", "ifsc"])]
        holder: Option<PersonalLine>,
        /// Number of the bank account to which the claim is to be paid
        #[flag(value = "NUMBER", requires = &["holder"])]
        account: Option<AccountNumber>,
        /// IFSC (branch code) of the bank account to which the claim is to be paid
        #[flag(requires = &["holder"])]
        ifsc: Option<Ifsc>,
    }
}

impl Act for AddClaim {
    const ABOUT: About = post("claim.add", "/policies/{id}/claims", &[Role::Support, Role::Claims]);

    type Answer = Done<ClaimOfPartner>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let policy = self.id.find(on).await?;
        let account = match (self.holder, self.account, self.ifsc) {
            (Some(holder), Some(number), Some(ifsc)) => Some(PayeeAccount { holder, number, ifsc }),
            _ => None,
        };
        let notice = ClaimNotice {
            kind: self.kind,
            event_on: self.event_on,
            cause: self.cause,
            place: self.place,
            member: self.member,
            claimant: Claimant {
                name: self.claimant,
                relation: self.relation,
                phone: self.mobile.0,
                email: self.email,
            },
            account,
            claimed: self.amount,
        };
        let of = on.service.policies.owner(policy).await?;
        let draft = on.service.claims.intimate(of, policy, notice, Actor::Operator).await?;
        let claim = on.service.claims.keep(draft, None).await?.saved()?;
        let shown = ClaimShown { today: on.service.policies.today_of(of), claim };
        let note = format!("{} must be settled by {}", shown.claim.id, shown.claim.settle_by());
        Ok(Done::of(ClaimOfPartner::of(on, &shown)).saying(note))
    }
}

input! {
    /// List claims that are not settled, earliest due date first
    struct ListClaims {
        /// Also list settled claims; the newest claim comes first
        all: bool,
        /// Only claims of this partner; requires --all
        #[flag(requires = &["all"])]
        partner: Option<PartnerName>,
    } with {
        page: PageAsked,
    }
}

impl Act for ListClaims {
    const ABOUT: About = get("claim.list", "/claims", READERS);

    type Answer = Done<Claims>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let partner = self.partner.as_ref().map(|partner| partner.0.as_str());
        let found = match self.all {
            true => on.service.claims.of_partners(partner, self.page.reach()).await?,
            false => on.service.claims.open(self.page.reach()).await?,
        };
        let Listed { records, page } = self.page.of(found, |one| one.claim.id.to_string())?;
        let claims = records.iter().map(|claim| ClaimOfPartner::of(on, claim)).collect();
        Ok(Done::of(Claims { claims }).listing(page, records.len()))
    }
}

input! {
    /// Show a claim with its remaining cover, documents and history; --personal shows the personal data in full
    struct ShowClaim {
        /// Claim id, clm_…
        id: ClaimId,
    } with {
        sight: SightAsked,
    }
}

impl Act for ShowClaim {
    const ABOUT: About = get("claim.show", "/claims/{id}", READERS);

    const PERSONAL: &'static [&'static str] = PERSONAL;

    type Answer = Done<ClaimInFull>;

    fn reveals(&self) -> Option<&str> {
        self.sight.why()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let kinds = self.sight.kinds(PERSONAL)?;
        Ok(Done::of(ClaimInFull::find(on, self.id, &Sight::Revealed(&kinds)).await?))
    }
}

input! {
    /// Record the insurer's decision on a claim
    struct DecideClaim {
        /// Claim id, clm_…
        id: ClaimId,
        /// New status of the claim
        status: ClaimStatus,
        /// Approved amount in rupees; required for APPROVED
        amount: Option<Rupees>,
        /// Whether the payment deducts the premium that was refunded for days after the event; required for APPROVED
        /// if 'claim show' has such a refund
        refunds: Option<RefundsAfter>,
        /// Reason of the decision, for the history of the claim; required if nothing is paid
        reason: Option<PersonalLine>,
    }
}

impl Act for DecideClaim {
    const ABOUT: About = post("claim.decide", "/claims/{id}/decision", &[Role::Claims]).irreversible();

    type Answer = Done<ClaimChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let state = state(on, record).await?;
        let follows = |status: &&ClaimStatus| state.move_to(state_of(**status)).is_ok();
        Ok(Allowed::words("status", ClaimStatus::ALL.iter().filter(follows).map(|one| one.word()).collect()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let verdict = ClaimVerdict {
            state: state_of(self.status),
            approved: self.amount,
            refunds: self.refunds,
            reason: self.reason,
        };
        Ok(changed(&on.service.claims.decide(self.id, Actor::Operator, verdict).await?))
    }
}

input! {
    /// Record the insurer's payment of an approved claim, or with --amount a part of it
    struct PayClaim {
        /// Claim id, clm_…
        id: ClaimId,
        /// Id of a required document that is missing, and why the claim was paid without this document; may be
        /// repeated
        #[flag(value = "PAPER=REASON")]
        waive: Vec<Waiver>,
        /// Who received this payment, if the claim is paid in several: repeat the command for each
        payee: Option<PersonalLine>,
        /// Total of the bank transfer in rupees, if it also pays other claims: repeat the command for each
        transfer_total: Option<Rupees>,
    } with {
        payment: PaymentMade,
    }
}

impl Act for PayClaim {
    const ABOUT: About =
        post("claim.paid", "/claims/{id}/payment", &[Role::Claims, Role::Accounts]).irreversible();

    type Answer = Done<ClaimChanged>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let claims = &on.service.claims;
        let view = claims.view(claims.owner(self.id).await?, self.id).await?;
        let claim = &view.shown.claim;
        let pays = self.payment.amount().or(claim.payable().map(|_| claim.unpaid()));
        let needed = on.money(pays, format!("payment of {}", self.id)).await?;
        let account = claim.notice.account.as_ref();
        Ok(needed.map(|needed| {
            let needed = needed.of(self.id, view.history.len()).fact("policy", claim.policy);
            let needed = needed.fact("kind", claim.notice.kind).fact("day_of_loss", claim.notice.event_on);
            let deducted = claim.deducted.map(Rupees::grouped_with_paise);
            let needed =
                deducted.into_iter().fold(needed, |needed, deducted| needed.fact("deducted", deducted));
            needed
                .personal("claimant", Some(IN_FULL.name(FACTS, &claim.notice.claimant.name)))
                .personal("payee", account.map(|account| IN_FULL.name(FACTS, &account.holder)))
                .personal("payee_account", account.map(|account| IN_FULL.account(&account.number)))
        }))
    }

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(state(on, record).await?.move_to(ClaimState::Paid).is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (reference, paid_on, amount) = self.payment.made(on.service.policies.today());
        let waived = self.waive.into_iter().map(|Waiver(waived)| waived).collect();
        let (payee, transfer_total) = (self.payee, self.transfer_total);
        let payment = ClaimPaid { reference, paid_on, amount, payee, transfer_total, waived };
        let claim = on.service.claims.paid(self.id, Actor::Operator, payment).await?;
        let done = changed(&claim);
        Ok(match claim.paid.is_some() {
            true => done,
            false => done.saying(format!("{} are left to pay", claim.unpaid().grouped_with_paise())),
        })
    }
}

input! {
    /// Withdraw a claim that is neither paid nor refused
    struct WithdrawClaim {
        /// Claim id, clm_…
        id: ClaimId,
        /// Reason of the withdrawal, for the history of the claim
        reason: PersonalLine,
    }
}

impl Act for WithdrawClaim {
    const ABOUT: About = post("claim.withdraw", "/claims/{id}/withdrawal", &[Role::Claims, Role::Support]);

    type Answer = Done<ClaimChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(state(on, record).await?.move_to(ClaimState::Withdrawn).is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let claims = &on.service.claims;
        let of = claims.owner(self.id).await?;
        let withdrawal = claims.withdraw(of, self.id, Actor::Operator, self.reason).await?;
        claims.keep_withdrawal(withdrawal, None).await?.saved()?;
        Ok(changed(&claims.view(of, self.id).await?.shown.claim))
    }
}

answer! {
    /// Claims of a list
    struct Claims {
        /// Claims, in the order of the list
        #[shown(columns = ["claim_id", "kind", "status", "partner_name", "policy_id", "event_on", "settle_by", "is_late"])]
        claims: Vec<ClaimOfPartner>,
    }
}

answer! {
    /// A claim in short, with its partner
    struct ClaimOfPartner {} with {
        claim: Api<ClaimSummary>,
        of: OfPartner,
    }
}

impl ClaimOfPartner {
    fn of(on: &On, shown: &ClaimShown) -> Self {
        ClaimOfPartner { claim: Api(ClaimSummary::of(shown)), of: OfPartner::of(on, shown.claim.partner) }
    }
}

answer! {
    /// A claim with its cover
    struct ClaimInFull {
        /// Number of the bank account to which the claim is paid
        account_number: Option<Masked>,
        /// Nominees on the day of the loss
        nominees: Vec<NomineeOfClaim>,
        /// Cover on the day of the loss
        cover: CoverOfClaim,
        /// Insurer of the policy
        insurer: String,
        /// Whom to contact at the insurer about the claim
        insurer_contact: Option<String>,
    } with {
        claim: Api<ClaimDetail>,
        of: OfPartner,
    }
}

answer! {
    /// A nominee
    struct NomineeOfClaim {
        /// Full name
        name: Masked,
        /// Relationship to the insured person
        relationship: Masked,
    }
}

answer! {
    /// Cover from which a claim is paid, in rupees
    struct CoverOfClaim {
        /// Sum insured on the day of the loss
        sum_insured: Rupees,
        /// Most that the policy pays for this kind of claim
        most: Rupees,
        /// What other claims leave of it
        left: Rupees,
        /// Status of the policy today
        policy_status: PolicyState,
        /// Premium that was refunded for days after the event
        #[shown(label = "refunded after the event")]
        refunded_after: Option<Rupees>,
        /// What the payment deducts of it
        deducted: Option<Rupees>,
    }
}

/// Personal fields of a claim.
const PERSONAL: &[&str] =
    &["cause", "place", "member", "claimant", "account", "nominees", "reason", "waived"];

impl ClaimInFull {
    /// A claim with all personal data, for the export of a person's data.
    pub(crate) async fn for_person(on: &On, id: ClaimId) -> Result<Self> {
        ClaimInFull::find(on, id, &Sight::Revealed(PERSONAL)).await
    }

    async fn find(on: &On, id: ClaimId, sight: &Sight<'_>) -> Result<Self> {
        let of = on.service.claims.owner(id).await?;
        let view = on.service.claims.view(of, id).await?;
        let papers = on.service.claim_papers.list(of, id).await?;
        let cover = on.service.claims.cover(&view.shown.claim).await?;
        let ClaimCover { sum_insured, most, left, nominees, policy_state: policy_status, refunded_after } =
            cover;
        let nominee = |nominee: &CoveredNominee| NomineeOfClaim {
            name: sight.name("nominees", &nominee.name),
            relationship: sight.text("nominees", &nominee.relationship),
        };
        let account = view.shown.claim.notice.account.as_ref();
        let insurer = on.service.policies.view(of, view.shown.claim.policy).await?.shown.covered.insurer;
        let running = on.service.shared.catalogues.running();
        let known = running.insurers().find(|known| known.name == insurer);
        Ok(ClaimInFull {
            insurer_contact: known.map(|known| known.claims_contact.clone()).filter(|at| !at.is_empty()),
            insurer,
            account_number: account.map(|account| sight.account(&account.number)),
            nominees: nominees.iter().map(nominee).collect(),
            cover: CoverOfClaim {
                sum_insured,
                most,
                left,
                policy_status,
                refunded_after: Some(refunded_after).filter(|amount| *amount > Rupees::ZERO),
                deducted: view.shown.claim.deducted,
            },
            claim: Api(ClaimDetail::of(&view, &papers, sight)),
            of: OfPartner::of(on, of),
        })
    }
}

answer! {
    /// A claim that was changed
    struct ClaimChanged {
        /// Id of the claim
        claim_id: ClaimId,
        /// Status of the claim
        status: ClaimState,
        /// Amount that the insurer pays, before the deduction
        approved_amount: Option<Rupees>,
        /// Refunds of premium for days after the event that the payment deducts
        deducted: Option<Rupees>,
        /// Interest for late payment
        interest: Option<Rupees>,
    }
}

/// State of the claim with this id.
async fn state(on: &On, claim: &str) -> Result<ClaimState> {
    let id = read_id("a claim", claim)?;
    let claims = &on.service.claims;
    Ok(claims.view(claims.owner(id).await?, id).await?.shown.claim.state)
}

words!(ClaimState);

fn changed(claim: &Claim) -> Done<ClaimChanged> {
    let changed = ClaimChanged {
        claim_id: claim.id,
        status: claim.state,
        approved_amount: claim.payable(),
        deducted: claim.deducted,
        interest: claim.paid.as_ref().map(|paid| paid.interest),
    };
    Done::of(changed).saying(format!("{} is {}", claim.id, claim.state))
}

/// A waived document, written as `PAPER=REASON`.
#[derive(Debug)]
struct Waiver(WaivedPaper);

impl FromText for Waiver {
    const WANTED: &'static str =
        "the id of a missing document and a reason, such as death-certificate=\"seen by the branch\"";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let (paper, reason) = text.split_once('=').ok_or("text without =")?;
        let reason = PersonalLine::from_text(reason.trim())?;
        Ok(Waiver(WaivedPaper { paper: paper.trim().to_owned(), reason }))
    }
}

texts!(ClaimStatus, RefundsAfter, Waiver);

vocabulary! {
    /// Status that an insurer's decision gives a claim
    ClaimStatus, "one of UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, REJECTED, REPUDIATED" {
        /// The insurer assesses the claim
        UnderAssessment = "UNDER_ASSESSMENT",
        /// The insurer investigates the claim
        UnderInvestigation = "UNDER_INVESTIGATION",
        /// The insurer will pay the claim
        Approved = "APPROVED",
        /// The policy does not cover the loss
        Rejected = "REJECTED",
        /// The insurer denies its liability
        Repudiated = "REPUDIATED",
    }
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
