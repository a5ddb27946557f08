//! Policies and their certificates.

use domain::credit_life::ProposalStatus;
use domain::line::LineOfBusiness;
use domain::policy::CheckCode;

use service::storage::{ProposalAct, Storage, StorageError};

use crate::sample::{credit, id, issue, proposal};

pub async fn a_certificate_is_found_by_its_proposal_and_its_check_code(store: &dyn Storage) {
    // D30
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    credit(store)
        .keep_proposal(&proposal, ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) })
        .await
        .unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    assert_eq!(credit(store).policy_of(of, which).await.unwrap().as_ref(), Some(&issue.policy));
    let checked = store.policy_checked(issue.policy.check.unwrap()).await.unwrap();
    assert_eq!(checked, Some((of, issue.policy.id, LineOfBusiness::CreditLife)));
    assert_eq!(store.policy_checked(CheckCode([0; 16])).await.unwrap(), None);
    let document = store.certificate(of, which).await.unwrap().unwrap();
    assert_eq!((document.number, document.bytes), (issue.policy.number, issue.certificate));
    assert!(store.certificate(id(), which).await.unwrap().is_none(), "another partner does not see it (D3)");
}

pub async fn a_policy_number_is_given_once(store: &dyn Storage) {
    let first = proposal(id(), ProposalStatus::Completed);
    let taken = issue(&first);
    credit(store)
        .keep_proposal(&first, ProposalAct { issue: Some(&taken), ..ProposalAct::of(&[]) })
        .await
        .unwrap();
    let second = proposal(first.partner, ProposalStatus::Completed);
    let mut issue = issue(&second);
    issue.policy.number = taken.policy.number;
    let refused = credit(store)
        .keep_proposal(&second, ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) })
        .await;
    assert!(matches!(refused, Err(StorageError::Refused(_))), "{refused:?}");
    assert!(
        credit(store).proposal(second.partner, second.id).await.unwrap().is_none(),
        "nothing is half there"
    );
}
