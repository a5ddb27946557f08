//! The operator's team: invitations, sessions, tokens, roles (D120).
//!
//! Uses `error`, `shared`.

pub mod approval;
pub mod device;
pub mod sign_in;

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::Timestamp;
use domain::id::{OperatorId, kind};
use domain::team::{Access, GIVEN_FOR, OperatorSecret, Role, SecretKind, TakenRoles, TeamMember};
use domain::text::one_line;

use crate::acting;
use crate::error::{Error, Result};
use crate::keys::KeyPurpose;
use crate::shared::Shared;

/// How long an invitation or a recovery link is valid.
pub const LINK_LIFETIME: Duration = Duration::from_secs(3600);

/// How long a session of an operator lasts.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(12 * 3600);

/// How long a session of an operator lasts if it is not used.
pub const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// How long after a passkey's confirmation an operator may do actions that cannot be undone.
pub const CONFIRMED_FOR: Duration = Duration::from_secs(5 * 60);

/// How long a passkey that was added with a recovery code or a recovery link cannot confirm such actions.
pub const COOL_DOWN: Duration = Duration::from_secs(24 * 3600);

/// How long every administrator sees a notice that an operator's access was recovered.
pub const RECOVERY_SHOWN: Duration = Duration::from_secs(7 * 24 * 3600);

/// Longest lifetime of a machine's token, in days.
pub const MOST_TOKEN_DAYS: u16 = 365;

/// How long an operator's session, token or link is stored after its end.
const SECRETS_KEPT: Duration = Duration::from_secs(24 * 3600);

/// How long an approval is stored after it was decided or has expired.
pub(crate) const APPROVALS_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Most rows that are removed at once.
const AT_ONCE: usize = 500;

/// Most characters of an operator's name.
const LONGEST_NAME: usize = 80;

/// Name of a link that recovers access.
const RECOVERY_LINK: &str = "recovery";

/// Shortest time between two records that a session or token was used.
const SEEN_PERIOD: Duration = Duration::from_secs(60);

/// New session, token or link. Its secret text is shown once.
#[derive(Debug)]
pub struct NewSecret {
    pub operator: TeamMember,
    pub text: String,
    pub expires_at: Timestamp,
}

/// A user with a valid session or token.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub operator: TeamMember,
    pub secret: OperatorSecret,
}

impl SignedIn {
    /// Whether the operator has one of these roles or is an administrator, and the session or token also has
    /// such a role.
    pub fn has_any(&self, roles: &[Role]) -> bool {
        let has = |all: &[Role], role: &Role| all.contains(role) || all.contains(&Role::Admin);
        let may = |role: &Role| has(&self.operator.roles, role) && has(&self.secret.roles, role);
        roles.iter().chain([&Role::Admin]).any(may)
    }

    /// An operator in whose name an action that was interrupted runs again, without a session.
    pub fn again(operator: TeamMember, now: Timestamp) -> Self {
        let secret = OperatorSecret {
            hash: [0; 32],
            kind: SecretKind::Session,
            operator: Some(operator.id),
            name: String::new(),
            roles: operator.roles.clone(),
            generation: operator.generation,
            made_at: now,
            expires_at: now,
            confirmed_at: None,
            seen_at: now,
            ended_at: None,
            version: 0,
        };
        SignedIn { operator, secret }
    }

    /// Whether a passkey confirmed the user within [`CONFIRMED_FOR`].
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        self.secret.confirmed_at.is_some_and(|at| now < at + CONFIRMED_FOR)
    }
}

/// Manages the team.
pub struct TeamService {
    pub(crate) shared: Arc<Shared>,
}

/// Word before what a browser holds, for the key that encrypts it.
const HELD: &[u8] = b"covernote.held.1";

/// What encrypts a text that a browser holds: a key of the store, and what the text is.
struct HeldKey {
    key: RandomizedNonceKey,
    what: &'static str,
}

impl HeldKey {
    fn seal(&self, text: String) -> Option<String> {
        let mut bytes = text.into_bytes();
        let nonce = self.key.seal_in_place_append_tag(Aad::from(self.what.as_bytes()), &mut bytes).ok()?;
        Some(URL_SAFE_NO_PAD.encode([&nonce.as_ref()[..], &bytes].concat()))
    }

    fn open(&self, sealed: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        let (nonce, mut sealed) = (Nonce::try_assume_unique_for_key(nonce).ok()?, sealed.to_vec());
        let text = self.key.open_in_place(nonce, Aad::from(self.what.as_bytes()), &mut sealed).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }
}

impl TeamService {
    /// Time by which the expiry of sessions and confirmations is checked.
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// New idempotency key for a form, so that a form that is sent twice is done once.
    pub fn form_key(&self) -> String {
        self.shared.ids.make::<kind::Operator>().uuid().to_string()
    }

    fn held_key(&self, what: &'static str) -> Option<HeldKey> {
        let secret = self.shared.directory.hasher(KeyPurpose::Address).hash(&[HELD, what.as_bytes()]);
        Some(HeldKey { key: RandomizedNonceKey::new(&AES_256_GCM, &secret).ok()?, what })
    }

    /// Encrypts a text that a browser holds for some time. `what`: what the text is.
    pub fn hold(&self, what: &'static str, text: &str, life: Duration) -> String {
        let until = (self.now() + life).as_second();
        self.held_key(what).and_then(|key| key.seal(format!("{until} {text}"))).unwrap_or_default()
    }

    /// The text that [`TeamService::hold`] encrypted. `None` if it is forged or too old.
    pub fn held(&self, what: &'static str, sealed: &str) -> Option<String> {
        let opened = self.held_key(what)?.open(sealed)?;
        let (until, text) = opened.split_once(' ')?;
        (self.now().as_second() < until.parse().ok()?).then(|| text.to_owned())
    }

    /// Every operator of the team, including those who left.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self) -> Result<Vec<TeamMember>> {
        Ok(self.shared.storage.operators().await?)
    }

    /// Operator by the id or the name.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, named: &str) -> Result<TeamMember> {
        let found = match named.parse() {
            Ok(id) => self.operator(id).await?,
            // If several operators had this name one after another, it means the last of them.
            Err(_) => self.list().await?.into_iter().rev().find(|operator| is_name(operator, named)),
        };
        found.ok_or_else(|| Error::Unknown { what: "operator", id: named.to_owned() })
    }

    /// Invites a person into the team.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Conflict`] if an operator has this name.
    pub async fn invite(&self, name: &str, roles: Vec<Role>) -> Result<NewSecret> {
        let is_id = name.trim().parse::<OperatorId>().is_ok();
        let name = one_line(name, LONGEST_NAME).filter(|line| line == name.trim() && !is_id);
        let name = name.ok_or_else(|| {
            Error::invalid("name", format!("A name must be one line of at most {LONGEST_NAME} characters."))
        })?;
        let taken = self.list().await?.iter().any(|there| there.is_active() && is_name(there, &name));
        if taken {
            return Err(Error::conflict(format!("An operator named {name} already exists.")));
        }
        let now = self.now();
        let operator = TeamMember {
            id: self.shared.ids.make(),
            name,
            roles: judged(roles)?,
            created_at: now,
            ended_at: None,
            generation: 0,
            recovered_at: None,
            passkeys: Vec::new(),
            recovery_codes: Vec::new(),
            identity: None,
            access: self.access(None).await?,
            taken: None,
            version: 0,
        };
        self.keep_with_link(operator, "operator.invite", "invitation").await
    }

    /// Gives an operator a recovery link. The operator's sessions, tokens, earlier links, recovery codes and
    /// identity at the identity provider become invalid at once. The passkeys become invalid when the link is
    /// used.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the operator left the team, or was changed meanwhile.
    pub async fn recover(&self, named: &str) -> Result<NewSecret> {
        let mut operator = self.active(named).await?;
        operator.generation += 1;
        operator.recovered_at = Some(self.now());
        operator.recovery_codes.clear();
        operator.identity = None;
        operator.access = self.access(operator.access).await?;
        self.keep_with_link(operator, "operator.recover", RECOVERY_LINK).await
    }

    /// Gives an operator other roles. The operator's existing sessions get no new roles.
    ///
    /// # Errors
    /// The errors of [`TeamService::recover`].
    pub async fn change_roles(&self, named: &str, roles: Vec<Role>) -> Result<TeamMember> {
        let mut operator = self.active(named).await?;
        let roles = judged(roles)?;
        if operator.roles.iter().any(|role| !roles.contains(role)) {
            let now = self.now();
            // Roles that were taken shortly before still count.
            let before = operator.taken.take().filter(|taken| taken.at >= now - GIVEN_FOR);
            let before = before.into_iter().flat_map(|taken| taken.roles);
            let roles = judged(operator.roles.iter().copied().chain(before).collect())?;
            operator.taken = Some(TakenRoles { roles, at: now });
        }
        if is_more(&roles, &operator.roles) {
            operator.access = self.access(operator.access).await?;
        }
        operator.roles = roles;
        self.keep(operator, "operator.roles", None).await
    }

    /// Removes an operator from the team.
    ///
    /// # Errors
    /// The errors of [`TeamService::recover`].
    pub async fn end(&self, named: &str) -> Result<TeamMember> {
        let mut operator = self.active(named).await?;
        operator.ended_at = Some(self.now());
        operator.generation += 1;
        self.keep(operator, "operator.end", None).await
    }

    /// Valid sessions, tokens and links of an operator, without their texts.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn secrets(&self, named: &str) -> Result<(TeamMember, Vec<OperatorSecret>)> {
        let operator = self.find(named).await?;
        let all = self.shared.storage.secrets_of(operator.id).await?;
        let now = self.now();
        let good = all.into_iter().filter(|secret| is_good(secret, &operator, now)).collect();
        Ok((operator, good))
    }

    /// Makes a token for a machine, with some roles of its operator.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Unknown`].
    pub async fn add_token(&self, named: &str, name: &str, roles: Vec<Role>, days: u16) -> Result<NewSecret> {
        let operator = self.active(named).await?;
        let roles = judged(roles)?;
        if let Some(role) = roles.iter().find(|role| !operator.has_any(std::slice::from_ref(role))) {
            let why = format!("{} does not have the role {role}.", operator.name);
            return Err(Error::invalid("roles", why));
        }
        if !(1..=MOST_TOKEN_DAYS).contains(&days) {
            let why = format!("A token must expire within 1 to {MOST_TOKEN_DAYS} days.");
            return Err(Error::invalid("days", why));
        }
        let life = Duration::from_secs(u64::from(days) * 24 * 3600);
        let (text, mut secret) = self.new_secret(SecretKind::Token, &operator, name, life);
        secret.roles = roles;
        self.shared.storage.keep_secret(&secret).await?;
        Ok(NewSecret { operator, text, expires_at: secret.expires_at })
    }

    /// Ends a session or token of an operator, which is named by the start of its hash.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn end_secret(&self, named: &str, start: &str) -> Result<OperatorSecret> {
        let (_, secrets) = self.secrets(named).await?;
        let found = secrets.into_iter().find(|secret| secret.short_id() == start);
        let secret =
            found.ok_or_else(|| Error::Unknown { what: "session or token", id: start.to_owned() })?;
        self.spend(secret).await
    }

    /// Removes secrets that expired a day ago, and approvals that expired a month ago. The audit trail still
    /// lists what was done with them.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn forget_old(&self) -> Result<()> {
        let (now, storage) = (self.now(), &self.shared.storage);
        while storage.forget_secrets(now - SECRETS_KEPT, AT_ONCE).await? == AT_ONCE {}
        while storage.forget_approvals(now - APPROVALS_KEPT, AT_ONCE).await? == AT_ONCE {}
        Ok(())
    }

    /// Access of a person after the current request, which gives some. `None` if nobody with a passkey is in the team
    /// yet. Who gave the person access shortly before still counts.
    async fn access(&self, before: Option<Access>) -> Result<Option<Access>> {
        if self.list().await?.iter().all(|one| one.passkeys.is_empty()) {
            return Ok(None);
        }
        let (acting, now) = (acting::current(), self.now());
        let mut given_by = vec![acting.actor().person()];
        if let Some(id) = acting.approval.get().and_then(|id| id.parse().ok()) {
            let approval = self.shared.storage.approval(id).await?;
            given_by.extend(approval.map(|approval| approval.asked_by));
        }
        given_by.extend(
            before
                .filter(|access| access.at >= now - GIVEN_FOR)
                .into_iter()
                .flat_map(|access| access.given_by),
        );
        given_by.sort_unstable();
        given_by.dedup();
        Ok(Some(Access { given_by, at: now }))
    }

    /// Operator by the id or name, if the operator is still in the team.
    async fn active(&self, named: &str) -> Result<TeamMember> {
        let operator = self.find(named).await?;
        match operator.is_active() {
            true => Ok(operator),
            false => Err(Error::conflict(format!("{} has left the team.", operator.name))),
        }
    }

    /// Saves a changed operator, if no other request has changed the operator meanwhile.
    async fn keep(
        &self,
        operator: TeamMember,
        what: &'static str,
        secret: Option<&OperatorSecret>,
    ) -> Result<TeamMember> {
        if !self.shared.storage.keep_operator(&operator, what, secret).await? {
            return Err(Error::conflict(format!("{} was changed meanwhile.", operator.name)));
        }
        Ok(TeamMember { version: operator.version + 1, ..operator })
    }

    async fn keep_with_link(
        &self,
        operator: TeamMember,
        what: &'static str,
        name: &str,
    ) -> Result<NewSecret> {
        let (text, link) = self.new_secret(SecretKind::Link, &operator, name, LINK_LIFETIME);
        let operator = self.keep(operator, what, Some(&link)).await?;
        Ok(NewSecret { operator, text, expires_at: link.expires_at })
    }

    /// A new secret of 256 random bits, with all the roles of its operator.
    fn new_secret(
        &self,
        kind: SecretKind,
        operator: &TeamMember,
        name: &str,
        life: Duration,
    ) -> (String, OperatorSecret) {
        let (text, now) = (self.random_text(), self.now());
        let secret = OperatorSecret {
            hash: hash_of(&text),
            kind,
            operator: Some(operator.id),
            name: one_line(name, LONGEST_NAME).unwrap_or_default(),
            roles: operator.roles.clone(),
            generation: operator.generation,
            made_at: now,
            expires_at: now + life,
            confirmed_at: None,
            seen_at: now,
            ended_at: None,
            version: 0,
        };
        (text, secret)
    }

    /// Ends a session, token or link that was just read.
    async fn spend(&self, secret: OperatorSecret) -> Result<OperatorSecret> {
        let spent = OperatorSecret { ended_at: Some(self.now()), ..secret };
        match self.shared.storage.change_secret(&spent).await? {
            true => Ok(spent),
            false => {
                Err(Error::conflict("The link, session or token was used or ended meanwhile.".to_owned()))
            }
        }
    }

    /// Valid session, token or link of one of these kinds, with its operator.
    async fn good(&self, text: &str, kinds: &[SecretKind]) -> Result<Option<SignedIn>> {
        let Some(secret) = self.shared.storage.secret(&hash_of(text)).await? else { return Ok(None) };
        let Some(of) = secret.operator.filter(|_| kinds.contains(&secret.kind)) else { return Ok(None) };
        let operator = self.operator(of).await?;
        let is_good = operator.as_ref().is_some_and(|operator| is_good(&secret, operator, self.now()));
        Ok(operator.filter(|_| is_good).map(|operator| SignedIn { operator, secret }))
    }

    async fn operator(&self, id: OperatorId) -> Result<Option<TeamMember>> {
        Ok(self.shared.storage.operator(id).await?)
    }
}

/// Whether a session, token or link is valid at a time.
fn is_good(secret: &OperatorSecret, operator: &TeamMember, now: Timestamp) -> bool {
    let is_idle = matches!(secret.kind, SecretKind::Session | SecretKind::Command)
        && now >= secret.seen_at + SESSION_IDLE;
    operator.is_active()
        && secret.generation == operator.generation
        && secret.ended_at.is_none()
        && now < secret.expires_at
        && !is_idle
}

/// Whether some of the roles are new to a person who has `there`.
pub fn is_more(roles: &[Role], there: &[Role]) -> bool {
    !there.contains(&Role::Admin) && roles.iter().any(|role| !there.contains(role))
}

fn is_name(operator: &TeamMember, name: &str) -> bool {
    operator.name.to_lowercase() == name.trim().to_lowercase()
}

/// Roles, sorted and without duplicates. At least one role is required.
fn judged(mut roles: Vec<Role>) -> Result<Vec<Role>> {
    roles.sort_unstable();
    roles.dedup();
    match roles.is_empty() {
        true => Err(Error::invalid("roles", "Must be at least one role.")),
        false => Ok(roles),
    }
}

/// SHA-256 of a secret's text. The store holds only this hash.
fn hash_of(text: &str) -> [u8; 32] {
    digest(&SHA256, text.as_bytes()).as_ref().try_into().expect("SHA-256 is 32 bytes")
}
