//! A command line signs in by a browser (the device flow of RFC 8628): it shows a code, and an operator confirms it with a passkey.

use domain::team::{OperatorSecret, SecretKind};

use super::sign_in::code_of;
use super::*;

/// How long a command line waits to be let in.
pub const DEVICE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// How often it asks whether it was.
pub const POLL_PERIOD: Duration = Duration::from_secs(5);

/// A command line that waits to be let in.
#[derive(Debug)]
pub struct WaitingDevice {
    /// The secret with which the command line asks again. No page shows it.
    pub device_code: String,
    /// What its user compares with the page.
    pub user_code: String,
    pub expires_at: Timestamp,
}

/// The code that an operator compares. It is derived from the device's own code and does not reveal it: to find a device code with the
/// same letters takes 2^60 tries.
fn user_code(device_code: &str) -> String {
    code_of(&hash_of(device_code)[..12])
}

/// The row of a waiting device is found by the code that its user compares.
fn device_hash(user_code: &str) -> [u8; 32] {
    hash_of(&format!("device:{}", user_code.trim().to_uppercase()))
}

impl TeamService {
    /// A command line wants to be let in. `machine` says where it runs, as it says itself.
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
            false => Err(Error::conflict("The code is taken. Try again.".to_owned())),
        }
    }

    /// The device that waits under a code.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if none does.
    pub async fn waiting_device(&self, user_code: &str) -> Result<OperatorSecret> {
        let found = self.shared.storage.secret(&device_hash(user_code)).await?;
        let waits = |device: &OperatorSecret| {
            device.kind == SecretKind::Device && device.operator.is_none() && self.now() < device.expires_at
        };
        found.filter(waits).ok_or(Error::LinkExpired)
    }

    /// Lets a command line in, as the operator who confirmed it just now.
    ///
    /// # Errors
    /// [`Error::LinkExpired`]; [`Error::NotPermitted`] if they did not; [`Error::Conflict`] if another operator was first.
    pub async fn let_in(&self, by: &SignedIn, user_code: &str) -> Result<()> {
        self.is_confirmed(by)?;
        let device = self.waiting_device(user_code).await?;
        let (operator, roles) = (Some(by.operator.id), by.operator.roles.clone());
        let (generation, confirmed_at) = (by.operator.generation, by.secret.confirmed_at);
        let let_in = OperatorSecret { operator, roles, generation, confirmed_at, ..device };
        match self.shared.storage.change_secret(&let_in).await? {
            true => Ok(()),
            false => Err(Error::conflict("The command line was let in meanwhile.".to_owned())),
        }
    }

    /// A command line asks whether it was let in: once it was, it gets its session, once. Until then there is none.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if it waited too long, or has its session already.
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
