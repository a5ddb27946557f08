//! Example bodies of approvals, for the tests of released encodings.

use domain::approval::ApprovalFact;
use domain::date::Timestamp;

use super::super::ApprovalBody;
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    let at = Timestamp::UNIX_EPOCH;
    let approval = ApprovalBody {
        act: "refund.paid".into(),
        path: vec![("id".into(), "pol_1".into())],
        body: "{}".into(),
        subject_version: "3".into(),
        what: "w".into(),
        asked_by: "opr_1".into(),
        asked_at: at,
        decided: Some(("opr_2".into(), at)),
        reason: Some("r".into()),
        facts: None,
    };
    let fact = ApprovalFact { name: "payee".into(), value: "A".into(), is_personal: true };
    let facts = ApprovalBody { facts: Some(vec![fact]), ..approval.clone() };
    let fewest = ApprovalBody { decided: None, reason: None, path: Vec::new(), ..approval.clone() };
    vec![
        Example::newest("approval.v1", approval),
        Example::newest("approval.v1.fewest", fewest),
        Example::newest("approval.v1.facts", facts),
    ]
}
