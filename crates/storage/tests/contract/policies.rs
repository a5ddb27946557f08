//! Policies and their certificates.

use domain::policy::CheckCode;
use domain::proposal::ProposalStatus;
use service::storage::{ProposalAct, Storage, StorageError};

use crate::sample::{id, issue, proposal};

pub async fn a_certificate_is_found_by_its_proposal_and_its_check_code(store: &dyn Storage) {
    // D30
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    store
        .keep_proposal(&proposal, ProposalAct { issue: Some(&issue), ..ProposalAct::default() })
        .await
        .unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    assert_eq!(store.policy_of(of, which).await.unwrap().as_ref(), Some(&issue.policy));
    assert_eq!(store.policy_by_check(issue.policy.check).await.unwrap().as_ref(), Some(&issue.policy));
    assert_eq!(store.policy_by_check(CheckCode([0; 16])).await.unwrap(), None);
    let document = store.certificate(of, which).await.unwrap().unwrap();
    assert_eq!((document.number, document.bytes), (issue.policy.number, issue.certificate));
    assert!(store.certificate(id(), which).await.unwrap().is_none(), "another partner does not see it (D3)");
}

pub async fn a_policy_number_is_given_once(store: &dyn Storage) {
    let first = proposal(id(), ProposalStatus::Completed);
    let taken = issue(&first);
    store.keep_proposal(&first, ProposalAct { issue: Some(&taken), ..ProposalAct::default() }).await.unwrap();
    let second = proposal(id(), ProposalStatus::Completed);
    let mut issue = issue(&second);
    issue.policy.number = taken.policy.number;
    let refused =
        store.keep_proposal(&second, ProposalAct { issue: Some(&issue), ..ProposalAct::default() }).await;
    assert!(matches!(refused, Err(StorageError::Refused(_))), "{refused:?}");
    assert!(store.proposal(second.partner, second.id).await.unwrap().is_none(), "nothing is half there");
}
