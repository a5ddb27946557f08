//! Who may do what. The API, commands, pages and approvals all ask here, and only here.

use domain::date::Timestamp;
use domain::team::{Role, SecretKind};
use service::team::SignedIn;
use web::error::{Code, Problem};

use crate::about::About;

/// Who asks.
#[derive(Clone)]
pub(crate) enum Who {
    /// A user of this machine, and the one who called `sudo`.
    User(u32, Option<u32>),
    Operator(Box<SignedIn>),
}

/// The roles that may see personal data, beside an admin.
const REVEALERS: &[Role] =
    &[Role::Support, Role::Underwriting, Role::Claims, Role::Accounts, Role::Compliance];

/// Whether a user may do an act.
///
/// # Errors
/// [`Code::A4030`] if not.
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

/// Whether a user may see personal data.
///
/// # Errors
/// [`Code::A4030`] if not.
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
        return Some(format!("{name} needs a passkey: a token cannot do it. An operator who signed in can."));
    }
    (!signed_in.is_confirmed(now)).then(|| {
        format!(
            "{name} needs your passkey: confirm it ('covernote login' does), then try again within 5 minutes."
        )
    })
}
