//! Actions on proposals (D29).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use clap::{Args, ValueEnum};
use domain::credit_life::{CreditApplication, CreditLife, EmbeddedPolicy, EmbeddedProposal, ProposalStatus};
use domain::health_proposal::Health;
use domain::id::ProposalId;
use domain::line::LineOfBusiness;
use domain::policy::PolicyNumber;
use domain::proposal::Move;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::line::person::Facts;
use service::proposal::operator as decided;
use service::proposal::operator::{AnyProposal, OperatorDecision};
use service::proposal::read::ProposalShown;
use service::storage::ProposalLine;
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read, read_id, read_reason};
use crate::export::{self, ExportAsk};
use crate::facts;
use crate::moves::{history_in_prose, history_to_json};
use crate::proposal_health::Shown;
use crate::record::{masked_end_of, minute, partner_name};

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Underwriting, Role::Accounts, Role::Compliance];

verbs! {
    /// Verbs of `covernote proposal`
    ProposalVerb {
        List(ListProposals),
        Export(ExportProposals),
        Show(ShowProposal),
        StatusPage(StatusPage),
        Decide(DecideProposal),
    }
}

/// List proposals, newest first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListProposals {
    /// Only proposals of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only proposals in this status. Credit protection has DRAFT, PENDING, COMPLETED and REJECTED; health
    /// has all except DRAFT and COMPLETED. PENDING proposals of credit protection and OFFLINE proposals of
    /// health need your decision
    #[arg(long, value_enum, ignore_case = true)]
    status: Option<Status>,
    /// Most proposals to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListProposals {
    const ABOUT: About = get("proposal.list", "/proposals", READERS);

    async fn run(self, on: &On) -> Result<Answer> {
        let status = self.status.map(word_of);
        let lines = on.service.operator_proposals.list(self.partner.as_deref(), status, self.most).await?;
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
        Ok(list(on, &shown))
    }
}

/// Write proposals into a CSV file, newest first, without personal data
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ExportProposals {
    /// Proposals to write, and the file
    #[command(flatten)]
    #[serde(flatten)]
    export: ExportAsk,
}

impl Act for ExportProposals {
    const ABOUT: About =
        get("proposal.export", "/proposals.csv", &[Role::Underwriting, Role::Accounts, Role::Compliance])
            .giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.export.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (days, of) = self.export.read(on).await?;
        Ok(export::proposals(on.service.clone(), of, days))
    }
}

/// Show a proposal with its history and reasons; --personal adds all other personal data
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowProposal {
    /// Proposal id, pro_…
    id: String,
    /// Also show everything that a decision needs: people with their ages, cover, loan, documents, nominees,
    /// consents, the price step by step, and the rules that a policy issued today would break
    #[arg(long, requires = "reason")]
    #[serde(default)]
    personal: bool,
    /// Why you need to see the personal data; recorded in the audit trail
    #[arg(long, requires = "personal")]
    reason: Option<String>,
}

impl ShowProposal {
    /// Action that shows a proposal with all personal data, for the export of a person's data.
    pub(crate) fn in_full(id: &ProposalId) -> Self {
        ShowProposal { id: id.to_string(), personal: true, reason: None }
    }
}

impl Act for ShowProposal {
    const ABOUT: About = get("proposal.show", "/proposals/{id}", READERS);

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let (service, id) = (&on.service, read_id("a proposal", &self.id)?);
        match service.operator_proposals.find(id).await? {
            AnyProposal::CreditLife(proposal, history) => {
                let policy = service.proposals.policy_of::<CreditLife>(proposal.partner, id).await?;
                let facts = match self.personal {
                    true => Some(service.operator_proposals.facts_of(proposal.as_ref()).await?),
                    false => None,
                };
                Ok(show(&proposal, &history, policy.as_ref(), facts.as_ref()))
            }
            AnyProposal::Health(proposal, history) => {
                let policy = service.proposals.policy_of::<Health>(proposal.partner, id).await?;
                let facts = match self.personal {
                    true => Some(service.operator_proposals.facts_of(proposal.as_ref()).await?),
                    false => None,
                };
                let policy = policy.as_ref();
                Ok(Shown { proposal: &proposal, history: &history, policy, facts }.answer())
            }
        }
    }
}

/// Print a new link to the status page of a health application; the link works for 90 days
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StatusPage {
    /// Proposal id, pro_…
    id: String,
    /// First end all earlier links to the page
    #[arg(long)]
    #[serde(default)]
    end: bool,
}

impl Act for StatusPage {
    const ABOUT: About = post("proposal.status_page", "/proposals/{id}/status-page", &[Role::Support]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (service, id) = (&on.service, read_id("a proposal", &self.id)?);
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
        let json = json!({ "proposal_id": id.to_string(), "address": address, "ended": self.end });
        let mut answer = Answer::of(json);
        if self.end {
            answer.message("all earlier links to the page have ended");
        }
        answer.data(address);
        Ok(answer)
    }
}

/// Complete (accept) or reject an undecided proposal, even if the partner, the insurer or the service itself
/// normally decides it. Health proposals with the status OFFLINE need your decision
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideProposal {
    /// Proposal id, pro_…
    id: String,
    /// New status of the proposal
    #[arg(long, value_enum, ignore_case = true)]
    status: Verdict,
    /// Reason of the decision, for the history, which customers of the hosted journey can read; required if
    /// you reject the proposal
    #[arg(long)]
    reason: Option<String>,
    /// The insurer's policy number, which is printed on the certificate; only if you complete or accept the
    /// proposal
    #[arg(long, value_name = "NUMBER")]
    insurer_number: Option<String>,
}

impl Act for DecideProposal {
    const ABOUT: About = post("proposal.decide", "/proposals/{id}/decision", &[Role::Underwriting]);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a proposal", &self.id)?;
        let verdict = verdict(self.status, self.reason.as_deref(), self.insurer_number.as_deref())?;
        let OperatorDecision { status, waits_for } =
            on.service.operator_proposals.decide(id, verdict).await?;
        let mut decided = json!({ "proposal_id": id.to_string(), "status": status });
        if waits_for.is_some() {
            decided["premium"] = "due".into();
        }
        Ok(Answer::of(decided).saying(match waits_for {
            None => format!("{id} is {status}"),
            Some(due) => format!("{id} is accepted and stays {status}. {due}"),
        }))
    }
}

/// Parses the decision on a proposal from the flags.
fn verdict(status: Verdict, reason: Option<&str>, insurer_number: Option<&str>) -> Result<decided::Verdict> {
    let insurer_number: Option<PolicyNumber> =
        insurer_number.map(|text| read("--insurer-number", text)).transpose()?;
    match (status, insurer_number) {
        (Verdict::Completed | Verdict::Accepted, insurer_number) => {
            Ok(decided::Verdict::Accept { reason: read_reason(reason, false)?, insurer_number })
        }
        (Verdict::Rejected, None) => Ok(decided::Verdict::Reject { reason: read_reason(reason, true)? }),
        (Verdict::Rejected, Some(_)) => Err(bad("--insurer-number: a rejected proposal has no policy")),
    }
}

/// Word of a status in the partners' API.
fn word_of(status: Status) -> &'static str {
    match status {
        Status::Draft => "DRAFT",
        Status::Pending => "PENDING",
        Status::Completed => "COMPLETED",
        Status::Rejected => "REJECTED",
        Status::Initiated => "INITIATED",
        Status::Submitted => "SUBMITTED",
        Status::Underwriting => "UNDERWRITING",
        Status::Cancelled => "CANCELLED",
        Status::Accepted => "ACCEPTED",
        Status::Offline => "OFFLINE",
    }
}

/// Name of a line of business in the output.
fn family(line: LineOfBusiness) -> &'static str {
    match line {
        LineOfBusiness::CreditLife => "embedded",
        LineOfBusiness::Health => "health",
    }
}

fn list(on: &On, lines: &[(ProposalLine, ProposalShown)]) -> Answer {
    let one = |(line, shown): &(ProposalLine, ProposalShown)| {
        let sold = shown.sold.as_ref();
        json!({
            "proposal_id": line.id.to_string(), "family": family(line.line), "partner_id": line.partner.to_string(),
            "partner_name": partner_name(on, line.partner), "status": line.status,
            "insurer": sold.map(|sold| &sold.insurer), "product": sold.map(|sold| &sold.product),
            "premium": shown.premium.total().to_string(), "awaits": awaited(shown),
            "reference": shown.reference.as_ref().map(masked_end_of),
            "created_at": line.created_at.to_string(), "changed_at": line.changed_at.to_string(),
        })
    };
    let row = |(line, shown): &(ProposalLine, ProposalShown)| {
        let sold = shown.sold.as_ref();
        vec![
            line.id.to_string(),
            line.status.into(),
            awaited(shown).join(", "),
            sold.map_or(String::new(), |sold| sold.insurer.clone()),
            sold.map_or(String::new(), |sold| sold.product.clone()),
            shown.premium.total().grouped_with_paise(),
            partner_name(on, line.partner),
            shown.reference.as_ref().map_or(String::new(), masked_end_of),
            minute(line.changed_at),
        ]
    };
    let json = json!({ "proposals": lines.iter().map(one).collect::<Vec<_>>() });
    let head = [
        "proposal_id",
        "status",
        "waits for",
        "insurer",
        "product",
        "premium",
        "partner",
        "reference",
        "changed",
    ];
    Answer::of(json).table(&head, lines.iter().map(row))
}

/// What a proposal waits for, and from whom.
fn awaited(shown: &ProposalShown) -> Vec<String> {
    shown.awaits.iter().map(|awaits| format!("{} of the {}", awaits.what, awaits.from)).collect()
}

fn show(
    proposal: &EmbeddedProposal,
    history: &[Move<ProposalStatus>],
    policy: Option<&EmbeddedPolicy>,
    facts: Option<&Facts>,
) -> Answer {
    let CreditApplication { variant, request, .. } = &proposal.application;
    let mut lines = vec![
        format!("proposal_id  {}", proposal.id),
        format!("partner_id   {}", proposal.partner),
        format!("status       {}", proposal.status),
        format!("quote_id     {}", request.quote),
        format!("variant_id   {}", variant),
        format!(
            "premium      {} + {} tax = {}",
            proposal.premium.base(),
            proposal.premium.gst(),
            proposal.premium.total()
        ),
        format!("insured      {}", request.insured_members.len()),
        format!("nominees     {}", request.nominees.len()),
    ];
    if let Some(policy) = policy {
        lines.push(format!(
            "policy       {}, cover {} to {}",
            policy.number, policy.cover.period.starts, policy.cover.period.ends
        ));
        if let Some(number) = &policy.insurer_number {
            lines.push(format!("insurer's no. {number}"));
        }
    }
    lines.extend(facts.iter().flat_map(|facts| facts::in_prose(facts, 0)));
    lines.push("history".into());
    lines.extend(history_in_prose(history));
    let mut answer = Answer::of(to_json(proposal, history, policy, facts));
    lines.iter().for_each(|line| answer.data(line));
    answer
}

fn to_json(
    proposal: &EmbeddedProposal,
    history: &[Move<ProposalStatus>],
    policy: Option<&EmbeddedPolicy>,
    facts: Option<&Facts>,
) -> Value {
    let CreditApplication { variant, request, .. } = &proposal.application;
    json!({
        "proposal_id": proposal.id.to_string(),
        "family": "embedded",
        "partner_id": proposal.partner.to_string(),
        "status": proposal.status.word(),
        "quote_id": request.quote.to_string(),
        "recommendation_id": request.recommendation.to_string(),
        "variant_id": variant.to_string(),
        "base_premium": proposal.premium.base().to_string(),
        "gst": proposal.premium.gst().to_string(),
        "total_premium": proposal.premium.total().to_string(),
        "created_at": proposal.created_at.to_string(),
        "changed_at": proposal.changed_at.to_string(),
        "policy": policy.map(|policy| json!({
            "policy_id": policy.id.to_string(), "policy_number": policy.number.as_str(),
            "insurer_policy_number": policy.insurer_number.as_ref().map(ToString::to_string),
            "cover_starts": policy.cover.period.starts.to_string(), "cover_ends": policy.cover.period.ends.to_string(),
            "issued_at": policy.issued_at.to_string(),
        })),
        "application": facts.map(facts::to_json),
        "history": history_to_json(history),
    })
}

/// Status of a proposal of credit protection or health
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "UPPER")]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    Draft,
    Pending,
    Completed,
    Rejected,
    Initiated,
    Submitted,
    Underwriting,
    Cancelled,
    Accepted,
    Offline,
}

/// Decision of an operator on a proposal
#[derive(Debug, Clone, Copy, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "UPPER")]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Verdict {
    /// Issue the policy; ACCEPTED does the same
    Completed,
    /// Issue the policy; COMPLETED does the same
    Accepted,
    /// Reject the proposal: issue no policy
    Rejected,
}
