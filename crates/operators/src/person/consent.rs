//! Consents of a person on the hosted pages (DPDP Act, section 6).

use domain::date::Timestamp;
use domain::health_proposal::{Consent, ConsentPurpose};
use domain::id::{PartnerId, ProposalId};
use service::person::consent::ConsentShown;

use crate::act::answer::Done;
use crate::act::input::{input, texts};
use crate::act::shown::{answer, words};
use crate::act::{About, Act, On, Result, Role, post};
use crate::person::KnownBy;

input! {
    /// List a person's consents on the hosted pages, with the text that they read and any withdrawal
    struct ListConsents {} with {
        known_by: KnownBy,
    }
}

impl Act for ListConsents {
    const ABOUT: About =
        post("person.consents", "/persons/consents", &[Role::Support, Role::Compliance]).showing_persons();

    type Answer = Done<Consents>;

    fn searches(&self) -> bool {
        true
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let all = on.service.persons.consents(&self.known_by.identifier()).await?;
        Ok(Done::of(Consents { consents: all.iter().map(ConsentOfPerson::of).collect() }))
    }
}

input! {
    /// Record that a customer withdrew a consent
    struct WithdrawConsent {
        /// Id of the proposal with the consent, pro_…
        id: ProposalId,
        /// Purpose of the consent: declaration, insurer or messages
        purpose: ConsentPurpose,
    }
}

impl Act for WithdrawConsent {
    const ABOUT: About =
        post("person.withdraw", "/proposals/{id}/consent-withdrawal", &[Role::Support, Role::Compliance]);

    type Answer = Done<ConsentOfPerson>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let WithdrawConsent { id, purpose } = self;
        let shown = on.service.persons.withdraw_consent(id, purpose).await?;
        let done = Done::of(ConsentOfPerson::of(&shown))
            .saying(format!("{id}: the consent for {purpose} is withdrawn"));
        Ok(match purpose.is_needed() {
            true => done.saying("The policy continues. Cancel it if the customer asks for that."),
            false => done,
        })
    }
}

answer! {
    /// Consents of a person
    struct Consents {
        /// Consents
        #[shown(columns = ["proposal_id", "purpose", "given", "at", "withdrawn_at"])]
        consents: Vec<ConsentOfPerson>,
    }
}

answer! {
    /// A consent on the hosted pages
    struct ConsentOfPerson {
        /// Proposal
        proposal_id: ProposalId,
        /// Partner
        partner_id: PartnerId,
        /// Purpose
        purpose: ConsentPurpose,
        /// Whether it was given
        given: bool,
        /// Text that the person read
        text: Option<String>,
        /// Language of the text
        language: Option<&'static str>,
        /// When it was given
        at: Timestamp,
        /// When it was withdrawn
        withdrawn_at: Option<Timestamp>,
    }
}

impl ConsentOfPerson {
    pub(super) fn of(shown: &ConsentShown) -> Self {
        let Consent { purpose, given, text, language, at, .. } = &shown.consent;
        ConsentOfPerson {
            proposal_id: shown.proposal,
            partner_id: shown.partner,
            purpose: *purpose,
            given: *given,
            text: text.clone(),
            language: language.map(|language| language.word()),
            at: *at,
            withdrawn_at: shown.withdrawn_at,
        }
    }
}

words!(ConsentPurpose);
texts!(ConsentPurpose);
