//! Authorization of operators. The API, commands, pages and approvals all use this file to decide what an
//! operator may do.

use domain::date::Timestamp;
use domain::team::{Role, SecretKind};
use service::team::SignedIn;
use web::error::{Code, Problem};

use crate::act::On;
use crate::act::about::About;

/// Caller of an operator's action.
#[derive(Clone)]
pub(crate) enum Who {
    /// A user of this machine: the user id, and the id of the user who called `sudo`, if any.
    User(u32, Option<u32>),
    Operator(Box<SignedIn>),
}

/// Roles that may see personal data, besides admin.
const REVEALERS: &[Role] =
    &[Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

/// Checks that a caller may use an operator's action.
///
/// # Errors
/// [`Code::A4030`] if the caller may not.
pub(crate) fn decide(who: &Who, about: &About, now: Timestamp) -> Result<(), Problem> {
    let name = about.name;
    let why = match who {
        // Root and the server's own user can read the store's files anyway.
        Who::User(uid, _) if *uid == 0 || *uid == rustix::process::geteuid().as_raw() => return Ok(()),
        Who::User(uid, _) => {
            format!(
                "The user {uid} of this machine may not do {name}: only root and the server's own user may."
            )
        }
        Who::Operator(signed_in) => match refusal(signed_in, about, now) {
            Some(why) => why,
            None => return Ok(()),
        },
    };
    Err(Problem::new(Code::A4030, why))
}

impl On {
    /// Whether the caller may do the action of this name.
    pub(crate) fn may(&self, act: &str) -> bool {
        let action = self.actions.iter().find(|action| action.about.name == act);
        action.is_some_and(|action| decide(&self.who, &action.about, self.service.team.now()).is_ok())
    }
}

impl On {
    /// Whether the caller has a role for the action of this name. The action may also need a passkey.
    pub(crate) fn has_role_for(&self, act: &str) -> bool {
        let action = self.actions.iter().find(|action| action.about.name == act);
        match &self.who {
            Who::User(..) => self.may(act),
            Who::Operator(signed_in) => action.is_some_and(|action| permits(signed_in, &action.about)),
        }
    }
}

/// Whether an operator has a role for an action. The action may also need a passkey.
pub(crate) fn permits(signed_in: &SignedIn, about: &About) -> bool {
    lacks_role(signed_in, about.name, about.roles).is_none()
}

/// Checks that a caller may see personal data.
///
/// # Errors
/// [`Code::A4030`] if the caller may not.
pub(crate) fn decide_reveal(who: &Who) -> Result<(), Problem> {
    match who {
        Who::User(..) => Ok(()),
        Who::Operator(signed_in) => match lacks_role(signed_in, "Personal data", REVEALERS) {
            Some(why) => Err(Problem::new(Code::A4030, why)),
            None => Ok(()),
        },
    }
}

fn lacks_role(signed_in: &SignedIn, what: &str, roles: &[Role]) -> Option<String> {
    let words = || roles.iter().chain([&Role::Admin]).map(|role| role.word()).collect::<Vec<_>>().join(", ");
    (!signed_in.has_any(roles)).then(|| format!("{what} needs one of these roles: {}.", words()))
}

fn refusal(signed_in: &SignedIn, about: &About, now: Timestamp) -> Option<String> {
    let name = about.name;
    if let Some(why) = lacks_role(signed_in, name, about.roles) {
        return Some(why);
    }
    if !about.is_irreversible {
        return None;
    }
    if signed_in.secret.kind == SecretKind::Token {
        return Some(format!("{name} needs a passkey, so a token cannot do it: sign in instead."));
    }
    (!signed_in.is_confirmed(now)).then(|| {
        format!(
            "{name} needs your passkey: confirm it with 'covernote login', then try again within 5 minutes."
        )
    })
}
