//! Sign-in of operators by passkey, recovery code or identity provider.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use domain::id::OperatorId;
use domain::team::{Identity, OperatorSecret, Passkey, SecretKind, TeamMember};

use super::*;
use crate::keys::{Hasher, KeyPurpose};

/// How long an operator has to use a passkey, or to return from the identity provider.
const CEREMONY_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// Number of recovery codes that an operator gets.
pub const RECOVERY_CODES: usize = 10;

/// Most passkeys of an operator.
const MOST_PASSKEYS: usize = 10;

/// Name of a demo's operator.
const OF_DEMO: &str = "Demo";

/// Characters of recovery codes. No two of them look alike.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// State that a browser holds while its user touches a passkey or visits the identity provider. The state is
/// signed, and valid once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceremony {
    /// Challenge that the passkey signs, in the WebAuthn library's format.
    pub state: String,
    /// The operator who signs in, if known before the passkey answers.
    pub operator: Option<OperatorId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CeremonyPurpose {
    /// Adds a passkey to an operator.
    Add,
    /// Begins a session with a passkey.
    SignIn,
    /// Confirms with a passkey that the user of a session is present.
    Confirm,
    /// Signs in through the identity provider.
    Provider,
}

impl CeremonyPurpose {
    const fn word(self) -> &'static str {
        match self {
            CeremonyPurpose::Add => "add",
            CeremonyPurpose::SignIn => "sign-in",
            CeremonyPurpose::Confirm => "confirm",
            CeremonyPurpose::Provider => "provider",
        }
    }
}

/// Result of registering an operator's first passkey.
#[derive(Debug)]
pub struct Enrolled {
    pub session: NewSecret,
    /// Recovery codes, which are shown once.
    pub recovery_codes: Vec<String>,
}

impl TeamService {
    /// Signed text of a ceremony, which the browser holds and sends back.
    pub fn begin_ceremony(&self, purpose: CeremonyPurpose, ceremony: &Ceremony) -> String {
        let until = (self.now() + CEREMONY_LIFETIME).as_second();
        let of = ceremony.operator.map(|of| of.to_string()).unwrap_or_default();
        let body = format!("{} {until} {of} {}", purpose.word(), ceremony.state);
        let mark = self.shared.directory.hasher(KeyPurpose::Address).hash(&[CEREMONY, body.as_bytes()]);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(body), URL_SAFE_NO_PAD.encode(mark))
    }

    /// Ceremony that a browser sends back, after its signature is checked.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if it is forged, too old, or for another purpose.
    pub fn ceremony(&self, purpose: CeremonyPurpose, held: &str) -> Result<Ceremony> {
        self.genuine(purpose, held, self.now()).ok_or(Error::LinkExpired)
    }

    /// Records that a ceremony is finished, so that it is valid only once. Call this only after the
    /// credential is verified, so that strangers cannot write to the store.
    ///
    /// # Errors
    /// [`Error::LinkExpired`] if it was finished before.
    pub async fn spend_ceremony(&self, held: &str, operator: Option<OperatorId>) -> Result<()> {
        let now = self.now();
        let spent = OperatorSecret {
            hash: hash_of(held),
            kind: SecretKind::Spent,
            operator,
            name: String::new(),
            roles: Vec::new(),
            generation: 0,
            made_at: now,
            expires_at: now + CEREMONY_LIFETIME,
            confirmed_at: None,
            seen_at: now,
            ended_at: Some(now),
            version: 0,
        };
        match self.shared.storage.keep_secret(&spent).await? {
            true => Ok(()),
            false => Err(Error::LinkExpired),
        }
    }

    /// Ceremony of a browser, if this service began it for this purpose, and it is not too old.
    fn genuine(&self, purpose: CeremonyPurpose, held: &str, now: Timestamp) -> Option<Ceremony> {
        let (body, mark) = held.split_once('.')?;
        let (body, mark) = (URL_SAFE_NO_PAD.decode(body).ok()?, URL_SAFE_NO_PAD.decode(mark).ok()?);
        let is_it =
            |hasher: &Hasher| verify_slices_are_equal(&hasher.hash(&[CEREMONY, &body]), &mark).is_ok();
        if !self.shared.directory.accepts(KeyPurpose::Address, is_it) {
            return None;
        }
        let body = String::from_utf8(body).ok()?;
        let mut parts = body.splitn(4, ' ');
        let (word, until, of) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        let is_good = word == purpose.word() && now.as_second() < until;
        let ceremony = Ceremony { operator: of.parse().ok(), state: parts.next()?.to_owned() };
        is_good.then_some(ceremony)
    }

    /// The operator to whom an invitation or a recovery link belongs.
    ///
    /// # Errors
    /// [`Error::LinkExpired`].
    pub async fn open_link(&self, text: &str) -> Result<SignedIn> {
        self.good(text, &[SecretKind::Link]).await?.ok_or(Error::LinkExpired)
    }

    /// Replaces all passkeys of the operator who received this link by a new passkey, and begins a session.
    /// The link becomes invalid.
    ///
    /// # Errors
    /// [`Error::LinkExpired`]; [`Error::Conflict`] if the link was used meanwhile.
    pub async fn enrol(&self, link: &str, passkey: Passkey, browser: &str) -> Result<Enrolled> {
        let SignedIn { mut operator, secret } = self.open_link(link).await?;
        let now = self.now();
        let is_recovery = secret.name == RECOVERY_CODE || secret.name == RECOVERY_LINK;
        let cool_down = if is_recovery { COOL_DOWN } else { Duration::ZERO };
        operator.passkeys = vec![Passkey { added_at: now, confirms_from: now + cool_down, ..passkey }];
        // All earlier sessions, tokens and links become invalid, including this link.
        operator.generation += 1;
        let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| self.code(3)).collect();
        operator.recovery_codes = codes.iter().map(|code| hash_of(code)).collect();
        let (text, mut session) = self.new_secret(SecretKind::Session, &operator, browser, SESSION_LIFETIME);
        session.confirmed_at = (cool_down == Duration::ZERO).then_some(now);
        let operator = self.keep(operator, "operator.enrol", Some(&session)).await?;
        let session = NewSecret { operator, text, expires_at: session.expires_at };
        Ok(Enrolled { session, recovery_codes: codes })
    }

    /// Adds a passkey for an operator who is signed in.
    ///
    /// # Errors
    /// [`Error::NotPermitted`] if the session is not confirmed; [`Error::Conflict`] if the operator has too
    /// many passkeys, or was changed meanwhile.
    pub async fn add_passkey(&self, of: &SignedIn, passkey: Passkey) -> Result<TeamMember> {
        self.is_confirmed(of)?;
        let mut operator = of.operator.clone();
        if operator.passkeys.len() >= MOST_PASSKEYS {
            return Err(Error::conflict(format!("An operator may have at most {MOST_PASSKEYS} passkeys.")));
        }
        let now = self.now();
        operator.passkeys.push(Passkey { added_at: now, confirms_from: now, ..passkey });
        self.keep(operator, "passkey.add", None).await
    }

    /// Begins a session for an operator whose passkey was verified. `counter` is the number of uses that the
    /// passkey reports.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the operator was changed meanwhile, such as by the same passkey elsewhere.
    pub async fn sign_in(
        &self,
        operator: TeamMember,
        id: &[u8],
        counter: u32,
        browser: &str,
    ) -> Result<NewSecret> {
        let (text, mut session) = self.new_secret(SecretKind::Session, &operator, browser, SESSION_LIFETIME);
        session.confirmed_at = self.used(&operator, id);
        let used = with_use(operator, id, counter, self.now());
        let operator = self.keep(used, "session.begin", Some(&session)).await?;
        Ok(NewSecret { operator, text, expires_at: session.expires_at })
    }

    /// Link with which the user of a demo signs in once, without a passkey.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Conflict`].
    pub async fn demo_link(&self) -> Result<NewSecret> {
        match self.find(OF_DEMO).await {
            Ok(operator) if operator.is_active() => {
                self.keep_with_link(operator, "operator.invite", "invitation").await
            }
            _ => self.invite(OF_DEMO, vec![Role::Admin]).await,
        }
    }

    /// Begins a session with the link of a demo. Nothing in a demo needs a passkey.
    ///
    /// # Errors
    /// [`Error::LinkExpired`]; [`Error::Conflict`].
    pub async fn enter_demo(&self, link: &str, browser: &str) -> Result<NewSecret> {
        let SignedIn { operator, secret } = self.open_link(link).await?;
        self.spend(secret).await?;
        let (text, mut session) = self.new_secret(SecretKind::Session, &operator, browser, SESSION_LIFETIME);
        session.confirmed_at = Some(self.now() + SESSION_LIFETIME);
        let operator = self.keep(operator, "session.begin", Some(&session)).await?;
        Ok(NewSecret { operator, text, expires_at: session.expires_at })
    }

    /// Begins a session for the operator with this identity at the identity provider. No passkey confirms the
    /// session, so it permits no action that cannot be undone.
    ///
    /// # Errors
    /// [`Error::NotPermitted`] if no operator has this identity; [`Error::Conflict`].
    pub async fn sign_in_by(&self, identity: &Identity, browser: &str) -> Result<NewSecret> {
        let found = self.with_identity(identity).await?;
        let operator = found.ok_or(Error::NotPermitted(
            "No operator has this identity. Accept an invitation first, or link it in your account.",
        ))?;
        let (text, session) = self.new_secret(SecretKind::Session, &operator, browser, SESSION_LIFETIME);
        let operator = self.keep(operator, "session.begin", Some(&session)).await?;
        Ok(NewSecret { operator, text, expires_at: session.expires_at })
    }

    /// Replaces all passkeys of the operator who received this link by an identity at the identity provider,
    /// and begins a session. The link becomes invalid.
    ///
    /// # Errors
    /// [`Error::LinkExpired`]; [`Error::Conflict`] if another operator has the identity, or the link was used
    /// meanwhile.
    pub async fn enrol_identity(&self, link: &str, identity: Identity, browser: &str) -> Result<NewSecret> {
        let SignedIn { mut operator, .. } = self.open_link(link).await?;
        self.is_free(&identity, operator.id).await?;
        operator.passkeys.clear();
        operator.recovery_codes.clear();
        operator.identity = Some(identity);
        operator.generation += 1;
        let (text, session) = self.new_secret(SecretKind::Session, &operator, browser, SESSION_LIFETIME);
        let operator = self.keep(operator, "operator.enrol", Some(&session)).await?;
        Ok(NewSecret { operator, text, expires_at: session.expires_at })
    }

    /// Lets an operator also sign in through the identity provider. `generation` is the operator's value at
    /// the time of the request.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::LinkExpired`] if the operator's access was recovered since then;
    /// [`Error::Conflict`] if another operator has the identity.
    pub async fn add_identity(
        &self,
        of: OperatorId,
        generation: u32,
        identity: Identity,
    ) -> Result<TeamMember> {
        let operator = self.active(&of.to_string()).await?;
        if operator.generation != generation {
            return Err(Error::LinkExpired);
        }
        self.is_free(&identity, of).await?;
        self.keep(TeamMember { identity: Some(identity), ..operator }, "identity.add", None).await
    }

    async fn with_identity(&self, identity: &Identity) -> Result<Option<TeamMember>> {
        let is_theirs = |one: &TeamMember| one.is_active() && one.identity.as_ref() == Some(identity);
        Ok(self.list().await?.into_iter().find(is_theirs))
    }

    async fn is_free(&self, identity: &Identity, of: OperatorId) -> Result<()> {
        match self.with_identity(identity).await? {
            Some(other) if other.id != of => {
                Err(Error::conflict(format!("{} already has this identity.", other.name)))
            }
            _ => Ok(()),
        }
    }

    /// 256 random bits as text.
    pub fn random_text(&self) -> String {
        let mut bytes = [0; 32];
        self.shared.random.fill(&mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Proof key for PKCE (RFC 7636), with its challenge.
    pub fn proof_key(&self) -> (String, String) {
        let verifier = self.random_text();
        let challenge = URL_SAFE_NO_PAD.encode(hash_of(&verifier));
        (verifier, challenge)
    }

    /// Records that a passkey confirmed the user of a session.
    ///
    /// # Errors
    /// [`Error::NotPermitted`] if the passkey was added with a recovery code less than a day ago;
    /// [`Error::Conflict`].
    pub async fn confirm(&self, of: &SignedIn, id: &[u8], counter: u32) -> Result<SignedIn> {
        let confirmed_at = self.used(&of.operator, id);
        let used = with_use(of.operator.clone(), id, counter, self.now());
        let operator = self.keep(used, "passkey.use", None).await?;
        if confirmed_at.is_none() {
            return Err(Error::NotPermitted(
                "A passkey added with a recovery code cannot confirm anything for 24 hours.",
            ));
        }
        let secret = OperatorSecret { confirmed_at, seen_at: self.now(), ..of.secret.clone() };
        match self.shared.storage.change_secret(&secret).await? {
            true => {
                Ok(SignedIn { operator, secret: OperatorSecret { version: secret.version + 1, ..secret } })
            }
            false => Err(Error::conflict("The session was changed meanwhile.".to_owned())),
        }
    }

    /// Time of a confirmation by this passkey now. `None` if the passkey may not confirm yet.
    fn used(&self, operator: &TeamMember, id: &[u8]) -> Option<Timestamp> {
        let passkey = operator.passkeys.iter().find(|passkey| passkey.id == id)?;
        Some(self.now()).filter(|now| *now >= passkey.confirms_from)
    }

    /// Checks that a passkey has just confirmed the session.
    ///
    /// # Errors
    /// [`Error::NotPermitted`] if no passkey confirmed a session just now.
    pub(super) fn is_confirmed(&self, of: &SignedIn) -> Result<()> {
        match of.is_confirmed(self.now()) {
            true => Ok(()),
            false => Err(Error::NotPermitted("Confirm with your passkey first.")),
        }
    }

    /// Uses up a recovery code. Returns a link for a new passkey.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`], which is the same for a wrong name and a wrong code.
    pub async fn use_recovery_code(&self, named: &str, code: &str) -> Result<NewSecret> {
        let operator = match self.active(named).await {
            Ok(operator) => operator,
            Err(Error::Unknown { .. } | Error::Conflict(_)) => return Err(Error::WrongCredentials),
            Err(fault) => return Err(fault),
        };
        let hash = hash_of(&code.trim().to_uppercase());
        if !operator.recovery_codes.contains(&hash) {
            return Err(Error::WrongCredentials);
        }
        let recovered_at = Some(self.now());
        let mut operator = TeamMember { recovered_at, ..operator };
        operator.recovery_codes.retain(|there| *there != hash);
        self.keep_with_link(operator, "recovery_code.use", RECOVERY_CODE).await
    }

    /// User of a valid session or token. Also records the use. `None` if the text is not valid.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn signed_in(&self, text: &str) -> Result<Option<SignedIn>> {
        let kinds = [SecretKind::Session, SecretKind::Command, SecretKind::Token];
        let Some(found) = self.good(text, &kinds).await? else { return Ok(None) };
        let now = self.now();
        if now >= found.secret.seen_at + SEEN_PERIOD {
            self.shared.storage.see_secret(&found.secret.hash, now).await?;
        }
        Ok(Some(found))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the session ended meanwhile.
    pub async fn sign_out(&self, of: SignedIn) -> Result<()> {
        self.spend(of.secret).await.map(|_| ())
    }

    /// Random code of `groups` groups of four letters and digits.
    pub(super) fn code(&self, groups: usize) -> String {
        let mut bytes = vec![0; groups * 4];
        self.shared.random.fill(&mut bytes);
        code_of(&bytes)
    }
}

/// Context of the signature of a ceremony.
const CEREMONY: &[u8] = b"covernote.ceremony.1";

/// Name of a link that was made by the use of a recovery code.
const RECOVERY_CODE: &str = "recovery code";

/// Bytes as groups of four letters and digits.
pub(super) fn code_of(bytes: &[u8]) -> String {
    let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
    let groups: Vec<String> = bytes.chunks(4).map(|group| group.iter().map(letter).collect()).collect();
    groups.join("-")
}

/// The operator, with the use of a passkey recorded.
fn with_use(mut operator: TeamMember, id: &[u8], counter: u32, now: Timestamp) -> TeamMember {
    for passkey in operator.passkeys.iter_mut().filter(|passkey| passkey.id == id) {
        (passkey.counter, passkey.used_at) = (counter, Some(now));
    }
    operator
}
