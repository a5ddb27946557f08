//! Passkeys: ceremonies of WebAuthn (Level 3), with user verification required.
//!
//! `passki` judges type, challenge, origin, RP id, flags, counter and signature. What it leaves to its caller is judged here: which
//! algorithms, whose credential, and that the user handle names its owner.

use domain::id::{OperatorId, Uuid};
use domain::team::{Passkey, TeamMember};
use passki::{
    AttestationConveyancePreference, AuthenticationCredential, AuthenticationOptions, AuthenticationState,
    Passki, RegistrationCredential, RegistrationOptions, RegistrationState, ResidentKeyRequirement,
    StoredPasskey, UserVerificationRequirement,
};
use serde_json::Value;
use url::Url;

/// Algorithms (COSE): EdDSA and ES256. Every authenticator has one of them.
const ALGORITHMS: [i32; 2] = [-8, -7];

/// Most bytes of a credential id (WebAuthn, section 7.1).
const LONGEST_ID: usize = 1023;

/// How long a browser waits for the user, in milliseconds.
const TIMEOUT: u64 = 5 * 60 * 1000;

/// Why a ceremony is refused. It is logged, and not shown.
pub(crate) type Refused = String;

/// The ceremonies of one address.
pub(crate) struct Passkeys(Passki);

/// A ceremony that begins: the options for the browser, and what is kept for its end.
pub(crate) struct Begun {
    pub(crate) options: String,
    pub(crate) state: String,
}

/// A passkey that was used.
pub(crate) struct Used {
    pub(crate) id: Vec<u8>,
    pub(crate) counter: u32,
}

impl Passkeys {
    /// Those of the console's address.
    pub(crate) fn of(console: &Url) -> Self {
        let host = console.host_str().unwrap_or_default();
        Passkeys(Passki::new(host, &[console.origin().ascii_serialization()], "covernote"))
    }

    /// Begins to add a passkey of an operator.
    pub(crate) fn begin_adding(&self, operator: &TeamMember) -> Result<Begun, Refused> {
        let there: Vec<StoredPasskey> = operator.passkeys.iter().map(stored).collect();
        let mut options = RegistrationOptions::default();
        options.timeout = TIMEOUT;
        options.attestation = AttestationConveyancePreference::None;
        options.resident_key = ResidentKeyRequirement::Required;
        options.user_verification = UserVerificationRequirement::Required;
        options.exclude_credentials = Some(&there);
        let (handle, name) = (operator.id.uuid().into_bytes(), &operator.name);
        let begun = self.0.start_passkey_registration(&handle, name, name, options);
        let (mut challenge, state) = begun.map_err(said)?;
        challenge.pub_key_cred_params.retain(|offered| ALGORITHMS.contains(&offered.alg));
        begun_of(&challenge, &state)
    }

    /// The passkey that a browser made. Its instants are for the caller to set.
    pub(crate) fn finish_adding(&self, state: &str, credential: &str) -> Result<Passkey, Refused> {
        let state: RegistrationState = serde_json::from_str(state).map_err(said)?;
        let credential: RegistrationCredential = serde_json::from_str(credential).map_err(said)?;
        let made = self.0.finish_passkey_registration(&credential, &state).map_err(said)?;
        if !ALGORITHMS.contains(&made.algorithm) {
            return Err(format!("the algorithm {} was not offered", made.algorithm));
        }
        if made.credential_id.is_empty() || made.credential_id.len() > LONGEST_ID {
            return Err(format!("a credential id of {} bytes", made.credential_id.len()));
        }
        Ok(Passkey {
            id: made.credential_id,
            public_key: made.public_key,
            algorithm: made.algorithm.into(),
            counter: made.counter,
            added_at: Default::default(),
            confirms_from: Default::default(),
            used_at: None,
        })
    }

    /// Begins a sign-in with any passkey of this address, or asks for one of these.
    pub(crate) fn begin_using(&self, passkeys: &[Passkey]) -> Result<Begun, Refused> {
        let passkeys: Vec<StoredPasskey> = passkeys.iter().map(stored).collect();
        let mut options = AuthenticationOptions::default();
        options.timeout = TIMEOUT;
        options.user_verification = UserVerificationRequirement::Required;
        let (challenge, state) = self.0.start_passkey_authentication(&passkeys, options).map_err(said)?;
        begun_of(&challenge, &state)
    }

    /// The passkey of an operator that a browser used.
    pub(crate) fn finish_using(
        &self,
        state: &str,
        credential: &str,
        operator: &TeamMember,
    ) -> Result<Used, Refused> {
        let state: AuthenticationState = serde_json::from_str(state).map_err(said)?;
        let credential: AuthenticationCredential = serde_json::from_str(credential).map_err(said)?;
        let id = Passki::base64_decode(&credential.raw_id).map_err(said)?;
        let known = operator.passkeys.iter().find(|passkey| passkey.id == id);
        let known = known.ok_or("the passkey is none of the operator's")?;
        let used = self.0.finish_passkey_authentication(&credential, &state, &stored(known)).map_err(said)?;
        // If a passkey was found by its owner's name, it need not name its owner.
        let handle = used.user_handle.filter(|handle| !handle.is_empty());
        if handle.is_some_and(|handle| handle != operator.id.uuid().as_bytes()) {
            return Err("the user handle names another operator".to_owned());
        }
        Ok(Used { id: used.credential_id, counter: used.counter })
    }
}

/// Whose passkey a credential says that it is. Only its signature proves it.
pub(crate) fn claimed_owner(credential: &str) -> Option<OperatorId> {
    let credential: Value = serde_json::from_str(credential).ok()?;
    let handle = Passki::base64_decode(credential["response"]["userHandle"].as_str()?).ok()?;
    Some(OperatorId::from_uuid(Uuid::from_bytes(handle.try_into().ok()?)))
}

fn begun_of(options: &impl serde::Serialize, state: &impl serde::Serialize) -> Result<Begun, Refused> {
    let text = |value: serde_json::Result<String>| value.map_err(said);
    Ok(Begun { options: text(serde_json::to_string(options))?, state: text(serde_json::to_string(state))? })
}

fn stored(passkey: &Passkey) -> StoredPasskey {
    let mut stored = StoredPasskey::default();
    stored.credential_id = passkey.id.clone();
    stored.public_key = passkey.public_key.clone();
    stored.algorithm = i32::try_from(passkey.algorithm).unwrap_or_default();
    stored.counter = passkey.counter;
    stored
}

fn said(fault: impl std::fmt::Display) -> Refused {
    fault.to_string()
}
