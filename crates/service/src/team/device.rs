//! Sign-in of a command line through a browser (device flow, RFC 8628).
//!
//! The command line shows a code. An operator confirms this code in the browser with a passkey.

use domain::team::{OperatorSecret, SecretKind};

use super::sign_in::code_of;
use super::*;

/// How long a command line waits until an operator confirms its sign-in.
pub const DEVICE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// Interval in which the command line asks whether its sign-in is confirmed.
pub const POLL_PERIOD: Duration = Duration::from_secs(5);

/// Command line whose sign-in waits for an operator's confirmation.
#[derive(Debug)]
pub struct WaitingDevice {
    /// The secret with which the command line asks again whether its sign-in is confirmed. No page shows it.
    pub device_code: String,
    /// Code that the command line shows. Its user compares it with the code on the page.
    pub user_code: String,
    pub expires_at: Timestamp,
}

/// Code that the user of a command line compares. It is derived from the secret device code without revealing
/// it. To find another device code with the same user code takes 2^60 tries.
fn user_code(device_code: &str) -> String {
    code_of(&hash_of(device_code)[..12])
}

/// Hash under which a waiting command line is stored, computed from the code that its user compares.
fn device_hash(user_code: &str) -> [u8; 32] {
    hash_of(&format!("device:{}", user_code.trim().to_uppercase()))
}

impl TeamService {
    /// Begins the sign-in of a command line. `machine` is the description that the computer gives of itself.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn begin_device(&self, machine: &str) -> Result<WaitingDevice> {
        let mut bytes = [0; 32];
        self.shared.random.fill(&mut bytes);
        let device_code = URL_SAFE_NO_PAD.encode(bytes);
        let (user_code, now) = (user_code(&device_code), self.now());
        let waiting = OperatorSecret {
            hash: device_hash(&user_code),
            kind: SecretKind::Device,
            operator: None,
            name: one_line(machine, 160).unwrap_or_default(),
            roles: Vec::new(),
            generation: 0,
            made_at: now,
            expires_at: now + DEVICE_LIFETIME,
            confirmed_at: None,
            seen_at: now,
            ended_at: None,
            version: 0,
        };
        match self.shared.storage.keep_secret(&waiting).await? {
            true => Ok(WaitingDevice { device_code, user_code, expires_at: waiting.expires_at }),
            false => Err(Error::conflict("The code is already in use. Try again.".to_owned())),
        }
    }

    /// Command line that waits for a confirmation of this code.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if no command line waits with this code.
    pub async fn waiting_device(&self, user_code: &str) -> Result<OperatorSecret> {
        let found = self.shared.storage.secret(&device_hash(user_code)).await?;
        let waits = |device: &OperatorSecret| {
            device.kind == SecretKind::Device && device.operator.is_none() && self.now() < device.expires_at
        };
        found.filter(waits).ok_or(Error::LinkExpired)
    }

    /// Signs a command line in, as the operator who has just confirmed its code.
    ///
    /// # Errors
    /// [`Error::LinkExpired`]; [`Error::NotPermitted`] if the operator has not just confirmed with a passkey;
    /// [`Error::Conflict`] if another operator signed it in first.
    pub async fn let_in(&self, by: &SignedIn, user_code: &str) -> Result<()> {
        self.is_confirmed(by)?;
        let device = self.waiting_device(user_code).await?;
        let (operator, roles) = (Some(by.operator.id), by.operator.roles.clone());
        let (generation, confirmed_at) = (by.operator.generation, by.secret.confirmed_at);
        let let_in = OperatorSecret { operator, roles, generation, confirmed_at, ..device };
        match self.shared.storage.change_secret(&let_in).await? {
            true => Ok(()),
            false => Err(Error::conflict("The command line was signed in meanwhile.".to_owned())),
        }
    }

    /// Session of a command line after its sign-in. It is returned once. `None` until an operator confirms
    /// the sign-in.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if the command line waited too long, or already received its session.
    pub async fn device_outcome(&self, device_code: &str) -> Result<Option<NewSecret>> {
        let found = self.shared.storage.secret(&device_hash(&user_code(device_code))).await?;
        let is_open = |device: &OperatorSecret| device.ended_at.is_none() && self.now() < device.expires_at;
        let device = found.filter(is_open).ok_or(Error::LinkExpired)?;
        let Some(of) = device.operator else { return Ok(None) };
        let operator = self.operator(of).await?.filter(|operator| is_good(&device, operator, self.now()));
        let operator = operator.ok_or(Error::LinkExpired)?;
        let device = self.spend(device).await?;
        let (text, mut session) =
            self.new_secret(SecretKind::Command, &operator, &device.name, SESSION_LIFETIME);
        (session.roles, session.confirmed_at) = (device.roles, device.confirmed_at);
        self.shared.storage.keep_secret(&session).await?;
        Ok(Some(NewSecret { operator, text, expires_at: session.expires_at }))
    }
}
