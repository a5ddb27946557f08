//! Encoding of proposals and policies for each line of business.

use crate::fields::Coded;
use std::borrow::Cow;

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::line::Line;
use domain::policy::Policy;
use domain::proposal::Proposal;
use ports::storage::Result;

use crate::body::{
    CreditPolicyBody, CreditProposalBody, HealthPolicyBody, HealthProposalBody, PolicyBody, ProposalBody,
    decode, encode,
};

/// Line of business whose proposals and policies can be stored.
pub(crate) trait StoredLine: Line<Status: Coded> {
    fn encode_proposal(proposal: &Proposal<Self>) -> Vec<u8>;

    fn decode_proposal(body: &[u8]) -> Result<ProposalBody<'static, Self::Application>>;

    fn encode_policy(policy: &Policy<Self>) -> Vec<u8>;

    fn decode_policy(body: &[u8]) -> Result<PolicyBody<'static, Self::Cover>>;
}

/// Implements [`StoredLine`] for a line of business, with the body types of its proposals and policies.
macro_rules! stored_line {
    ($($line:ty { $proposal:ident, $policy:ident })*) => { $(
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

            fn encode_policy(policy: &Policy<Self>) -> Vec<u8> {
                let cover = Cow::Borrowed(&policy.cover);
                let cancellation = policy.cancellation.as_ref().map(Cow::Borrowed);
                let Policy { sum_insured, premium, check, .. } = *policy;
                let reference = policy.reference.clone();
                encode::<$policy<'_>>(&PolicyBody {
                    sum_insured,
                    premium,
                    cover,
                    check,
                    cancellation,
                    claims: (!policy.claims.is_empty()).then_some(Cow::Borrowed(&policy.claims)),
                    reference,
                    endorsements: (!policy.endorsements.is_empty())
                        .then_some(Cow::Borrowed(&policy.endorsements)),
                    renewable_until: policy.renewable_until,
                    renewed_by: policy.renewed_by,
                })
            }

            fn decode_policy(body: &[u8]) -> Result<PolicyBody<'static, Self::Cover>> {
                decode(body)
            }
        }
    )* };
}

stored_line! {
    CreditLife { CreditProposalBody, CreditPolicyBody }
    Health { HealthProposalBody, HealthPolicyBody }
}
