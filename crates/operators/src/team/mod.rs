//! The operator's team: invitations, roles, sessions and tokens (D120).
//!
//! Uses `act`.

pub(crate) mod approval;
pub(crate) mod passkey;
pub(crate) mod provider;

use domain::date::Timestamp;
use domain::id::OperatorId;
use domain::team::{OperatorSecret, Role, TeamMember};
use qrcodegen::{QrCode, QrCodeEcc};
use service::team::{NewSecret, RECOVERY_SHOWN, is_more};
use web::error::{Code, Problem};

use crate::act::answer::Done;
use crate::act::arguments::bad;
use crate::act::decide::Who;
use crate::act::fields::OperatorName;
use crate::act::input::input;
use crate::act::record::minute;
use crate::act::shown::answer;
use crate::act::{About, Act, Needed, On, Result, get, post};

input! {
    /// Invite a person into the team; prints a link that works once, within one hour
    struct InviteOperator {
        /// Name of the person in the team
        #[flag(is_positional = true)]
        name: String,
        /// Role: read, support, underwriting, claims, accounts, catalogue, compliance or admin; may be repeated
        #[flag(long = "role", value = "ROLE", is_required = true)]
        roles: Vec<Role>,
    }
}

impl Act for InviteOperator {
    const ABOUT: About = post("operator.invite", "/operators", &[]).irreversible().giving_secret();

    type Answer = Done<LinkMade>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let what = format!("{} joins the team: {}", self.name, words(&self.roles).join(", "));
        Ok((on.is_operator() || self.roles.contains(&Role::Admin)).then(|| Needed::new(what)))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let console = on.console()?;
        let invited = on.service.team.invite(&self.name, self.roles).await?;
        Ok(with_link(&invited, console, "invitation link"))
    }
}

input! {
    /// List the operators
    struct ListOperators {
        /// Also list operators who left the team
        all: bool,
    }
}

impl Act for ListOperators {
    const ABOUT: About = get("operator.list", "/operators", &[]);

    type Answer = Done<Operators>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (all, now) = (on.service.team.list().await?, on.service.team.now());
        let listed: Vec<&TeamMember> =
            all.iter().filter(|operator| self.all || operator.is_active()).collect();
        let shown = listed.into_iter().map(|operator| OperatorShown::of(operator, now));
        Ok(Done::of(Operators { operators: shown.collect() }))
    }
}

input! {
    /// Replace the roles of an operator; the operator must sign in again to use new roles
    struct ChangeRoles {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
        /// Role from now on; may be repeated
        #[flag(long = "role", value = "ROLE", is_required = true)]
        roles: Vec<Role>,
    }
}

impl Act for ChangeRoles {
    const ABOUT: About =
        post("operator.roles", "/operators/{operator}/roles", &[]).irreversible().giving_access();

    type Answer = Done<OperatorShown>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = on.service.team.find(&self.operator.0).await?;
        let roles = &self.roles;
        // To take roles away needs no approval.
        let is_new = roles.contains(&Role::Admin) && !operator.roles.contains(&Role::Admin);
        let needs = is_new || on.is_operator() && is_more(roles, &operator.roles);
        let what = format!("{} gets the roles {}", operator.name, words(roles).join(", "));
        Ok(needs.then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let before = on.service.team.find(&self.operator.0).await?.roles;
        let operator = on.service.team.change_roles(&self.operator.0, self.roles).await?;
        if before.iter().any(|role| !operator.roles.contains(role)) {
            on.service.approvals.void(&operator.id.to_string()).await?;
        }
        let said = format!("{}: {}", operator.name, words(&operator.roles).join(", "));
        Ok(Done::of(OperatorShown::of(&operator, on.service.team.now())).saying(said))
    }
}

input! {
    /// Print a recovery link for an operator who lost their passkey; ends all their sessions, tokens, links
    /// and recovery codes
    struct RecoverOperator {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
    }
}

impl Act for RecoverOperator {
    const ABOUT: About =
        post("operator.recover", "/operators/{operator}/recovery", &[]).irreversible().giving_secret();

    type Answer = Done<LinkMade>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = on.service.team.find(&self.operator.0).await?;
        let what = format!("{} gets a recovery link", operator.name);
        Ok(on.is_operator().then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let console = on.console()?;
        let recovered = on.service.team.recover(&self.operator.0).await?;
        let admins: Vec<String> = on
            .service
            .team
            .list()
            .await?
            .into_iter()
            .filter(|one| {
                one.is_active() && one.roles.contains(&Role::Admin) && one.id != recovered.operator.id
            })
            .map(|admin| admin.name)
            .collect();
        let told = if admins.is_empty() { "none".to_owned() } else { admins.join(", ") };
        Ok(with_link(&recovered, console, "recovery link").saying(format!("other administrators: {told}")))
    }
}

input! {
    /// Remove an operator from the team; ends all their sessions, tokens and links
    struct EndOperator {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
    }
}

impl Act for EndOperator {
    const ABOUT: About = post("operator.end", "/operators/{operator}/end", &[]).irreversible();

    type Answer = Done<OperatorShown>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let operator = on.service.team.end(&self.operator.0).await?;
        on.service.approvals.void(&operator.id.to_string()).await?;
        let note = format!("{} left the team", operator.name);
        Ok(Done::of(OperatorShown::of(&operator, on.service.team.now())).saying(note))
    }
}

input! {
    /// List the valid sessions, tokens and links of an operator
    struct ListSessions {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
    }
}

impl Act for ListSessions {
    const ABOUT: About = get("operator.sessions", "/operators/{operator}/sessions", &[]);

    type Answer = Done<Sessions>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (_, secrets) = on.service.team.secrets(&self.operator.0).await?;
        Ok(Done::of(Sessions { sessions: secrets.iter().map(SessionShown::of).collect() }))
    }
}

input! {
    /// End a session or token of an operator
    struct EndSession {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
        /// Session or token, as 'operator sessions' lists it
        #[flag(is_positional = true)]
        session: String,
    }
}

impl Act for EndSession {
    const ABOUT: About = post("operator.end_session", "/operators/{operator}/session-endings", Role::ALL);

    type Answer = Done<SessionEnded>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        if let Who::Operator(signed_in) = &on.who
            && !signed_in.has_any(&[])
            && signed_in.operator.id != on.service.team.find(&self.operator.0).await?.id
        {
            return Err(Problem::new(
                Code::A4030,
                "Only an administrator may end sessions of other operators.",
            ));
        }
        let ended = on.service.team.end_secret(&self.operator.0, &self.session).await?;
        let note = format!("{} {} ended", ended.kind, self.session);
        let ended = SessionEnded { session: self.session, kind: ended.kind.word(), name: ended.name };
        Ok(Done::of(ended).saying(note))
    }
}

input! {
    /// Make a token for a machine that acts for an operator; the token cannot do what needs a passkey
    struct AddToken {
        /// Name or id (opr_…) of the operator
        operator: OperatorName,
        /// What the token is for
        name: String,
        /// Role of the token, which its operator must have; may be repeated
        #[flag(long = "role", value = "ROLE", is_required = true)]
        roles: Vec<Role>,
        /// Days until the token expires, at most 365
        days: u16 = 90,
    }
}

impl Act for AddToken {
    const ABOUT: About =
        post("operator.token", "/operators/{operator}/tokens", &[]).irreversible().giving_secret();

    type Answer = Done<TokenMade>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = on.service.team.find(&self.operator.0).await?;
        let what = format!("a token for {}: {}, {}", operator.name, self.name, words(&self.roles).join(", "));
        Ok(on.is_operator().then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let made = on.service.team.add_token(&self.operator.0, &self.name, self.roles, self.days).await?;
        let note = format!(
            "The token of {} is shown only now. It expires at {}.",
            made.operator.name,
            minute(made.expires_at)
        );
        Ok(Done::of(TokenMade { token: made.text, expires_at: made.expires_at }).saying(note))
    }
}

/// Approval that is needed to change an operator. `what` describes the change.
fn about(operator: &TeamMember, what: String) -> Needed {
    let version = format!("{} {}", operator.generation, words(&operator.roles).join(" "));
    let needed = Needed::new(what).of(operator.id, version).fact("operator_name", &operator.name);
    needed.fact("roles_now", words(&operator.roles).join(", "))
}

impl On {
    /// Whether the caller is an operator who signed in. Root needs no approval, since root can do everything.
    pub(crate) const fn is_operator(&self) -> bool {
        matches!(self.who, Who::Operator(_))
    }

    /// Address of the console. Refuses the action if there is no console.
    fn console(&self) -> Result<&str> {
        match self.console_url.as_str() {
            "" => Err(bad("There is no console: set console_listen, and restart the server.")),
            url => Ok(url),
        }
    }
}

/// Answer with a link and its QR code.
fn with_link(made: &NewSecret, console: &str, what: &str) -> Done<LinkMade> {
    let link = format!("{}/invitation/{}", console.trim_end_matches('/'), made.text);
    let note = format!("The {what} of {} works once, until {}.", made.operator.name, minute(made.expires_at));
    let code = qr_lines(&link);
    let made = LinkMade {
        operator_id: made.operator.id,
        name: made.operator.name.clone(),
        link,
        expires_at: made.expires_at,
    };
    code.into_iter().fold(Done::of(made), Done::saying).saying(note)
}

/// QR code of half blocks, light on dark for most terminals, with a quiet zone of two modules.
fn qr_lines(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return Vec::new() };
    let range = || -2..code.size() + 2;
    let block = |x: i32, y: i32| match (code.get_module(x, y), code.get_module(x, y + 1)) {
        (false, false) => '█',
        (false, true) => '▀',
        (true, false) => '▄',
        (true, true) => ' ',
    };
    range().step_by(2).map(|y| range().map(|x| block(x, y)).collect()).collect()
}

fn words(roles: &[Role]) -> Vec<&'static str> {
    roles.iter().map(|role| role.word()).collect()
}

fn state(operator: &TeamMember) -> &'static str {
    match (operator.is_active(), operator.passkeys.is_empty()) {
        (false, _) => "left",
        (true, true) => "invited",
        (true, false) => "active",
    }
}

answer! {
    /// The team
    struct Operators {
        /// Operators
        #[shown(columns = ["operator_id", "name", "roles", "state", "access_recovered"])]
        operators: Vec<OperatorShown>,
    }
}

answer! {
    /// An operator
    struct OperatorShown {
        /// Id of the operator
        operator_id: OperatorId,
        /// Name
        name: String,
        /// Roles
        roles: Vec<Role>,
        /// State: invited, active or left
        state: &'static str,
        /// When the operator was invited
        created_at: Timestamp,
        /// When the operator left
        ended_at: Option<Timestamp>,
        /// When the operator last got a recovery link
        recovered_at: Option<Timestamp>,
        /// The same, while the list of work shows it
        access_recovered: Option<Timestamp>,
        /// Number of passkeys
        passkeys: usize,
        /// Number of unused recovery codes
        recovery_codes: usize,
    }
}

impl OperatorShown {
    fn of(operator: &TeamMember, now: Timestamp) -> Self {
        OperatorShown {
            operator_id: operator.id,
            name: operator.name.clone(),
            roles: operator.roles.clone(),
            state: state(operator),
            created_at: operator.created_at,
            ended_at: operator.ended_at,
            recovered_at: operator.recovered_at,
            access_recovered: operator.recovered_at.filter(|at| now < *at + RECOVERY_SHOWN),
            passkeys: operator.passkeys.len(),
            recovery_codes: operator.recovery_codes.len(),
        }
    }
}

answer! {
    /// Valid sessions, tokens and links of an operator
    struct Sessions {
        /// Sessions, tokens and links
        #[shown(columns = ["session", "kind", "name", "roles", "seen_at", "expires_at"])]
        sessions: Vec<SessionShown>,
    }
}

answer! {
    /// A session, a token or a link
    struct SessionShown {
        /// Short id
        session: String,
        /// Kind
        kind: &'static str,
        /// Name of the machine or the token
        name: String,
        /// Roles
        roles: Vec<Role>,
        /// When it was made
        made_at: Timestamp,
        /// When it was last used
        #[shown(label = "last used")]
        seen_at: Timestamp,
        /// When it expires
        #[shown(label = "expires")]
        expires_at: Timestamp,
    }
}

impl SessionShown {
    fn of(secret: &OperatorSecret) -> Self {
        SessionShown {
            session: secret.short_id(),
            kind: secret.kind.word(),
            name: secret.name.clone(),
            roles: secret.roles.clone(),
            made_at: secret.made_at,
            seen_at: secret.seen_at,
            expires_at: secret.expires_at,
        }
    }
}

answer! {
    /// A session or token that was ended
    struct SessionEnded {
        /// Short id
        session: String,
        /// Kind
        kind: &'static str,
        /// Name of the machine or the token
        name: String,
    }
}

answer! {
    /// A new token
    struct TokenMade {
        /// Token, which is shown only now
        #[shown(alone = true)]
        token: String,
        /// When it expires
        expires_at: Timestamp,
    }
}

answer! {
    /// A new link for an operator
    struct LinkMade {
        /// Id of the operator
        operator_id: OperatorId,
        /// Name of the operator
        name: String,
        /// Link, which works once
        #[shown(alone = true)]
        link: String,
        /// When it expires
        expires_at: Timestamp,
    }
}
