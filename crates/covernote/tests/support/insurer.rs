//! Insurers with scripted answers.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use domain::date::Date;
use domain::health_quote::{HealthOffer, HealthRequest, NotOffered, Outcome, TenurePrice};
use domain::id::{ProposalId, VariantId};
use domain::money::{Premium, Rupees};
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::quote::NotPriced;
use service::insurer::{
    CreditAsk, HealthAsk, IncomingMessage, Insurer, InsurerDecision, InsurerFault, PolicyNotice,
    PolicyRequest, RequestDecision, Submission,
};
use tokio::sync::{Barrier, Semaphore};

/// An insurer's reaction to a request.
pub enum Answers {
    Premium(i64),
    Failure,
    Refusal,
    Panic,
    Nothing,
    TooMany,
    Never,
    /// A price, once as many requests have come as the barrier requires.
    Together(Arc<Barrier>),
    /// A price, after one permit of the semaphore for each request.
    Admitted(Arc<Semaphore>),
}

/// A refusal in the insurer's own words.
pub const REFUSAL: &str = "We do not insure loans of this lender.";

/// A premium in paise, plus 18 paise of tax.
fn premium(paise: i64) -> Premium {
    Premium::of_parts(Rupees::from_paise(paise), Rupees::from_paise(18)).expect("small")
}

impl Answers {
    /// The answer for a number of variants.
    async fn for_each<T: Clone>(
        &self,
        asked: usize,
        priced: impl Fn(Premium) -> T,
        refused: T,
    ) -> Result<Vec<T>, InsurerFault> {
        let each = |paise| vec![priced(premium(paise)); asked];
        Ok(match self {
            Answers::Premium(paise) => each(*paise),
            Answers::Failure => return Err(InsurerFault::Failed("CANARY".into())),
            Answers::Refusal => vec![refused; asked],
            Answers::Panic => panic!("CANARY"),
            Answers::Nothing => Vec::new(),
            Answers::TooMany => [each(100), each(100)].concat(),
            Answers::Never => std::future::pending().await,
            Answers::Together(barrier) => {
                barrier.wait().await;
                each(100)
            }
            Answers::Admitted(gate) => {
                gate.acquire().await.expect("never closed").forget();
                each(100)
            }
        })
    }
}

#[async_trait]
impl Insurer for Answers {
    async fn price_credit(
        &self,
        CreditAsk { variants, .. }: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        self.for_each(variants.len(), Ok, Err(NotPriced::InsurerRefused(REFUSAL.into()))).await
    }

    async fn price_health(
        &self,
        HealthAsk { request, variants, .. }: HealthAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Outcome>, InsurerFault> {
        let deductible = request.deductible.unwrap_or_default();
        let offer = |premium| {
            let tenures = vec![TenurePrice { years: 1, premium }];
            Ok(HealthOffer { deductible, copay_percent: 0, tenures })
        };
        self.for_each(variants.len(), offer, Err(NotOffered::InsurerRefused(REFUSAL.into()))).await
    }

    async fn submit(&self, _: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn decision(&self, _: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn tell(&self, _: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        Ok(())
    }

    async fn decide(&self, _: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        Ok(RequestDecision::Pending)
    }

    fn is_from(&self, _: &IncomingMessage<'_>) -> bool {
        false
    }
}

/// A price request for a family.
#[derive(Clone)]
pub struct HealthAsked {
    pub request: HealthRequest,
    pub variants: Vec<VariantId>,
    pub on: Date,
}

/// An insurer that records price requests for families and refuses them.
#[derive(Default)]
pub struct Notes(Mutex<Vec<HealthAsked>>);

impl Notes {
    /// The requests so far.
    pub fn asked(&self) -> Vec<HealthAsked> {
        self.0.lock().expect("nobody panicked").clone()
    }
}

#[async_trait]
impl Insurer for Notes {
    async fn price_credit(
        &self,
        _: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        Err(InsurerFault::Failed("it sells no credit life".into()))
    }

    async fn price_health(
        &self,
        HealthAsk { request, variants, on }: HealthAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Outcome>, InsurerFault> {
        let asked = HealthAsked { request: request.clone(), variants: variants.to_vec(), on };
        self.0.lock().expect("nobody panicked").push(asked);
        Ok(vec![Err(NotOffered::InsurerRefused(REFUSAL.into())); variants.len()])
    }

    async fn submit(&self, _: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn decision(&self, _: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn tell(&self, _: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        Ok(())
    }

    async fn decide(&self, _: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        Ok(RequestDecision::Pending)
    }

    fn is_from(&self, _: &IncomingMessage<'_>) -> bool {
        false
    }
}

/// An insurer's decision on a proposal.
#[derive(Debug, Clone, Copy)]
pub enum Says {
    Pending,
    /// With its own policy number.
    Accepted(&'static str),
    /// With the reason, if any.
    Rejected(Option<&'static str>),
    Fails,
    Panics,
    Nothing,
}

/// An insurer's request about a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The proposal was submitted.
    Submit(ProposalId),
    /// The decision was requested.
    Decision(ProposalId),
}

/// An insurer that decides proposals with scripted answers, and repeats the last one. Both sides authenticate
/// with its bearer secret.
pub struct Decides {
    bearer: String,
    says: Mutex<VecDeque<Says>>,
    calls: Mutex<Vec<Call>>,
    notices: Mutex<Vec<String>>,
    is_deaf: AtomicBool,
    requests: Mutex<Vec<String>>,
    decided: Mutex<RequestDecision>,
    thinks: tokio::sync::Semaphore,
}

impl Decides {
    /// An insurer with these decisions in order. Without any, it answers "pending".
    pub fn saying(bearer: &str, says: impl IntoIterator<Item = Says>) -> Arc<Decides> {
        let says = Mutex::new(says.into_iter().collect());
        let bearer = format!("Bearer {bearer}");
        let (calls, notices) = (Mutex::default(), Mutex::default());
        let (is_deaf, requests) = (AtomicBool::new(false), Mutex::default());
        let decided = Mutex::new(RequestDecision::Pending);
        let thinks = tokio::sync::Semaphore::new(tokio::sync::Semaphore::MAX_PERMITS);
        Arc::new(Decides { bearer, says, calls, notices, is_deaf, requests, decided, thinks })
    }

    /// Ids of the notices that it got, with repeats.
    pub fn notices(&self) -> Vec<String> {
        self.notices.lock().expect("nobody panicked").clone()
    }

    /// Sets whether it takes notices without acknowledging them.
    pub fn is_deaf(&self, deaf: bool) {
        self.is_deaf.store(deaf, Ordering::SeqCst);
    }

    /// The requests so far.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().expect("nobody panicked").clone()
    }

    /// Ids of the requests about policies that it was asked to decide, with repeats.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panicked").clone()
    }

    /// Delays its answers until it [goes on](Self::goes_on).
    pub fn stops(&self) {
        self.thinks.forget_permits(tokio::sync::Semaphore::MAX_PERMITS);
    }

    /// Lets it answer waiting and future requests.
    pub fn goes_on(&self) {
        self.thinks.add_permits(1_000_000);
    }

    /// Sets its answer to requests about policies. At first it has not decided.
    pub fn decides(&self, decided: RequestDecision) {
        *self.decided.lock().expect("nobody panicked") = decided;
    }

    async fn say(&self, call: Call) -> Result<InsurerDecision, InsurerFault> {
        self.calls.lock().expect("nobody panicked").push(call);
        let says = {
            let mut says = self.says.lock().expect("nobody panicked");
            let last = says.len() <= 1;
            let next = if last { says.front().copied() } else { says.pop_front() };
            next.unwrap_or(Says::Pending)
        };
        match says {
            Says::Pending => Ok(InsurerDecision::Pending),
            Says::Accepted(number) => {
                Ok(InsurerDecision::Accepted { number: PolicyNumber::kept(number.to_owned()) })
            }
            Says::Rejected(reason) => {
                Ok(InsurerDecision::Rejected { reason: reason.and_then(PersonalLine::of_words) })
            }
            Says::Fails => Err(InsurerFault::Failed("CANARY".into())),
            Says::Panics => panic!("CANARY"),
            Says::Nothing => std::future::pending().await,
        }
    }
}

#[async_trait]
impl Insurer for Decides {
    async fn price_credit(
        &self,
        CreditAsk { variants, .. }: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        Ok(vec![Ok(premium(10_000)); variants.len()])
    }

    async fn price_health(
        &self,
        HealthAsk { request, variants, .. }: HealthAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Outcome>, InsurerFault> {
        let tenures = vec![TenurePrice { years: 1, premium: premium(10_000) }];
        let deductible = request.deductible.unwrap_or_default();
        Ok(vec![Ok(HealthOffer { deductible, copay_percent: 0, tenures }); variants.len()])
    }

    async fn submit(&self, submission: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        self.say(Call::Submit(submission.id())).await
    }

    async fn decision(&self, proposal: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        self.say(Call::Decision(proposal)).await
    }

    async fn tell(&self, notice: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        self.notices.lock().expect("nobody panicked").push(notice.id);
        match self.is_deaf.load(Ordering::SeqCst) {
            true => Err(InsurerFault::Failed("CANARY".into())),
            false => Ok(()),
        }
    }

    async fn decide(&self, request: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        self.requests.lock().expect("nobody panicked").push(request.id);
        let decided = self.decided.lock().expect("nobody panicked").clone();
        self.thinks.acquire().await.expect("never closed").forget();
        Ok(decided)
    }

    fn is_from(&self, told: &IncomingMessage<'_>) -> bool {
        told.authorization == Some(self.bearer.as_str())
    }
}
