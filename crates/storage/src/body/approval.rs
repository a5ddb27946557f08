//! Encoding of approvals, in the encrypted body of their rows.

use domain::approval::ApprovalFact;
use domain::date::Timestamp;

use super::record::record;

/// Encrypted part of an approval: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApprovalBody {
    pub(crate) act: String,
    pub(crate) path: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) subject_version: String,
    pub(crate) what: String,
    pub(crate) asked_by: String,
    pub(crate) asked_at: Timestamp,
    pub(crate) decided: Option<(String, Timestamp)>,
    pub(crate) reason: Option<String>,
    /// Facts for the operator who decides. `None` if there are none.
    pub(crate) facts: Option<Vec<ApprovalFact>>,
}

record! {
    ApprovalBody {
        0: act, 1: path, 2: body, 3: subject_version, 4: what, 5: asked_by, 6: asked_at, 7: decided, 8: reason,
        9: facts,
    }
    ApprovalFact { 0: name, 1: value, 2: is_personal }
}
