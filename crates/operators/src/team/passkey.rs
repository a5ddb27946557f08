//! Passkeys: ceremonies of WebAuthn (Level 3), with user verification required.
//!
//! `passki` verifies type, challenge, origin, RP id, flags, counter and signature. This file verifies the
//! rest: the algorithm, the owner of the credential, and the user handle.

use domain::id::{OperatorId, Uuid};
use domain::team::{Passkey, TeamMember};
use passki::{
    AttestationConveyancePreference, AuthenticationCredential, AuthenticationOptions, AuthenticationState,
    Passki, RegistrationCredential, RegistrationOptions, RegistrationState, ResidentKeyRequirement,
    StoredPasskey, UserVerificationRequirement,
};
use serde_json::Value;
use url::Url;

/// COSE numbers of the accepted signature algorithms: EdDSA, ES256 and RS256. Some older authenticators support only
/// RS256.
const ALGORITHMS: [i32; 3] = [-8, -7, -257];

/// Most bytes of a credential id (WebAuthn, section 7.1).
const LONGEST_ID: usize = 1023;

/// How long a browser waits for the user, in milliseconds.
const TIMEOUT: u64 = 5 * 60 * 1000;

/// Reason of a refused ceremony. It is logged, but not shown to the user.
pub(crate) type Refused = String;

/// WebAuthn ceremonies for the console's address.
pub(crate) struct Passkeys(Passki);

/// A begun ceremony: options for the browser, and the state to finish it.
pub(crate) struct Begun {
    pub(crate) options: String,
    pub(crate) state: String,
}

/// A used passkey: its id and its new counter.
pub(crate) struct Used {
    pub(crate) id: Vec<u8>,
    pub(crate) counter: u32,
}

impl Passkeys {
    pub(crate) fn of(console: &Url) -> Self {
        let host = console.host_str().unwrap_or_default();
        Passkeys(Passki::new(host, &[console.origin().ascii_serialization()], "covernote"))
    }

    /// Begins the registration of a passkey for an operator.
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

    /// Verifies the new passkey that a browser made. The caller sets the timestamps of the returned passkey.
    pub(crate) fn finish_adding(&self, state: &str, credential: &str) -> Result<Passkey, Refused> {
        let state: RegistrationState = serde_json::from_str(state).map_err(said)?;
        let credential: RegistrationCredential = serde_json::from_str(credential).map_err(said)?;
        let made = self.0.finish_passkey_registration(&credential, &state).map_err(said)?;
        if !ALGORITHMS.contains(&made.algorithm) {
            return Err(format!("the algorithm {} was not offered", made.algorithm));
        }
        if made.credential_id.is_empty() || made.credential_id.len() > LONGEST_ID {
            return Err(format!("the credential id has {} bytes", made.credential_id.len()));
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

    /// Begins a verification of a user by one of `passkeys`. If the list is empty, the user may use any
    /// passkey of this address.
    pub(crate) fn begin_using(&self, passkeys: &[Passkey]) -> Result<Begun, Refused> {
        let passkeys: Vec<StoredPasskey> = passkeys.iter().map(stored).collect();
        let mut options = AuthenticationOptions::default();
        options.timeout = TIMEOUT;
        options.user_verification = UserVerificationRequirement::Required;
        let (challenge, state) = self.0.start_passkey_authentication(&passkeys, options).map_err(said)?;
        begun_of(&challenge, &state)
    }

    /// Verifies that the browser used a passkey of this operator.
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
        let known = known.ok_or("the passkey does not belong to the operator")?;
        let used = self.0.finish_passkey_authentication(&credential, &state, &stored(known)).map_err(said)?;
        // An authenticator may omit the user handle if the server listed the passkeys.
        let handle = used.user_handle.filter(|handle| !handle.is_empty());
        if handle.is_some_and(|handle| handle != operator.id.uuid().as_bytes()) {
            return Err("the user handle names another operator".to_owned());
        }
        Ok(Used { id: used.credential_id, counter: used.counter })
    }
}

/// Operator whom a credential names as its owner. Only the credential's signature can prove this.
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
