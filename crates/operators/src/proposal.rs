//! Actions on proposals (D29).

use std::collections::{BTreeMap, HashMap};

use domain::date::{Date, Timestamp};
use domain::health_proposal::ProposalOrigin;
use domain::id::{PartnerId, PolicyId, ProposalId, SessionId};
use domain::line::{LineOfBusiness, ProposalState, QuotedVariant};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::proposal::{Actor, Move, Proposal};
use domain::vocabulary;
use service::line::SoldLine;
use service::line::person::Facts;
use service::proposal::operator as decided;
use service::proposal::operator::{AnyProposal, OperatorDecision};
use service::proposal::read::ProposalShown;
use service::storage::ProposalLine;
use web::sight::{Masked, Sight};

use crate::act::answer::{Done, Download};
use crate::act::arguments::{bad, fault, read_id};
use crate::act::fields::{PartnerName, needed_reason};
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::{OfPartner, POLICY_READERS};
use crate::act::shown::answer;
use crate::act::{About, Act, Allowed, On, Result, Role, get, post};
use crate::export::{self, ExportAsk};

input! {
    /// List proposals, newest first
    struct ListProposals {
        /// Only proposals of this partner: partner_id or client_id
        partner: Option<PartnerName>,
        /// Only proposals in this status. Credit protection has DRAFT, PENDING, COMPLETED and REJECTED; health
        /// has all except DRAFT and COMPLETED. PENDING proposals of credit protection and OFFLINE proposals of
        /// health need your decision
        status: Option<Status>,
    } with {
        page: PageAsked,
    }
}

impl Act for ListProposals {
    const ABOUT: About = get("proposal.list", "/proposals", POLICY_READERS);

    type Answer = Done<Proposals>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let status = self.status.map(Status::word);
        let partner = self.partner.as_ref().map(|partner| partner.0.as_str());
        let lines = on.service.operator_proposals.list(partner, status, self.page.reach()).await?;
        let Listed { records: lines, page } = self.page.of(lines, |line| line.id.to_string())?;
        let mut of_kinds: BTreeMap<_, Vec<ProposalId>> = BTreeMap::new();
        for line in &lines {
            of_kinds.entry((line.partner, line.line.word())).or_default().push(line.id);
        }
        let mut all = HashMap::new();
        for ((of, _), ids) in of_kinds {
            let line =
                lines.iter().find(|line| line.id == ids[0]).map_or(LineOfBusiness::Health, |line| line.line);
            let shown = on.service.proposal_reads.shown_of(of, line, &ids).await?;
            all.extend(shown.into_iter().map(|shown| (shown.id, shown)));
        }
        let with = |line: ProposalLine| Some((all.remove(&line.id)?, line));
        let shown: Vec<_> = lines.into_iter().filter_map(with).map(|(shown, line)| (line, shown)).collect();
        Ok(Done::of(Proposals {
            proposals: shown.iter().map(|(line, shown)| ProposalInList::of(on, line, shown)).collect(),
        })
        .listing(page, shown.len()))
    }
}

input! {
    /// Write proposals into a CSV file, newest first, without personal data
    struct ExportProposals {} with {
        export: ExportAsk,
    }
}

impl Act for ExportProposals {
    const ABOUT: About =
        get("proposal.export", "/proposals.csv", &[Role::Underwriting, Role::Accounts, Role::Compliance])
            .giving_file();

    type Answer = Download;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (days, of) = self.export.read(on).await?;
        Ok(export::proposals(on.service.clone(), of, days))
    }
}

input! {
    /// Show a proposal with its history and reasons; --personal adds all other personal data
    struct ShowProposal {
        /// Proposal id, pro_…
        id: ProposalId,
        /// Also show everything that a decision needs: people with their ages, cover, loan, documents, nominees,
        /// consents, the price step by step, and the rules that a policy issued today would break
        #[flag(requires = &["reason"])]
        personal: bool,
        /// Why you need to see the personal data; recorded in the audit trail
        #[flag(requires = &["personal"])]
        reason: Option<String>,
    }
}

impl Act for ShowProposal {
    const ABOUT: About = get("proposal.show", "/proposals/{id}", POLICY_READERS);

    type Answer = Done<ProposalInFull>;

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        Ok(Done::of(ProposalInFull::find(on, self.id, self.personal).await?))
    }
}

input! {
    /// Print a new link to the status page of a health application; the link works for 90 days
    struct StatusPage {
        /// Proposal id, pro_…
        id: ProposalId,
        /// First end all earlier links to the page
        end: bool,
        /// Why you need the link, which leads to the certificate; recorded in the audit trail
        reason: String,
    }
}

impl Act for StatusPage {
    const ABOUT: About =
        post("proposal.status_page", "/proposals/{id}/status-page", &[Role::Support]).showing_persons();

    type Answer = Done<StatusPageMade>;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(match on.service.operator_proposals.find(read_id("a proposal", record)?).await? {
            AnyProposal::Health(proposal, _) => proposal.application.journey().is_some(),
            AnyProposal::CreditLife(..) => false,
        }))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (service, id) = (&on.service, self.id);
        let AnyProposal::Health(proposal, _) = service.operator_proposals.find(id).await? else {
            return Err(bad(format!("{id}: only health applications have a status page")));
        };
        if proposal.application.journey().is_none() {
            return Err(bad(format!("{id}: an imported application has no status page")));
        }
        if self.end {
            service.status_pages.end(proposal.partner, id).await?;
        }
        let site = match on.journey_url.as_str() {
            "" => service.installation.base_url(),
            address => address.trim_end_matches('/'),
        };
        let address = format!("{site}/health/status/{}", service.status_pages.code(proposal.partner, id));
        let done = Done::of(StatusPageMade { proposal_id: id, address, ended: self.end });
        Ok(if self.end { done.saying("all earlier links to the page have ended") } else { done })
    }
}

input! {
    /// Complete (accept) or reject an undecided proposal, even if the partner, the insurer or the service itself
    /// normally decides it. Health proposals with the status OFFLINE need your decision
    struct DecideProposal {
        /// Proposal id, pro_…
        id: ProposalId,
        /// New status of the proposal
        status: Verdict,
        /// Reason of the decision, for the history, which customers of the hosted journey can read; required if
        /// you reject the proposal
        reason: Option<PersonalLine>,
        /// The insurer's policy number, which is printed on the certificate; only if you complete or accept the
        /// proposal
        #[flag(value = "NUMBER")]
        insurer_number: Option<PolicyNumber>,
    }
}

impl Act for DecideProposal {
    const ABOUT: About = post("proposal.decide", "/proposals/{id}/decision", &[Role::Underwriting]);

    type Answer = Done<ProposalDecided>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let of_line = |accept: Verdict, can_accept: bool, can_reject: bool| {
            let words = [(accept, can_accept), (Verdict::Rejected, can_reject)];
            words.into_iter().filter(|(_, can)| *can).map(|(verdict, _)| verdict.word()).collect()
        };
        let words = match on.service.operator_proposals.find(read_id("a proposal", record)?).await? {
            AnyProposal::CreditLife(proposal, _) => {
                let [accept, reject] = decisions(proposal.status);
                of_line(Verdict::Completed, accept, reject)
            }
            AnyProposal::Health(proposal, _) => {
                let [accept, reject] = decisions(proposal.status);
                of_line(Verdict::Accepted, accept, reject)
            }
        };
        Ok(Allowed::words("status", words))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id;
        let verdict = verdict(self.status, self.reason, self.insurer_number)?;
        let OperatorDecision { status, waits_for } =
            on.service.operator_proposals.decide(id, verdict).await?;
        let decided =
            ProposalDecided { proposal_id: id, status, premium: waits_for.is_some().then_some("due") };
        Ok(Done::of(decided).saying(match waits_for {
            None => format!("{id} is {status}"),
            Some(due) => format!("{id} is accepted and stays {status}. {due}"),
        }))
    }
}

/// Whether a proposal in this state can be accepted and rejected.
fn decisions<S: ProposalState>(status: S) -> [bool; 2] {
    [S::ISSUED, S::REJECTED].map(|decision| status.way_to(decision).is_some())
}

/// The decision on a proposal.
///
/// # Errors
/// If a rejection has no reason, or has a number of the insurer.
fn verdict(
    status: Verdict,
    reason: Option<PersonalLine>,
    insurer_number: Option<PolicyNumber>,
) -> Result<decided::Verdict> {
    match (status, insurer_number) {
        (Verdict::Completed | Verdict::Accepted, insurer_number) => {
            Ok(decided::Verdict::Accept { reason, insurer_number })
        }
        (Verdict::Rejected, None) => Ok(decided::Verdict::Reject { reason: needed_reason(reason, true)? }),
        (Verdict::Rejected, Some(_)) => Err(fault("insurer_number", "A rejected proposal has no policy.")),
    }
}

/// Name of a line of business in the output.
const fn family(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "embedded",
        LineOfBusiness::Health => "health",
    }
}

answer! {
    /// Proposals of a list
    struct Proposals {
        /// Proposals, newest first
        #[shown(columns = ["proposal_id", "status", "awaits", "insurer", "product", "premium", "partner_name", "reference", "changed_at"])]
        proposals: Vec<ProposalInList>,
    }
}

answer! {
    /// A proposal in a list
    struct ProposalInList {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// Family: embedded or health
        family: &'static str,
        /// Status
        status: &'static str,
        /// Insurer
        insurer: Option<String>,
        /// Product
        product: Option<String>,
        /// Premium with tax
        premium: Rupees,
        /// What it waits for, and from whom
        #[shown(label = "waits for")]
        awaits: Vec<String>,
        /// The partner's reference of the sale
        reference: Option<Masked>,
        /// When it was made
        created_at: Timestamp,
        /// When it last changed
        #[shown(label = "changed")]
        changed_at: Timestamp,
    } with {
        of: OfPartner,
    }
}

impl ProposalInList {
    fn of(on: &On, line: &ProposalLine, shown: &ProposalShown) -> Self {
        let awaits = shown.awaits.iter().map(|awaits| format!("{} of the {}", awaits.what, awaits.from));
        ProposalInList {
            proposal_id: line.id,
            family: family(line.line),
            status: line.status,
            insurer: shown.sold.as_ref().map(|sold| sold.insurer.clone()),
            product: shown.sold.as_ref().map(|sold| sold.product.clone()),
            premium: shown.premium.total(),
            awaits: awaits.collect(),
            reference: shown.reference.as_ref().map(|reference| Sight::Masked.reference(reference)),
            created_at: line.created_at,
            changed_at: line.changed_at,
            of: OfPartner::of(on, line.partner),
        }
    }
}

answer! {
    /// A proposal with its history
    struct ProposalInFull {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// Family: embedded or health
        family: &'static str,
        /// How a health application came: journey or import
        origin: Option<&'static str>,
        /// Id of the partner
        partner_id: PartnerId,
        /// Session in which it was made
        session_id: Option<SessionId>,
        /// Status
        status: &'static str,
        /// Id of the quote
        quote_id: String,
        /// Id of the quote's item
        recommendation_id: Option<String>,
        /// Id of the variant
        variant_id: String,
        /// Years of cover
        #[shown(label = "tenure in years")]
        tenure: Option<u32>,
        /// Number of insured persons
        insured: Option<usize>,
        /// Number of nominees
        nominees: Option<usize>,
        /// Premium without tax
        base_premium: Rupees,
        /// Tax
        gst: Rupees,
        /// Premium
        total_premium: Rupees,
        /// When it was made
        created_at: Timestamp,
        /// When it last changed
        changed_at: Timestamp,
        /// Policy of the proposal
        policy: Option<PolicyOfProposal>,
        /// Everything that a decision needs
        application: Option<Facts>,
        /// Every change of status, oldest first
        history: Vec<MoveOfProposal>,
    }
}

answer! {
    /// The policy of a proposal
    struct PolicyOfProposal {
        /// Id of the policy
        policy_id: PolicyId,
        /// Number of the policy
        policy_number: PolicyNumber,
        /// The insurer's number
        insurer_policy_number: Option<PolicyNumber>,
        /// First day of cover
        cover_starts: Option<Date>,
        /// Last day of cover
        cover_ends: Date,
        /// When it was issued
        issued_at: Timestamp,
    }
}

answer! {
    /// A change of a proposal's status
    struct MoveOfProposal {
        /// When it was
        at: Timestamp,
        /// Who made it
        by: Actor,
        /// Status before
        from: Option<&'static str>,
        /// Status after
        to: &'static str,
        /// Reason
        reason: Option<Masked>,
    }
}

/// Personal fields of a proposal.
const PERSONAL: &[&str] = &["reason"];

fn moves<S: ProposalState>(history: &[Move<S>], sight: &Sight<'_>) -> Vec<MoveOfProposal> {
    let made = |made: &Move<S>| MoveOfProposal {
        at: made.at,
        by: made.by,
        from: made.from.map(S::word),
        to: made.to.word(),
        reason: made.reason.as_ref().map(|reason| sight.text("reason", reason)),
    };
    history.iter().map(made).collect()
}

impl ProposalInFull {
    /// Reads a proposal. `personal`: with everything that a decision needs.
    pub(crate) async fn find(on: &On, id: ProposalId, personal: bool) -> Result<Self> {
        match on.service.operator_proposals.find(id).await? {
            AnyProposal::CreditLife(proposal, history) => {
                let request = &proposal.application.request;
                Ok(ProposalInFull {
                    recommendation_id: Some(request.recommendation.to_string()),
                    insured: Some(request.insured_members.len()),
                    nominees: Some(request.nominees.len()),
                    ..Self::of(on, &proposal, &history, personal).await?
                })
            }
            AnyProposal::Health(proposal, history) => {
                let (origin, insured) = match &proposal.application.origin {
                    ProposalOrigin::Journey(made) => ("journey", Some(made.form.members.len())),
                    ProposalOrigin::Import(_) => ("import", None),
                };
                Ok(ProposalInFull {
                    origin: Some(origin),
                    tenure: Some(proposal.application.tenure.into()),
                    insured,
                    ..Self::of(on, &proposal, &history, personal).await?
                })
            }
        }
    }

    /// What a proposal of every line has.
    async fn of<L: SoldLine>(
        on: &On,
        proposal: &Proposal<L>,
        history: &[Move<L::Status>],
        personal: bool,
    ) -> Result<Self> {
        let sight = if personal { Sight::Revealed(PERSONAL) } else { Sight::Masked };
        let policy = on.service.proposals.policy_of(proposal.partner, proposal.id).await?;
        let policy = policy.map(|policy| PolicyOfProposal {
            policy_id: policy.id,
            cover_starts: policy.cover.credit_life().map(|cover| cover.period.starts),
            cover_ends: policy.last_day(),
            issued_at: policy.issued_at,
            policy_number: policy.number,
            insurer_policy_number: policy.insurer_number,
        });
        let (quote_id, variant_id) = match L::quoted(&proposal.application) {
            QuotedVariant::Here(quote, variant) => (quote.to_string(), variant.to_string()),
            QuotedVariant::Elsewhere { quote, variant } => (quote.to_owned(), variant.to_owned()),
        };
        Ok(ProposalInFull {
            proposal_id: proposal.id,
            family: family(L::LINE),
            origin: None,
            partner_id: proposal.partner,
            session_id: proposal.session,
            status: proposal.status.word(),
            quote_id,
            recommendation_id: None,
            variant_id,
            tenure: None,
            insured: None,
            nominees: None,
            base_premium: proposal.premium.base(),
            gst: proposal.premium.gst(),
            total_premium: proposal.premium.total(),
            created_at: proposal.created_at,
            changed_at: proposal.changed_at,
            policy,
            application: match personal {
                true => Some(on.service.operator_proposals.facts_of(proposal).await?),
                false => None,
            },
            history: moves(history, &sight),
        })
    }
}

answer! {
    /// A link to the status page of an application
    struct StatusPageMade {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// Address of the page
        #[shown(alone = true)]
        address: String,
        /// Whether all earlier links have ended
        ended: bool,
    }
}

answer! {
    /// A decided proposal
    struct ProposalDecided {
        /// Id of the proposal
        proposal_id: ProposalId,
        /// Status
        status: &'static str,
        /// Whether the premium is due
        premium: Option<&'static str>,
    }
}

vocabulary! {
    /// Status of a proposal of credit protection or health
    Status, "one of DRAFT, PENDING, COMPLETED, REJECTED, INITIATED, SUBMITTED, UNDERWRITING, CANCELLED, ACCEPTED, OFFLINE" {
        Draft = "DRAFT",
        Pending = "PENDING",
        Completed = "COMPLETED",
        Rejected = "REJECTED",
        Initiated = "INITIATED",
        Submitted = "SUBMITTED",
        Underwriting = "UNDERWRITING",
        Cancelled = "CANCELLED",
        Accepted = "ACCEPTED",
        Offline = "OFFLINE",
    }
}

vocabulary! {
    /// Decision of an operator on a proposal
    Verdict, "one of COMPLETED, ACCEPTED, REJECTED" {
        /// Issue the policy; ACCEPTED does the same
        Completed = "COMPLETED",
        /// Issue the policy; COMPLETED does the same
        Accepted = "ACCEPTED",
        /// Reject the proposal: issue no policy
        Rejected = "REJECTED",
    }
}

texts!(Status, Verdict);
