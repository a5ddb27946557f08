//! The work that waits for a person today.

use domain::date::{Date, Timestamp};
use domain::id::PartnerId;
use domain::money::Rupees;
use service::waiting::{Waiting, WaitingKind, WaitingSale};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::record::partner_name;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get};

input! {
    /// List all work that waits for a person: late work first, then oldest first
    struct ListWaiting {
        /// Most entries to list
        most: usize = 1000,
    }
}

impl Act for ListWaiting {
    const ABOUT: About = get("waiting.list", "/waiting", Role::ALL);

    type Answer = Done<WaitingWork>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (mut waiting, now) = (on.service.waiting.all().await?, on.service.installation.now());
        waiting.retain(|one| on.may(listing(one.kind)));
        let (count, late) = (waiting.len(), waiting.iter().filter(|one| one.is_late(now)).count());
        // The sort is stable, so the oldest work stays first.
        waiting.sort_by_key(|one| !one.is_late(now));
        waiting.truncate(self.most);
        let mut shown = Vec::new();
        for one in &waiting {
            let WaitingSale { product, insurer, person } = on.service.waiting.sale_of(one).await?;
            shown.push(WaitingShown {
                kind: one.kind.word(),
                since: one.since,
                due_on: one.due,
                due_because: one.due.and(due_because(one.kind)),
                is_late: one.is_late(now),
                record: one.record.clone(),
                about: one.about.clone(),
                amount: one.amount,
                person: person.as_ref().map(|name| Sight::Masked.name("person", name)),
                product,
                insurer,
                partner_id: one.partner,
                partner_name: one.partner.map(|of| partner_name(on, of)),
                command: command(one),
            });
        }
        let note = match count {
            0 => "Nothing waits for a person.".to_owned(),
            count => in_words(count, late),
        };
        Ok(Done::of(WaitingWork { waiting: shown, count, late }).saying(note))
    }
}

answer! {
    /// Work that waits for a person
    struct WaitingWork {
        /// Entries, late ones first, then oldest first
        #[shown(columns = ["since", "due_on", "is_late", "record", "about", "person", "product", "insurer", "partner_name", "command"])]
        waiting: Vec<WaitingShown>,
        /// Number of entries, listed or not
        #[shown(hidden = true)]
        count: usize,
        /// Number of late entries
        #[shown(hidden = true)]
        late: usize,
    }
}

answer! {
    /// An entry of the work that waits
    struct WaitingShown {
        /// Kind of work
        kind: &'static str,
        /// Time since which it waits
        since: Timestamp,
        /// Day on which it is due
        #[shown(label = "due")]
        due_on: Option<Date>,
        /// Why it is due on that day
        due_because: Option<&'static str>,
        /// Whether that day is over
        is_late: bool,
        /// Record that waits
        record: String,
        /// What waits
        #[shown(label = "what")]
        about: String,
        /// Amount that it is about
        amount: Option<Rupees>,
        /// First insured person
        person: Option<Masked>,
        /// Product
        product: Option<String>,
        /// Insurer
        insurer: Option<String>,
        /// Partner of the record
        partner_id: Option<PartnerId>,
        /// Name of the partner
        #[shown(label = "partner")]
        partner_name: Option<String>,
        /// Command that does the work, or shows more about it
        command: String,
    }
}

/// Sentence with the number of waiting and of late entries.
pub(crate) fn in_words(count: usize, late: usize) -> String {
    let waits = if count == 1 { "waits" } else { "wait" };
    format!("{count} {waits} for a person, {late} of them late.")
}

/// Name of the action that lists this kind of work. A caller who may not use that action does not see
/// the kind here.
fn listing(kind: WaitingKind) -> &'static str {
    match kind {
        WaitingKind::Proposal => "proposal.list",
        WaitingKind::Cancellation => "policy.list",
        WaitingKind::Endorsement | WaitingKind::EndorsementPayment => "policy.endorsements",
        WaitingKind::Claim | WaitingKind::ClaimPayment => "claim.list",
        WaitingKind::Complaint => "complaint.list",
        WaitingKind::Renewal | WaitingKind::RejectedRow => "policy.list",
        WaitingKind::Premium
        | WaitingKind::Acceptance
        | WaitingKind::VoidRenewal
        | WaitingKind::DepositSale
        | WaitingKind::Mismatch
        | WaitingKind::Remittance
        | WaitingKind::PremiumRefund => "premium.list",
        WaitingKind::Refund => "refund.list",
        WaitingKind::Deposit => "deposit.list",
        WaitingKind::Month | WaitingKind::Commission => "statement.list",
        WaitingKind::Approval | WaitingKind::Recovery => "approval.list",
        WaitingKind::Endpoint => "webhook.list",
        WaitingKind::Reveals => "audit.list",
        WaitingKind::Job | WaitingKind::Licence | WaitingKind::Catalogue => "store.examine",
    }
}

/// Why work of this kind is due on its day.
const fn due_because(kind: WaitingKind) -> Option<&'static str> {
    match kind {
        WaitingKind::Claim | WaitingKind::ClaimPayment => Some("a claim must be settled by then (D82)"),
        WaitingKind::Complaint => Some("a complaint must be answered by then (D88)"),
        WaitingKind::Remittance => Some("premiums must reach the insurer within 24 hours (D63)"),
        WaitingKind::Refund => Some("the insurer owes interest from then on (D69)"),
        WaitingKind::Renewal => Some("the policy cannot be renewed later (D91)"),
        WaitingKind::Approval => Some("the request ends then (D121)"),
        WaitingKind::Licence => Some("the licence ends then"),
        _ => None,
    }
}

/// Command that does the waiting work, or shows more about it.
fn command(Waiting { kind, record, partner, .. }: &Waiting) -> String {
    match kind {
        WaitingKind::Proposal => format!("proposal decide {record}"),
        WaitingKind::Cancellation => format!("policy decide {record}"),
        WaitingKind::Endorsement => format!("policy decide-endorsement {record}"),
        WaitingKind::EndorsementPayment => format!("policy show {record}"),
        WaitingKind::Claim => format!("claim decide {record}"),
        WaitingKind::ClaimPayment => format!("claim paid {record}"),
        WaitingKind::Complaint => format!("complaint answer {record}"),
        WaitingKind::Premium | WaitingKind::Acceptance | WaitingKind::DepositSale => {
            format!("premium show {record}")
        }
        WaitingKind::VoidRenewal => format!("proposal decide {record}"),
        WaitingKind::Renewal => format!("policy renew {record}"),
        WaitingKind::RejectedRow => format!("policy show {record}"),
        WaitingKind::Mismatch => format!("premium settle {record}"),
        WaitingKind::Remittance => format!("premium remit {record}"),
        WaitingKind::PremiumRefund => format!("premium refund {record}"),
        WaitingKind::Refund => format!("refund paid {record}"),
        WaitingKind::Deposit if record.contains(' ') => format!("deposit top-up '{record}'"),
        WaitingKind::Deposit => format!("deposit top-up {record}"),
        WaitingKind::Month => format!("statement make --month {record}"),
        WaitingKind::Commission => format!("statement paid {record}"),
        WaitingKind::Approval => format!("approval show {record}"),
        WaitingKind::Endpoint => format!("webhook show {record}"),
        WaitingKind::Job => "doctor".to_owned(),
        // The partner's licence is in commission.toml.
        WaitingKind::Licence if partner.is_some() => "catalogue reload".to_owned(),
        WaitingKind::Licence => "operator show".to_owned(),
        WaitingKind::Catalogue => "catalogue reload".to_owned(),
        WaitingKind::Recovery => format!("audit list --of {record}"),
        WaitingKind::Reveals => format!("audit list --operator {record}"),
    }
}
