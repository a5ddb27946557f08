//! The register of complaints, with their deadlines (D88).

use domain::complaint::{Complaint, ComplaintKind};
use domain::date::{Date, Timestamp};
use domain::id::{ComplaintId, PartnerId, PolicyId};
use domain::person::PersonalLine;
use domain::vocabulary;
use service::complaint::{ComplaintShown, NewComplaint};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::arguments::read_id;
use crate::act::fields::PolicyName;
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::personal_sight::SightAsked;
use crate::act::shown::{answer, words};
use crate::act::{About, Act, Allowed, On, Result, Role, get, post};

const READERS: &[Role] = &[Role::Read, Role::Support, Role::Compliance];

input! {
    /// Add a complaint to the register; its deadline counts from the day of receipt
    struct AddComplaint {
        /// Subject of the complaint
        kind: ComplaintKind,
        /// Name and contact of the person who complains, on one line
        from: PersonalLine,
        /// Text of the complaint, on one line
        text: PersonalLine,
        /// Policy that the complaint concerns: policy id (pol_…) or policy number
        policy: Option<PolicyName>,
        /// Day of receipt, YYYY-MM-DD [default: today]
        received_on: Option<Date>,
    }
}

impl Act for AddComplaint {
    const ABOUT: About = post("complaint.add", "/complaints", &[Role::Support, Role::Compliance]);

    type Answer = Done<ComplaintInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let policy = match &self.policy {
            Some(named) => Some(named.find(on).await?),
            None => None,
        };
        let AddComplaint { kind, from, text, received_on, .. } = self;
        let complaint =
            on.service.complaints.add(NewComplaint { policy, kind, received_on, from, text }).await?;
        let shown = on.service.complaints.find(complaint.id).await?;
        let note = format!("{} must be answered by {}", complaint.id, complaint.answer_by);
        Ok(Done::of(ComplaintInFull::of(&shown, &Sight::Masked)).saying(note))
    }
}

input! {
    /// List complaints that are not answered, earliest due date first
    struct ListComplaints {
        /// Also list answered complaints; the newest complaint comes first
        all: bool,
    } with {
        page: PageAsked,
    }
}

impl Act for ListComplaints {
    const ABOUT: About = get("complaint.list", "/complaints", READERS);

    type Answer = Done<Complaints>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let found = match self.all {
            true => on.service.complaints.all(self.page.reach()).await?,
            false => on.service.complaints.open(self.page.reach()).await?,
        };
        let Listed { records, page } = self.page.of(found, |one| one.complaint.id.to_string())?;
        let complaints = records.iter().map(ComplaintInShort::of).collect();
        Ok(Done::of(Complaints { complaints }).listing(page, records.len()))
    }
}

input! {
    /// Show a complaint; --personal shows the person, the complaint and the answer in full
    struct ShowComplaint {
        /// Complaint id, cmp_…
        id: ComplaintId,
    } with {
        sight: SightAsked,
    }
}

impl Act for ShowComplaint {
    const ABOUT: About = get("complaint.show", "/complaints/{id}", READERS);

    const PERSONAL: &'static [&'static str] = PERSONAL;

    type Answer = Done<ComplaintInFull>;

    fn reveals(&self) -> Option<&str> {
        self.sight.why()
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let kinds = self.sight.kinds(PERSONAL)?;
        Ok(Done::of(ComplaintInFull::of(
            &on.service.complaints.find(self.id).await?,
            &Sight::Revealed(&kinds),
        )))
    }
}

input! {
    /// Record the answer to a complaint; a recorded answer cannot be changed
    struct AnswerComplaint {
        /// Complaint id, cmp_…
        id: ComplaintId,
        /// Whether the complaint is upheld
        outcome: ComplaintOutcome,
        /// Text of the answer, on one line
        text: PersonalLine,
        /// Day of the answer, YYYY-MM-DD [default: today]
        answered_on: Option<Date>,
    }
}

impl Act for AnswerComplaint {
    const ABOUT: About =
        post("complaint.answer", "/complaints/{id}/answer", &[Role::Support, Role::Compliance]);

    type Answer = Done<ComplaintAnswered>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let complaint = on.service.complaints.find(read_id("a complaint", record)?).await?.complaint;
        Ok(Allowed::if_so(complaint.answer.is_none()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let AnswerComplaint { id, outcome, text, answered_on } = self;
        let upheld = outcome == ComplaintOutcome::Upheld;
        let (shown, next) = on.service.complaints.answer(id, upheld, text, answered_on).await?;
        let late = if shown.is_late() { ", late" } else { "" };
        let told = next.as_ref().map(|next| format!("tell the customer: {next}"));
        let complaint = ComplaintInFull::of(&shown, &Sight::Masked);
        let done = Done::of(ComplaintAnswered { next, complaint }).saying(format!("{id} is answered{late}"));
        Ok(told.into_iter().fold(done, Done::saying))
    }
}

vocabulary! {
    /// Outcome of a complaint
    ComplaintOutcome, "one of upheld, not-upheld" {
        /// The complaint is justified
        Upheld = "upheld",
        /// The complaint is not justified
        NotUpheld = "not-upheld",
    }
}

texts!(ComplaintKind, ComplaintOutcome);
words!(ComplaintKind);

answer! {
    /// Complaints of a list
    struct Complaints {
        /// Complaints, in the order of the list
        #[shown(columns = ["complaint_id", "kind", "policy_id", "received_on", "answer_by", "is_late", "outcome"])]
        complaints: Vec<ComplaintInShort>,
    }
}

answer! {
    /// A complaint in short
    struct ComplaintInShort {
        /// Id of the complaint
        complaint_id: ComplaintId,
        /// Subject of the complaint
        kind: ComplaintKind,
        /// Partner that sold the policy
        partner_id: Option<PartnerId>,
        /// Policy that the complaint concerns
        policy_id: Option<PolicyId>,
        /// Day of receipt
        #[shown(label = "received")]
        received_on: Date,
        /// When the complaint was entered in the register
        created_at: Timestamp,
        /// Last day to answer the complaint
        answer_by: Date,
        /// Whether the answer is overdue, or came too late
        is_late: bool,
        /// Outcome: open, upheld or not upheld
        outcome: &'static str,
        /// Day of the answer
        answered_on: Option<Date>,
    }
}

answer! {
    /// A complaint
    struct ComplaintInFull {
        /// Name and contact of the person who complains
        from: Masked,
        /// Text of the complaint
        text: Masked,
        /// Text of the answer
        answer: Option<Masked>,
    } with {
        complaint: ComplaintInShort,
    }
}

answer! {
    /// A complaint with its recorded answer
    struct ComplaintAnswered {
        /// What the customer must be told about the next step
        next: Option<String>,
    } with {
        complaint: ComplaintInFull,
    }
}

/// Personal fields of a complaint.
const PERSONAL: &[&str] = &["from", "text", "answer"];

impl ComplaintInShort {
    fn of(shown: &ComplaintShown) -> Self {
        let Complaint { id, partner, policy, kind, received_on, created_at, answer_by, answer, .. } =
            &shown.complaint;
        ComplaintInShort {
            complaint_id: *id,
            kind: *kind,
            partner_id: *partner,
            policy_id: *policy,
            received_on: *received_on,
            created_at: *created_at,
            answer_by: *answer_by,
            is_late: shown.is_late(),
            outcome: match answer.as_ref().map(|answer| answer.upheld) {
                None => "open",
                Some(true) => "upheld",
                Some(false) => "not upheld",
            },
            answered_on: answer.as_ref().map(|answer| answer.answered_on),
        }
    }
}

impl ComplaintInFull {
    fn of(shown: &ComplaintShown, sight: &Sight<'_>) -> Self {
        let Complaint { from, text, answer, .. } = &shown.complaint;
        ComplaintInFull {
            from: sight.text("from", from),
            text: sight.text("text", text),
            answer: answer.as_ref().map(|answer| sight.text("answer", &answer.text)),
            complaint: ComplaintInShort::of(shown),
        }
    }

    /// A complaint with all personal data, for the export of a person's data.
    pub(crate) async fn for_person(on: &On, id: ComplaintId) -> Result<Self> {
        Ok(ComplaintInFull::of(&on.service.complaints.find(id).await?, &Sight::Revealed(PERSONAL)))
    }
}
