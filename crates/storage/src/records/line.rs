//! Encoding of proposals for each line of business.

use crate::fields::Coded;
use std::borrow::Cow;

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::line::Line;
use domain::proposal::Proposal;
use ports::storage::Result;

use crate::body::{CreditProposalBody, HealthProposalBody, ProposalBody, decode, encode};

/// Line of business whose proposals can be stored.
pub(crate) trait StoredLine: Line<Status: Coded> {
    fn encode_proposal(proposal: &Proposal<Self>) -> Vec<u8>;

    fn decode_proposal(body: &[u8]) -> Result<ProposalBody<'static, Self::Application>>;
}

/// Implements [`StoredLine`] for a line of business, with the body type of its proposals.
macro_rules! stored_line {
    ($($line:ty: $proposal:ident;)*) => { $(
        impl StoredLine for $line {
            fn encode_proposal(proposal: &Proposal<Self>) -> Vec<u8> {
                let application = Cow::Borrowed(&proposal.application);
                let (premium, reference) = (proposal.premium, proposal.reference.clone());
                encode::<$proposal<'_>>(&ProposalBody { premium, application, reference })
            }

            fn decode_proposal(
                body: &[u8],
            ) -> Result<ProposalBody<'static, Self::Application>> {
                decode(body)
            }
        }
    )* };
}

stored_line! {
    CreditLife: CreditProposalBody;
    Health: HealthProposalBody;
}
