//! The operator's team: invitations, roles, sessions and tokens (D120).

use clap::Args;
use domain::date::Timestamp;
use domain::team::{OperatorSecret, Role, TeamMember};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::team::{NewSecret, RECOVERY_SHOWN, is_more};
use utoipa::ToSchema;
use web::error::{Code, Problem};

use crate::act::{About, Act, Needed, On, Result, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read};
use crate::decide::Who;
use crate::record::minute;

verbs! {
    /// Verbs of `covernote operator` that use the operators' API
    TeamVerb {
        Invite(InviteOperator),
        List(ListOperators),
        Roles(ChangeRoles),
        Recover(RecoverOperator),
        End(EndOperator),
        Sessions(ListSessions),
        EndSession(EndSession),
        Token(AddToken),
    }
}

fn read_roles(roles: &[String]) -> Result<Vec<Role>> {
    roles.iter().map(|role| read("--role", role)).collect()
}

/// Invite a person into the team; prints a link that works once, within one hour
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteOperator {
    /// Name of the person in the team
    name: String,
    /// Role: read, support, underwriting, claims, accounts, catalogue, compliance or admin; may be repeated
    #[arg(long = "role", value_name = "ROLE", required = true)]
    roles: Vec<String>,
}

impl Act for InviteOperator {
    const ABOUT: About = post("operator.invite", "/operators", &[]).irreversible().giving_secret();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let roles = read_roles(&self.roles)?;
        let what = format!("{} joins the team: {}", self.name, words(&roles).join(", "));
        Ok((on.is_operator() || roles.contains(&Role::Admin)).then(|| Needed::new(what)))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let console = on.console()?;
        let invited = on.service.team.invite(&self.name, read_roles(&self.roles)?).await?;
        Ok(with_link(&invited, console, "invitation link"))
    }
}

/// List the operators
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListOperators {
    /// Also list operators who left the team
    #[arg(long)]
    #[serde(default)]
    all: bool,
}

impl Act for ListOperators {
    const ABOUT: About = get("operator.list", "/operators", &[]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (all, now) = (on.service.team.list().await?, on.service.team.now());
        let listed: Vec<&TeamMember> =
            all.iter().filter(|operator| self.all || operator.is_active()).collect();
        let row = |operator: &&TeamMember| {
            let recovered = operator.recovered_at.filter(|at| now < *at + RECOVERY_SHOWN);
            vec![
                operator.id.to_string(),
                operator.name.clone(),
                words(&operator.roles).join(", "),
                state(operator).to_owned(),
                recovered.map(|at| format!("access recovered {}", minute(at))).unwrap_or_default(),
            ]
        };
        let json: Vec<Value> = listed.iter().map(|operator| to_json(operator)).collect();
        let head = ["operator_id", "name", "roles", "state", ""];
        Ok(Answer::of(json!({ "operators": json })).table(&head, listed.iter().map(row)))
    }
}

/// Replace the roles of an operator; the operator must sign in again to use new roles
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRoles {
    /// Name or id (opr_…) of the operator
    operator: String,
    /// Role from now on; may be repeated
    #[arg(long = "role", value_name = "ROLE", required = true)]
    roles: Vec<String>,
}

impl Act for ChangeRoles {
    const ABOUT: About =
        post("operator.roles", "/operators/{operator}/roles", &[]).irreversible().giving_access();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = on.service.team.find(&self.operator).await?;
        let roles = read_roles(&self.roles)?;
        // To take roles away needs no approval.
        let is_new = roles.contains(&Role::Admin) && !operator.roles.contains(&Role::Admin);
        let needs = is_new || on.is_operator() && is_more(&roles, &operator.roles);
        let what = format!("{} gets the roles {}", operator.name, words(&roles).join(", "));
        Ok(needs.then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let roles = read_roles(&self.roles)?;
        let before = on.service.team.find(&self.operator).await?.roles;
        let operator = on.service.team.change_roles(&self.operator, roles).await?;
        if before.iter().any(|role| !operator.roles.contains(role)) {
            on.service.approvals.void(&operator.id.to_string()).await?;
        }
        let said = format!("{}: {}", operator.name, words(&operator.roles).join(", "));
        Ok(Answer::of(to_json(&operator)).saying(said))
    }
}

/// Print a recovery link for an operator who lost their passkey; ends all their sessions, tokens, links
/// and recovery codes
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoverOperator {
    /// Name or id (opr_…) of the operator
    operator: String,
}

impl Act for RecoverOperator {
    const ABOUT: About =
        post("operator.recover", "/operators/{operator}/recovery", &[]).irreversible().giving_secret();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = on.service.team.find(&self.operator).await?;
        let what = format!("{} gets a recovery link", operator.name);
        Ok(on.is_operator().then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let console = on.console()?;
        let recovered = on.service.team.recover(&self.operator).await?;
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

/// Remove an operator from the team; ends all their sessions, tokens and links
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndOperator {
    /// Name or id (opr_…) of the operator
    operator: String,
}

impl Act for EndOperator {
    const ABOUT: About = post("operator.end", "/operators/{operator}/end", &[]).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let operator = on.service.team.end(&self.operator).await?;
        on.service.approvals.void(&operator.id.to_string()).await?;
        Ok(Answer::of(to_json(&operator)).saying(format!("{} left the team", operator.name)))
    }
}

/// List the valid sessions, tokens and links of an operator
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {
    /// Name or id (opr_…) of the operator
    operator: String,
}

impl Act for ListSessions {
    const ABOUT: About = get("operator.sessions", "/operators/{operator}/sessions", &[]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (_, secrets) = on.service.team.secrets(&self.operator).await?;
        let row = |secret: &OperatorSecret| {
            let OperatorSecret { kind, name, roles, seen_at, expires_at, .. } = secret;
            let roles = words(roles).join(", ");
            vec![
                secret.short_id(),
                kind.to_string(),
                name.clone(),
                roles,
                minute(*seen_at),
                minute(*expires_at),
            ]
        };
        let one = |secret: &OperatorSecret| {
            json!({
                "session": secret.short_id(), "kind": secret.kind.word(), "name": secret.name, "roles": words(&secret.roles),
                "made_at": secret.made_at.to_string(), "seen_at": secret.seen_at.to_string(),
                "expires_at": secret.expires_at.to_string(),
            })
        };
        let json: Vec<Value> = secrets.iter().map(one).collect();
        let head = ["session", "kind", "name", "roles", "last used", "expires"];
        Ok(Answer::of(json!({ "sessions": json })).table(&head, secrets.iter().map(row)))
    }
}

/// End a session or token of an operator
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndSession {
    /// Name or id (opr_…) of the operator
    operator: String,
    /// Session or token, as 'operator sessions' lists it
    session: String,
}

impl Act for EndSession {
    const ABOUT: About = post("operator.end_session", "/operators/{operator}/session-endings", Role::ALL);

    async fn run(self, on: &On) -> Result<Answer> {
        if let Who::Operator(signed_in) = &on.who
            && !signed_in.has_any(&[])
            && signed_in.operator.id != on.service.team.find(&self.operator).await?.id
        {
            return Err(Problem::new(
                Code::A4030,
                "Only an administrator may end sessions of other operators.",
            ));
        }
        let ended = on.service.team.end_secret(&self.operator, &self.session).await?;
        let json = json!({ "session": self.session, "kind": ended.kind.word(), "name": ended.name });
        Ok(Answer::of(json).saying(format!("{} {} ended", ended.kind, self.session)))
    }
}

/// Make a token for a machine that acts for an operator; the token cannot do what needs a passkey
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddToken {
    /// Name or id (opr_…) of the operator
    operator: String,
    /// What the token is for
    #[arg(long)]
    name: String,
    /// Role of the token, which its operator must have; may be repeated
    #[arg(long = "role", value_name = "ROLE", required = true)]
    roles: Vec<String>,
    /// Days until the token expires, at most 365
    #[arg(long, default_value_t = 90)]
    #[serde(default = "ninety")]
    days: u16,
}

const fn ninety() -> u16 {
    90
}

impl AddToken {
    /// Operator for whom the token is. Refuses an operator who asks for another one's token.
    async fn owner(&self, on: &On) -> Result<TeamMember> {
        let of = on.service.team.find(&self.operator).await?;
        match &on.who {
            Who::Operator(signed_in) if signed_in.operator.id != of.id => {
                Err(Problem::new(Code::A4030, "You can make tokens only for yourself."))
            }
            _ => Ok(of),
        }
    }
}

impl Act for AddToken {
    const ABOUT: About =
        post("operator.token", "/operators/{operator}/tokens", &[]).irreversible().giving_secret();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let operator = self.owner(on).await?;
        let what = format!("a token for {}: {}, {}", operator.name, self.name, self.roles.join(", "));
        Ok(on.is_operator().then(|| about(&operator, what)))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let roles = read_roles(&self.roles)?;
        self.owner(on).await?;
        let made = on.service.team.add_token(&self.operator, &self.name, roles, self.days).await?;
        let json = json!({ "token": made.text, "expires_at": made.expires_at.to_string() });
        let mut answer = Answer::of(json);
        answer.data(&made.text);
        Ok(answer.saying(format!(
            "The token of {} is shown only now. It expires at {}.",
            made.operator.name,
            minute(made.expires_at)
        )))
    }
}

/// Approval that is needed to change an operator. `what` describes the change.
fn about(operator: &TeamMember, what: String) -> Needed {
    let version = format!("{} {}", operator.generation, words(&operator.roles).join(" "));
    Needed { subject: operator.id.to_string(), version, what }
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
fn with_link(made: &NewSecret, console: &str, what: &str) -> Answer {
    let link = format!("{}/invitation/{}", console.trim_end_matches('/'), made.text);
    let (id, name) = (made.operator.id.to_string(), &made.operator.name);
    let expires = made.expires_at;
    let mut answer = Answer::of(json!({
        "operator_id": id, "name": name, "link": link, "expires_at": expires.to_string(),
    }));
    answer.data(&link);
    qr_lines(&link).iter().for_each(|line| answer.message(line));
    answer.saying(format!("The {what} of {name} works once, until {}.", minute(expires)))
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

fn to_json(operator: &TeamMember) -> Value {
    let text = |at: Option<Timestamp>| at.map(|at| at.to_string());
    json!({
        "operator_id": operator.id.to_string(), "name": operator.name, "roles": words(&operator.roles),
        "state": state(operator), "created_at": operator.created_at.to_string(), "ended_at": text(operator.ended_at),
        "recovered_at": text(operator.recovered_at), "passkeys": operator.passkeys.len(),
        "recovery_codes": operator.recovery_codes.len(),
    })
}
