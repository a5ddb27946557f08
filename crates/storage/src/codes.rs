//! Codes: the numbers that stand for words in the store. A word is an enum variant, such as
//! `ClaimState::Paid`.
//!
//! A word has the same code in bodies and columns. All codes are declared here, so the order of words in
//! `domain` does not matter. A new word gets the next free number. Never give a number that rows may hold to
//! another word.

use domain::approval::ApprovalState;
use domain::cancellation::CancellationReason;
use domain::claim::{ClaimKind, ClaimState, PaperType};
use domain::complaint::ComplaintKind;
use domain::credit_life::{ProposalStatus, Submission};
use domain::endorsement::EndorsementState;
use domain::event::EventType;
use domain::health_proposal::{ConsentPurpose, HealthProposalStatus};
use domain::health_quote::{PlanType, Relation};
use domain::identifier::IdentifierKind;
use domain::language::Language;
use domain::line::LineOfBusiness;
use domain::person::{
    DocumentType, Education, Gender, MaritalStatus, Nationality, Occupation, Organization, Relationship,
    Title,
};
use domain::policy_state::PolicyState;
use domain::premium::{Account, Entry, PremiumRoute, ReceiptOutcome};
use domain::proposal::Actor;
use domain::statement::{FileFormat, StatementKind, Transaction};
use domain::team::{Role, SecretKind};
use domain::webhook::{DeliveryState, DisabledBy, EndpointState};
use ports::storage::Identified;
use ports::storage::jobs::JobKind;
use ports::storage::personal_data::RemovedKind;

use crate::fields::{Coded, ToValue, Value};

/// Declares the code of each enum variant. It is a compile error if a variant has no code, or if two have the
/// same.
macro_rules! codes {
    ($($name:ident { $($code:literal = $word:ident),* $(,)? })*) => { $(
        impl Coded for $name {
            fn code(self) -> u8 {
                match self { $($name::$word => $code),* }
            }

            #[deny(unreachable_patterns)]
            fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some($name::$word),)*
                    _ => None,
                }
            }
        }

        impl<'v> ToValue<'v> for &$name {
            fn to_value(self) -> Value<'v> {
                Value::Integer(self.code().into())
            }
        }
    )* };
}

// Codes in columns. SQL statements and indexes contain some of these numbers.
codes! {
    ProposalStatus { 0 = Draft, 1 = Pending, 2 = Completed, 3 = Rejected }
    HealthProposalStatus {
        0 = Initiated, 1 = Pending, 2 = Submitted, 3 = Underwriting, 4 = Cancelled, 5 = Accepted, 6 = Rejected, 7 = Offline,
    }
    Actor { 0 = Partner, 1 = Operator, 2 = Insurer, 3 = Service, 4 = Customer }
    LineOfBusiness { 1 = CreditLife, 2 = Health }
    PremiumRoute { 1 = Deposit, 2 = Link, 3 = Here, 4 = Partner }
    Account {
        1 = WithInsurer, 2 = Collected, 3 = Deposit, 4 = Unsettled, 5 = Received, 6 = Premium, 7 = Refundable,
        8 = ReturnedPremium, 9 = PolicyRefund, 10 = CommissionDue, 11 = Commission, 12 = PartnerCommission, 13 = InputTax,
        14 = TaxWithheld, 15 = OwnFunds, 16 = Differences,
    }
    Entry {
        1 = TopUp, 2 = Draw, 3 = Receipt, 4 = Settlement, 5 = Issue, 6 = Release, 7 = Refund, 8 = Remittance,
        9 = Withdrawal, 10 = Cancellation, 11 = RefundPaid, 12 = Commission, 13 = PartnerCommission, 14 = InputTax,
        15 = TaxWithheld, 16 = Endorsement, 17 = CommissionPaid, 18 = Difference, 19 = Reversal,
        20 = Bounce,
    }
    ReceiptOutcome { 1 = Matched, 2 = Mismatch, 3 = RefundDue }
    ClaimState {
        1 = Intimated, 2 = UnderAssessment, 3 = UnderInvestigation, 4 = Approved, 5 = Paid, 6 = Rejected, 7 = Repudiated,
        8 = Withdrawn,
    }
    StatementKind { 1 = Premium, 2 = Claims, 3 = Commission, 4 = Gst }
    FileFormat { 1 = Csv, 2 = Xlsx }
    Transaction { 1 = New, 2 = Cancel, 3 = Endorse }
    EventType {
        1 = RecommendationCompleted, 2 = ProposalCreated, 3 = ProposalSubmitted, 4 = ProposalUnderReview,
        5 = ProposalReferred, 6 = ProposalCompleted, 7 = ProposalRejected, 8 = ProposalCancelled,
        9 = PremiumReceived, 10 = PremiumMismatch, 11 = PolicyIssued, 12 = PolicyCancellationRequested,
        13 = PolicyCancelled, 14 = PolicyCancellationRefused, 15 = PolicyRenewed, 16 = EndorsementRequested,
        17 = EndorsementApplied, 18 = EndorsementRefused, 19 = RefundDue, 20 = RefundPaid,
        21 = ClaimIntimated, 22 = ClaimUnderReview, 23 = ClaimApproved, 24 = ClaimRejected, 25 = ClaimPaid,
        26 = StatementReady, 27 = StatementPaid, 28 = CredentialAdded, 29 = CredentialRevoked, 30 = EndpointDisabled, 31 = EndpointPing,
        32 = JourneyApplied, 33 = JourneyExpired, 34 = PolicyRenewalDue, 35 = PolicyExpired, 36 = PolicyLapsed,
        37 = CatalogueChanged, 38 = EndpointFailing, 39 = PolicyTerminated, 40 = ClaimWithdrawn,
        41 = ProposalReplaced, 42 = ClaimPapersAsked, 43 = ClaimPartPaid, 44 = PremiumReversed,
    }
    EndpointState { 1 = Enabled, 2 = Disabled }
    DeliveryState { 1 = Pending, 2 = Delivered, 3 = Failed }
    SecretKind { 1 = Session, 2 = Command, 3 = Token, 4 = Link, 5 = Spent, 6 = Device }
    PolicyState { 1 = Issued, 2 = CancellationRequested, 3 = Cancelled, 4 = Lapsed, 5 = Expired, 6 = Renewed, 7 = Terminated }
}

/// The job that issues a policy after payment has this number plus the code of the policy's line of business.
const PREMIUM_JOBS: u8 = 10;

/// Code of the job that tells an insurer what happened to a policy. SQL statements contain this number.
const NOTICE_JOB: u8 = 30;

/// The job that asks an insurer for a decision has the code of the proposal's line of business.
impl Coded for JobKind {
    fn code(self) -> u8 {
        match self {
            JobKind::Recommendation => 0,
            JobKind::Decision(line) => line.code(),
            JobKind::Premium(line) => PREMIUM_JOBS + line.code(),
            JobKind::Notice => NOTICE_JOB,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(JobKind::Recommendation),
            NOTICE_JOB => Some(JobKind::Notice),
            _ => LineOfBusiness::from_code(code).map(JobKind::Decision).or_else(|| {
                let line = code.checked_sub(PREMIUM_JOBS)?;
                LineOfBusiness::from_code(line).map(JobKind::Premium)
            }),
        }
    }
}

/// Proposals have this number plus the code of their line of business.
const PROPOSALS: u8 = 10;

impl Coded for Identified {
    fn code(self) -> u8 {
        match self {
            Identified::HealthQuote => 1,
            Identified::Policy => 2,
            Identified::Session => 3,
            Identified::Proposal(line) => PROPOSALS + line.code(),
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Identified::HealthQuote),
            2 => Some(Identified::Policy),
            3 => Some(Identified::Session),
            _ => {
                let line = LineOfBusiness::from_code(code.checked_sub(PROPOSALS)?)?;
                Some(Identified::Proposal(line))
            }
        }
    }
}

// Codes in bodies.
codes! {
    DisabledBy { 1 = Partner, 2 = Operator, 3 = Gone, 4 = Failing }
    Title { 1 = Mr, 2 = Mrs, 3 = Ms }
    Gender { 1 = Male, 2 = Female }
    MaritalStatus { 1 = Single, 2 = Separated, 3 = Married, 4 = Divorced, 5 = Widowed }
    Occupation {
        1 = Labourer, 2 = Unemployed, 3 = Housewife, 4 = Retired, 5 = Others, 6 = Farmer, 7 = Salaried, 8 = SelfEmployed,
        9 = Service, 10 = Student,
    }
    Organization { 1 = Government, 2 = Others, 3 = PublicLtd, 4 = PrivateLtd }
    Education {
        1 = PostGraduate, 2 = Graduate, 3 = TwelfthPass, 4 = TenthPass, 5 = BelowTenth, 6 = Illiterate,
    }
    Nationality { 1 = Foreign, 2 = Indian, 3 = NonResident, 4 = OverseasCitizen, 5 = IndianOrigin }
    DocumentType { 1 = Pan, 2 = Aadhaar, 3 = DrivingLicense, 4 = Passport, 5 = Electricity, 6 = VoterId }
    Relationship {
        1 = Husband, 2 = Spouse, 3 = Father, 4 = Mother, 5 = Son, 6 = Daughter, 7 = Others, 8 = Brother, 9 = Sister,
        10 = Wife, 11 = Nephew, 12 = Grandmother, 13 = Uncle, 14 = SisterInLaw, 15 = Grandfather,
    }
    Submission { 1 = Draft, 2 = Submitted }
    Relation { 1 = Own, 2 = Spouse, 3 = Father, 4 = Mother, 5 = Daughter, 6 = Son }
    PlanType { 1 = Base, 2 = SuperTopUp }
    ComplaintKind { 1 = Sale, 2 = Policy, 3 = Premium, 4 = Refund, 5 = Claim, 6 = Service, 7 = Other }
    CancellationReason {
        1 = FreeLook, 2 = LoanCoolingOff, 3 = LoanForeclosed, 4 = NotDisbursed, 5 = Customer, 6 = Duplicate, 7 = MisSale,
        8 = Fraud, 9 = Misstatement, 10 = PaymentBounced,
    }
    EndorsementState { 1 = Requested, 2 = Made, 3 = Refused }
    RemovedKind { 1 = HealthQuote, 2 = UnsoldProposal, 3 = Policy, 4 = Complaint, 5 = Journey, 6 = Session }
    ConsentPurpose { 1 = Declaration, 2 = Insurer, 3 = Messages }
    Language { 1 = English, 2 = Hindi }
    ApprovalState { 1 = Waiting, 2 = Approved, 3 = Done, 4 = Failed, 5 = Refused, 6 = Withdrawn }
    Role {
        1 = Read, 2 = Support, 3 = Underwriting, 4 = Claims, 5 = Accounts, 6 = Catalogue, 7 = Compliance, 8 = Admin,
    }
    ClaimKind { 1 = Death, 2 = Disability, 3 = Hospitalisation, 4 = Other }
    PaperType { 1 = Pdf, 2 = Jpeg, 3 = Png }
    IdentifierKind { 1 = Mobile, 2 = Email, 3 = Pan, 4 = Reference, 5 = Lead, 6 = User }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::records::counted::Counted;

    #[track_caller]
    fn reads_back<T: Coded + Debug + PartialEq>(words: &[T]) {
        for word in words {
            assert_eq!(T::from_code(word.code()), Some(*word));
        }
        let known = (0..=u8::MAX).filter(|code| T::from_code(*code).is_some());
        assert_eq!(known.count(), words.len());
    }

    #[test]
    fn every_code_is_read_as_its_word_and_every_other_code_is_refused() {
        reads_back(ProposalStatus::ALL);
        reads_back(HealthProposalStatus::ALL);
        reads_back(Actor::ALL);
        reads_back(JobKind::ALL);
        reads_back(LineOfBusiness::ALL);
        reads_back(PremiumRoute::ALL);
        reads_back(Account::ALL);
        reads_back(Entry::ALL);
        reads_back(ReceiptOutcome::ALL);
        reads_back(PolicyState::ALL);
        reads_back(CancellationReason::ALL);
        reads_back(EndorsementState::ALL);
        reads_back(ClaimState::ALL);
        reads_back(ClaimKind::ALL);
        reads_back(PaperType::ALL);
        let counted = |kind: fn(LineOfBusiness) -> Counted| LineOfBusiness::ALL.iter().copied().map(kind);
        let all = counted(Counted::Proposals).chain(counted(Counted::Policies));
        reads_back(&all.chain([Counted::HealthQuotes, Counted::Claims]).collect::<Vec<_>>());
        reads_back(Title::ALL);
        reads_back(Gender::ALL);
        reads_back(MaritalStatus::ALL);
        reads_back(Occupation::ALL);
        reads_back(Organization::ALL);
        reads_back(Education::ALL);
        reads_back(Nationality::ALL);
        reads_back(DocumentType::ALL);
        reads_back(Relationship::ALL);
        reads_back(Submission::ALL);
        reads_back(Relation::ALL);
        reads_back(PlanType::ALL);
        reads_back(ConsentPurpose::ALL);
        reads_back(RemovedKind::ALL);
        reads_back(Language::ALL);
        reads_back(IdentifierKind::ALL);
        let lines = LineOfBusiness::ALL.iter().copied().map(Identified::Proposal);
        reads_back(
            &lines
                .chain([Identified::HealthQuote, Identified::Policy, Identified::Session])
                .collect::<Vec<_>>(),
        );
    }
}
