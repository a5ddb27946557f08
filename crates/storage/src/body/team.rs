//! Encoding of operators and their secrets, in the encrypted body of their rows.

use domain::date::Timestamp;
use domain::team::{Access, Identity, Passkey, Role, TakenRoles};

use super::record::record;

/// Encrypted part of an operator: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperatorBody {
    pub(crate) name: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) created_at: Timestamp,
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) generation: u32,
    pub(crate) recovered_at: Option<Timestamp>,
    pub(crate) passkeys: Vec<Passkey>,
    pub(crate) recovery_codes: Vec<[u8; 32]>,
    pub(crate) identity: Option<Identity>,
    pub(crate) access: Option<Access>,
    pub(crate) taken: Option<TakenRoles>,
}

/// Encrypted part of an operator's secret: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperatorSecretBody {
    pub(crate) name: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) made_at: Timestamp,
    pub(crate) generation: u32,
    pub(crate) confirmed_at: Option<Timestamp>,
}

record! {
    OperatorBody {
        0: name, 1: roles, 2: created_at, 3: ended_at, 4: generation, 5: recovered_at, 6: passkeys, 7: recovery_codes,
        8: identity, 9: access, 10: taken,
    }
    Access { 0: given_by, 1: at }
    TakenRoles { 0: roles, 1: at }
    Identity { 0: issuer, 1: subject }
    Passkey { 0: id, 1: public_key, 2: algorithm, 3: counter, 4: added_at, 5: confirms_from, 6: used_at }
    OperatorSecretBody { 0: name, 1: roles, 2: made_at, 3: generation, 4: confirmed_at }
}
