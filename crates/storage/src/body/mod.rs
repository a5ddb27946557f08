//! Bodies: the encrypted part of a row. The columns that are searched are not in the body.
//!
//! Uses `fields`.
//!
//! A body is one byte of version, then one item (`wire`). A record is a list of its fields, by index. A union
//! is a record whose field 0 is the code of its variant. A word (an enum variant without fields) is its code
//! (`crate::codes`).
//!
//! # How a body changes
//!
//! - **To add an optional field**, add one line with the next free index. Older rows read as `None`. If the
//!   field is required, state a default for older rows.
//! - **To add a word**, add one line in `crate::codes`. **To add a variant of a union**, add one line with
//!   the next free code.
//! - **To remove a field or change its meaning**, add a version. Keep the old record under a new name,
//!   convert it to the new record by `From`, and name it in the list below. Never give a used index to
//!   another field.
//!
//! ```ignore
//! record! {
//!     QuoteRequest { 0: born, 1: gender, 2: cover, 3: term, 4: context, 5: channel, 6: copies = 1 }
//! }
//! union! {
//!     Origin {
//!         1 = (Origin::Journey(made)) { 1: made },
//!         2 = (Origin::Import { book, line }) { 1: book, 2: line },
//!     }
//! }
//! bodies! {
//!     KINDS:
//!     quote: QuoteBody<'_>, 2, 1 = QuoteBodyV1;
//! }
//! ```
//!
//! # Beside a newer program
//!
//! RecordFields that this program does not know are skipped. If this program reads, changes and writes a journey
//! again, it preserves those fields ([`decode_rewritten`]). An unknown version, variant or code makes the
//! read fail with `StorageError::Away`, because a newer process may be able to read the row.
//!
//! # A new body
//!
//! Write its struct, its `record!`, its row in the list below, and an example in `released`. A test requires
//! the example.

mod approval;
mod claims;
mod complaints;
mod events;
#[cfg(test)]
mod fuzz;
mod health;
mod journey;
mod newer;
mod people;
mod record;
mod records;
#[cfg(test)]
mod released;
mod request_log;
mod statements;
mod stored;
mod team;
mod version;
mod webhooks;
mod wire;
mod work_item;

pub(crate) use approval::ApprovalBody;
pub(crate) use claims::{ClaimBody, PaperBody};
pub(crate) use complaints::ComplaintBody;
pub(crate) use events::EventBody;
pub(crate) use health::{AskBody, HealthOutcomeBody, HealthQuoteBody, SessionBody};
pub(crate) use journey::{HealthPolicyBody, HealthProposalBody, JourneyBody};
pub(crate) use newer::{decode_rewritten, encode_rewritten};
pub(crate) use records::{CreditPolicyBody, CreditProposalBody, PolicyBody, ProposalBody, QuoteBody};
pub(crate) use request_log::RequestsBody;
pub(crate) use statements::{AnswerBody, PaymentBody, StatementBody, Total};
pub(crate) use team::{OperatorBody, OperatorSecretBody};
pub(crate) use version::{decode, encode};
pub(crate) use webhooks::{DeliveryBody, EndpointBody};
pub(crate) use work_item::WorkItemBody;

version::bodies! {
    KINDS:
    embedded_quote: QuoteBody<'_>, 1;
    credit_proposal: CreditProposalBody<'_>, 1;
    credit_policy: CreditPolicyBody<'_>, 1;
    health_quote: HealthQuoteBody, 1;
    health_ask: AskBody<'_>, 1;
    health_outcome: HealthOutcomeBody, 1;
    health_proposal: HealthProposalBody<'_>, 1;
    health_policy: HealthPolicyBody<'_>, 1;
    session: SessionBody, 1;
    journey: JourneyBody, 1;
    claim: ClaimBody<'_>, 1;
    claim_paper: PaperBody, 1;
    complaint: ComplaintBody<'_>, 1;
    statement: StatementBody<'_>, 1;
    statement_answer: AnswerBody, 1;
    approval: ApprovalBody, 1;
    work_item: WorkItemBody, 1;
    operator: OperatorBody, 1;
    operator_secret: OperatorSecretBody, 1;
    event: EventBody, 1;
    webhook_endpoint: EndpointBody, 1;
    delivery: DeliveryBody, 1;
    requests: RequestsBody<'_>, 1;
}
