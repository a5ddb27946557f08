//! Insurers that tests play.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::health_quote::Outcome;
use domain::id::ProposalId;
use domain::money::{Premium, Rupees};
use domain::quote::NotPriced;
use service::insurer::{CreditAsk, HealthAsk, Insurer, InsurerDecision, InsurerFault, Submission, Told};
use tokio::sync::Barrier;

/// What an insurer does when it is asked.
pub enum Answers {
    Premium(i64),
    Failure,
    Refusal,
    Panic,
    Nothing,
    TooMany,
    Never,
    /// Once as many are asked as the barrier counts.
    Together(Arc<Barrier>),
}

#[async_trait]
impl Insurer for Answers {
    async fn price_credit(
        &self,
        CreditAsk { variants, .. }: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        let each = |paise| {
            let premium =
                Premium::of_parts(Rupees::from_paise(paise), Rupees::from_paise(18)).expect("small");
            vec![Ok(premium); variants.len()]
        };
        Ok(match self {
            Answers::Premium(paise) => each(*paise),
            Answers::Failure => return Err(InsurerFault::Failed("CANARY".into())),
            Answers::Refusal => vec![Err(NotPriced::InsurerRefused(REFUSAL.into())); variants.len()],
            Answers::Panic => panic!("CANARY"),
            Answers::Nothing => Vec::new(),
            Answers::TooMany => [each(100), each(100)].concat(),
            Answers::Never => std::future::pending().await,
            Answers::Together(barrier) => {
                barrier.wait().await;
                each(100)
            }
        })
    }

    async fn price_health(&self, _: HealthAsk<'_>, _: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        Err(InsurerFault::Failed("it sells no health cover".into()))
    }

    async fn submit(&self, _: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn decision(&self, _: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    fn is_from(&self, _: &Told<'_>) -> bool {
        false
    }
}

/// An insurer's own sentence.
pub const REFUSAL: &str = "We do not insure loans of this lender.";
