//! Example bodies of operators and their secrets, for the tests of released encodings.

use domain::date::Timestamp;
use domain::team::{Access, Identity, Passkey, Role, TakenRoles};

use super::super::{OperatorBody, OperatorSecretBody};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("operator.v1", operator()),
        Example::newest(
            "operator.v1.fewest",
            OperatorBody {
                ended_at: None,
                recovered_at: None,
                passkeys: Vec::new(),
                recovery_codes: Vec::new(),
                ..operator()
            },
        ),
        Example::newest(
            "operator.v1.identity",
            OperatorBody {
                identity: Some(Identity { issuer: "i".into(), subject: "s".into() }),
                ..operator()
            },
        ),
        Example::newest(
            "operator.v1.access",
            OperatorBody {
                access: Some(Access {
                    given_by: vec!["root".into(), "opr_1".into()],
                    at: Timestamp::UNIX_EPOCH,
                }),
                taken: Some(TakenRoles { roles: vec![Role::Admin], at: Timestamp::UNIX_EPOCH }),
                ..operator()
            },
        ),
        Example::newest("operator_secret.v1", secret()),
        Example::newest("operator_secret.v1.fewest", OperatorSecretBody { confirmed_at: None, ..secret() }),
    ]
}

fn operator() -> OperatorBody {
    let at = Timestamp::UNIX_EPOCH;
    OperatorBody {
        name: "Meera".into(),
        roles: vec![Role::Claims, Role::Admin],
        created_at: at,
        ended_at: Some(at),
        generation: 5,
        recovered_at: Some(at),
        passkeys: vec![Passkey {
            id: vec![1, 200],
            public_key: vec![2],
            algorithm: -7,
            counter: 3,
            added_at: at,
            confirms_from: at,
            used_at: Some(at),
        }],
        recovery_codes: vec![[4; 32]],
        identity: None,
        access: None,
        taken: None,
    }
}

fn secret() -> OperatorSecretBody {
    let at = Timestamp::UNIX_EPOCH;
    OperatorSecretBody {
        name: "laptop".into(),
        roles: vec![Role::Read],
        made_at: at,
        generation: 6,
        confirmed_at: Some(at),
    }
}
