//! What somebody can do with the database but without the keyring (SECURITY.md). Every column of every table
//! is bound to what is sealed beside it, derived from other rows, or operational. No changed bound column is
//! served.

use axum::http::StatusCode;
use domain::approval::ApprovalFact;
use domain::complaint::ComplaintKind;
use domain::credit_life::CreditLife;
use domain::date::{Date, Timestamp};
use domain::id::{ComplaintId, PolicyId, ProposalId};
use domain::identifier::{Identifier, IdentifierKind};
use domain::person::PersonalLine;
use domain::quote::CatalogueHash;
use domain::statement::{
    FileFormat, Recipient, RowKey, Statement, StatementFile, StatementKind, Transaction,
};
use reqwest::header::COOKIE;
use serde_json::{Value, json};
use service::complaint::NewComplaint;
use service::partner::request_log::RequestQuery;
use service::storage::request_log::LoggedRequest;
use service::storage::statements::{AnswerKept, MonthRun, PartPosition, RowAnswer};

use domain::team::Role;
use domain::webhook::{WantedEvents, WebhookEndpoint};
use domain::work_item::WorkItem;
use service::event::webhook::NewEndpoint;
use service::team::approval::NewApproval;

use crate::support::claims::{death, pdf};
use crate::support::premium::{MICRO, NAMOONA};
use crate::support::statements::month;
use crate::support::{App, Customer, Engine, Partner, Setup, bodies};

/// The columns of a table, by their protection.
struct Table {
    name: &'static str,
    /// Columns whose change is detected as damage: the record is not served.
    bound: &'static [&'static str],
    /// Columns that follow from other rows or from the sealed body. After a change, lists and look-ups may
    /// miss a record, or show it elsewhere in its partner's own lists; `backup --verify` finds it.
    derived: &'static [&'static str],
    /// Columns that say when and by whom work is done. After a change, work may be done later, earlier or
    /// again.
    operational: &'static [&'static str],
}

/// Size of a paper that has more than one part, in bytes.
const PAPER: usize = 100_000;

/// Key of the task with a work item.
const TASK: &str = "claim:clm_1";

const TABLES: &[Table] = &[
    Table {
        name: "partners",
        bound: &[
            "partner_id",
            "client_id",
            "name",
            "enabled",
            "scopes",
            "legacy_reads",
            "attribution",
            "origins",
            "return_urls",
            "tokens_per_hour",
            "tokens_ended_at",
            "created_at",
            "is_test",
            "clock_ahead",
            "proof",
        ],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "secrets",
        bound: &["partner_id", "number", "hash", "added_at", "revoked_at", "tokens_ended"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "embedded_quotes",
        bound: &["partner_id", "quote_id", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "health_quotes",
        bound: &["partner_id", "quote_id", "created_at", "body", "outcome"],
        derived: &["session_id"],
        operational: &[],
    },
    Table {
        name: "tags",
        bound: &["partner_id", "subject_id", "named"],
        derived: &["tag"],
        operational: &[],
    },
    Table {
        name: "proposals",
        bound: &[
            "partner_id",
            "proposal_id",
            "created_at",
            "changed_at",
            "session_id",
            "line",
            "status",
            "insurer_reference",
            "reason",
            "body",
        ],
        derived: &["quote_id", "variant_id"],
        operational: &["import_id"],
    },
    Table {
        name: "moves",
        bound: &[
            "partner_id",
            "proposal_id",
            "moved_at",
            "line",
            "moved_by",
            "from_status",
            "to_status",
            "reason",
        ],
        derived: &["sequence"],
        operational: &[],
    },
    Table {
        name: "policies",
        bound: &[
            "partner_id",
            "policy_id",
            "issued_at",
            "session_id",
            "proposal_id",
            "check_hash",
            "line",
            "number",
            "insurer_number",
            "body",
            "certificate",
            "certificate_version",
            "state",
            "changed_at",
            "last_day",
            "version",
        ],
        derived: &["refund_due_on", "endorsement_asked_at", "renewable_until"],
        operational: &["document_read_at", "import_id"],
    },
    Table {
        name: "replaced_certificates",
        bound: &["partner_id", "policy_id", "certificate_version", "number", "certificate"],
        derived: &["replaced_at"],
        operational: &[],
    },
    Table {
        name: "policy_moves",
        bound: &["partner_id", "policy_id", "moved_at", "moved_by", "from_state", "to_state", "reason"],
        derived: &["sequence"],
        operational: &[],
    },
    Table {
        name: "claims",
        bound: &[
            "partner_id",
            "claim_id",
            "created_at",
            "policy_id",
            "line",
            "session_id",
            "state",
            "changed_at",
            "version",
            "settle_by",
            "body",
        ],
        derived: &["same", "paper_bytes"],
        operational: &[],
    },
    Table {
        name: "claim_moves",
        bound: &["partner_id", "claim_id", "moved_at", "moved_by", "from_state", "to_state", "reason"],
        derived: &["sequence"],
        operational: &[],
    },
    Table {
        name: "claim_papers",
        bound: &["partner_id", "paper_id", "claim_id", "added_at", "bytes", "is_whole", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "claim_parts",
        bound: &["partner_id", "paper_id", "number", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "complaints",
        bound: &["partner_id", "complaint_id", "created_at", "policy_id", "answer_by", "answered_on", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "holds",
        bound: &["record_id", "record", "held_at", "held_by", "reason"],
        derived: &[],
        operational: &[],
    },
    // An erasure that is not recorded is repeated.
    Table { name: "erasures", bound: &[], derived: &[], operational: &["erasure_id", "erased_at"] },
    Table {
        name: "erased_records",
        bound: &[],
        derived: &["partner_id", "record_id", "kind", "erased_at"],
        operational: &[],
    },
    // The audit trail has each withdrawal.
    Table {
        name: "withdrawn_consents",
        bound: &[],
        derived: &["partner_id", "proposal_id", "purpose", "withdrawn_at", "proof"],
        operational: &[],
    },
    Table {
        name: "events",
        bound: &["partner_id", "event_id", "happened_at", "type", "subject_id", "body"],
        derived: &["sequence"],
        operational: &[],
    },
    Table {
        name: "webhook_endpoints",
        bound: &["partner_id", "endpoint_id", "created_at", "state", "version", "body"],
        derived: &[],
        operational: &["failures", "failing_since", "rests_until"],
    },
    Table {
        name: "request_log",
        bound: &["partner_id", "batch_id", "body"],
        derived: &[],
        operational: &["requests"],
    },
    Table {
        name: "approvals",
        bound: &["approval_id", "subject", "expires_at", "state", "version", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "work_items",
        bound: &["task", "changed_at", "version", "body"],
        derived: &[],
        operational: &[],
    },
    Table { name: "operators", bound: &["operator_id", "version", "body"], derived: &[], operational: &[] },
    Table {
        name: "operator_secrets",
        bound: &["hash", "operator_id", "kind", "expires_at", "ended_at", "version", "body"],
        derived: &[],
        operational: &["seen_at"],
    },
    Table {
        name: "audit",
        bound: &[
            "slot",
            "number",
            "entered_at",
            "actor",
            "via",
            "action",
            "change",
            "subject",
            "session",
            "request_id",
            "approval",
            "reason",
            "key_number",
            "hash",
        ],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "calendars",
        bound: &[],
        derived: &["partner_id", "day", "step", "after_id", "assortment", "version", "proof"],
        operational: &[],
    },
    Table {
        name: "deliveries",
        bound: &["partner_id", "endpoint_id", "event_id", "body"],
        derived: &[],
        operational: &["state", "due_at", "is_again", "tries", "owner", "lease"],
    },
    Table {
        name: "statements",
        bound: &["partner_id", "statement_id", "month", "kind", "number", "made_at", "paid_at", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "statement_parts",
        bound: &["partner_id", "statement_id", "file", "number", "body"],
        derived: &["month"],
        operational: &[],
    },
    Table {
        name: "statement_answers",
        bound: &["partner_id", "statement_id", "policy_id", "kind", "nth", "answered_at", "accepted", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "premiums",
        bound: &[
            "partner_id",
            "proposal_id",
            "line",
            "insurer_id",
            "route",
            "deposit",
            "due",
            "unsettled",
            "received",
            "applied",
            "refundable",
            "refunded",
            "held_here",
            "held_since",
            "ended",
            "decided_by",
            "decided_at",
            "insurer_number",
            "created_at",
            "changed_at",
            "proof",
        ],
        derived: &["settled"],
        operational: &[],
    },
    Table {
        name: "sessions",
        bound: &["partner_id", "session_id", "created_at", "body"],
        derived: &[],
        operational: &[],
    },
    Table {
        name: "journeys",
        bound: &["partner_id", "journey_id", "token_id", "cookie_hash", "body"],
        derived: &[],
        operational: &["seen_at", "version"],
    },
    Table {
        name: "kept_responses",
        bound: &["partner_id", "idempotency_key", "kept_at", "body"],
        derived: &[],
        operational: &[],
    },
];

/// Tables that need no test here: all columns are derived or operational; books of account in clear text,
/// whose rows are proven and checked against each other (`verify` of the crate `storage`); tables that are named by their
/// hash (`catalogues`), bound to their number by the keyring (`keys`), or bound to partner, quote and ask
/// (`health_outcomes`).
const OTHERS: &[&str] = &[
    "catalogues",
    "day_counts",
    "deposits",
    "event_counts",
    "facts",
    "health_outcomes",
    "imports",
    "insurer_notices",
    "jobs",
    "keys",
    "ledger",
    "migrations",
    "receipt_lines",
    "payments",
    "receipts",
    "revision",
    "sale_counts",
    "session_counts",
    "statement_months",
    "status_pages",
    "token_counts",
    "tokens",
    "webhook_subscriptions",
];

#[tokio::test]
async fn every_column_of_a_tested_table_is_listed_as_bound_derived_or_operational() {
    let app = App::start().await;
    for table in TABLES {
        let mut listed: Vec<&str> = [table.bound, table.derived, table.operational].concat();
        listed.sort_unstable();
        let mut there = app.store.columns_of(table.name);
        there.sort_unstable();
        assert_eq!(there, listed, "{}: a new column needs its list here and in SECURITY.md", table.name);
    }
    for table in app.store.tables() {
        let known = TABLES.iter().any(|known| known.name == table) || OTHERS.contains(&table.as_str());
        assert!(known, "the table {table} is in no list");
    }
}

/// Stores a statement of the app's partner, as another process would.
async fn has_statement(app: &App, policy: PolicyId) -> Statement {
    let (store, at) = (app.opens_store().await, Timestamp::UNIX_EPOCH);
    let run = MonthRun { month: month("2026-10"), number: 7 };
    let id = "stm_01m5vvw3xreqg9aaa1afd2xg99".parse().expect("an id");
    let of = app.partner().id;
    let statement = Statement {
        id,
        number: "CS-202610-0001".into(),
        month: run.month,
        kind: StatementKind::Commission,
        recipient: Recipient::Partner(of),
        subject: String::new(),
        made_at: at,
        rows: 1,
        totals: Vec::new(),
        files: vec![StatementFile { format: FileFormat::Csv, bytes: 4, hash: [7; 32] }],
        dues: Vec::new(),
        paid: None,
    };
    let part = PartPosition { of: Some(of), statement: id, file: FileFormat::Csv, number: 0 };
    store.begin_month(run, at).await.expect("begun");
    assert!(store.add_statement_part(run, part, b"rows").await.expect("kept"));
    assert!(
        store
            .close_month(run, CatalogueHash([6; 32]), std::slice::from_ref(&statement), &[], &[], at)
            .await
            .expect("closed")
    );
    let key = RowKey { policy, transaction: Transaction::New, nth: 0 };
    let reason = Some("age".to_owned());
    let answer = RowAnswer { key, accepted: false, number: None, reason };
    assert_eq!(store.keep_answer(id, &[answer], &[], at).await.expect("kept"), AnswerKept::Done);
    statement
}

/// Records of every table whose columns are changed, with the functions that read them.
struct Records {
    app: App,
    other: Partner,
    quote: Value,
    completed: String,
    /// The policy of the completed proposal, which was cancelled.
    policy: String,
    /// A claim on the policy, with its paper.
    claim: String,
    paper: String,
    /// A complaint about the policy.
    complaint: ComplaintId,
    /// A statement of the partner with one file. The insurer has answered its only row.
    statement: Statement,
    /// A proposal that owes its premium.
    owing: String,
    health: String,
    session: String,
    cookie: String,
    /// A session token of an operator.
    operator_token: String,
}

impl Records {
    async fn new() -> Records {
        let owed = "by = \"partner\"";
        let setup = Setup::default().with_premium(NAMOONA, owed).with_premium(MICRO, owed);
        let app = setup.start().await;
        let other = app.new_partner("Other Lender").await;
        let quote = app.has_quote().await;
        let completed = app.has_proposal("COMPLETED").await;
        let owing = app.has_straight_through().await;
        let health = app.has_health_quote(bodies::recommendation()).await;
        app.finished_recommendation(&health).await;
        let session = app.has_session().await;
        let customer = Customer::arrived(&app).await;
        let cookie = customer.cookie().expect("a cookie");
        let policy = app.policy_id_of(&completed).await;
        let change = json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-0002" });
        assert_eq!(app.endorses(&policy, change).await.status, 200);
        assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
        let made = app.claims(death(&policy)).await.json();
        let claim = made["payload"]["claim_id"].as_str().expect("an id").to_owned();
        let kept = app.uploads(&claim, "", "application/pdf", pdf(PAPER)).await.json();
        let paper = kept["payload"]["document_id"].as_str().expect("an id").to_owned();
        let about = NewComplaint {
            policy: Some(policy.parse().expect("an id")),
            kind: ComplaintKind::Refund,
            received_on: None,
            from: PersonalLine::kept("Asha".into()),
            text: PersonalLine::kept("Where is my refund?".into()),
        };
        let complaint = app.service.complaints.add(about).await.expect("kept").id;
        let held: PolicyId = policy.parse().expect("an id");
        let reason = PersonalLine::kept("a court's order".into());
        app.service.retention.hold(&policy, held.uuid(), reason).await.expect("held");
        let (act, what) = ("refund.paid", String::from("a refund"));
        let (body, subject, subject_version) = (String::new(), String::from("pol_1"), String::new());
        let fact = ApprovalFact { name: "payee".into(), value: "Asha".into(), is_personal: true };
        let (path, has_record, facts) = (Vec::new(), true, vec![fact]);
        let asked = NewApproval { act, path, body, subject, has_record, subject_version, what, facts };
        app.service.approvals.ask(asked).await.expect("asked");
        let aside = |item: &mut WorkItem| item.snoozed_until = Some(Date::constant(2027, 1, 1));
        app.service.work_items.change(TASK, "waiting.snooze", aside).await.expect("put aside");
        app.service.team.invite("Meera", vec![Role::Admin]).await.expect("invited");
        let token = app.service.team.add_token("Meera", "job", vec![Role::Admin], 9).await;
        let operator_token = token.expect("made").text;
        let statement = has_statement(&app, policy.parse().expect("an id")).await;
        let records = Records {
            app,
            other,
            quote,
            completed,
            policy,
            claim,
            paper,
            complaint,
            statement,
            owing,
            health,
            session,
            cookie,
            operator_token,
        };
        assert_eq!(records.kept().await, 200);
        records
    }

    /// Requests a quote with an idempotency key. The second time, the answer is the stored response.
    async fn kept(&self) -> u16 {
        let request = self.app.request("POST", "/v1/embedded/quote").bearer_auth(&self.app.partner().token);
        let answer = self.app.send(request.header("idempotency-key", "k").json(&bodies::quote())).await;
        answer.status
    }

    async fn get_as(&self, partner: &Partner, path: &str) -> bool {
        self.app.as_partner(partner, "GET", path, None).await.status == 200
    }

    /// Names of the reads that still return data of a table, each with its reader.
    async fn served(&self, table: &str) -> Vec<&'static str> {
        let (app, own, other) = (&self.app, self.app.partner(), &self.other);
        let mut served = Vec::new();
        let mut note = |what: &'static str, is_served: bool| {
            if is_served {
                served.push(what);
            }
        };
        match table {
            "partners" | "secrets" => {
                app.service.shared.directory.refresh().await.expect("read");
                note("token", app.ask_token(own, &[]).await.status == 200);
                let taken_over = Partner { client_secret: own.client_secret.clone(), ..other.clone() };
                note("token of another", app.ask_token(&taken_over, &[]).await.status == 200);
            }
            "embedded_quotes" => {
                let item = &self.quote["recommendations"][0]["recommendation_id"];
                let body = bodies::proposal(&self.quote["quote_id"], item, "DRAFT");
                let path = "/v1/embedded/proposal";
                note("quote", app.as_partner(own, "POST", path, Some(body.clone())).await.status == 201);
                note("quote of another", app.as_partner(other, "POST", path, Some(body)).await.status == 201);
            }
            "health_quotes" => {
                let path = format!("/v1/business/health/recommendation/{}", self.health);
                note("quote", self.get_as(own, &path).await);
                note("quote of another", self.get_as(other, &path).await);
            }
            "tags" => {
                let by = Identifier::of(IdentifierKind::Lead, "lead-1001");
                for (what, of) in [("record", own), ("record of another", other)] {
                    let found = app.service.health_quotes.find_identified(Some(of.id), &by, 10).await;
                    note(what, found.is_ok_and(|found| !found.is_empty()));
                }
            }
            "proposals" | "policies" => {
                let path = format!("/v1/embedded/proposal/{}/status", self.completed);
                note("proposal", self.get_as(own, &path).await && self.certificate().await);
                note("proposal of another", self.get_as(other, &path).await);
            }
            "moves" => {
                let id: ProposalId = self.completed.parse().expect("an id");
                let moves = app.service.proposals.history::<CreditLife>(own.id, id).await;
                note("history", moves.is_ok_and(|moves| moves.len() == 2));
                let moves = app.service.proposals.history::<CreditLife>(other.id, id).await;
                note("history of another", moves.is_ok_and(|moves| !moves.is_empty()));
            }
            "replaced_certificates" => {
                let policy = self.policy.parse().expect("an id");
                let replaced = app.service.endorsements.replaced_certificate(policy, 1).await;
                note("replaced certificate", replaced.is_ok());
            }
            "policy_moves" => {
                let path = format!("/v1/policies/{}", self.policy);
                let answer = app.as_partner(own, "GET", &path, None).await;
                let has_moves =
                    || answer.json()["payload"]["history"].as_array().is_some_and(|moves| moves.len() == 2);
                note("history", answer.status == 200 && has_moves());
                note("history of another", self.get_as(other, &path).await);
            }
            "claims" => {
                let path = format!("/v1/claims/{}", self.claim);
                note("claim", self.get_as(own, &path).await);
                note("claim of another", self.get_as(other, &path).await);
            }
            "claim_moves" => {
                let path = format!("/v1/claims/{}", self.claim);
                let answer = app.as_partner(own, "GET", &path, None).await;
                let has_moves =
                    || answer.json()["payload"]["history"].as_array().is_some_and(|moves| moves.len() == 1);
                note("history", answer.status == 200 && has_moves());
            }
            "claim_papers" | "claim_parts" => {
                note("paper", self.reads_paper(own).await);
                note("paper of another", self.reads_paper(other).await);
            }
            "complaints" => {
                let found = app.service.complaints.find(self.complaint).await;
                note("complaint", found.is_ok());
            }
            "holds" => note("hold", app.service.retention.holds().await.is_ok()),
            "events" => {
                note("events", self.reads_events(own).await);
                note("events of another", self.reads_events(other).await);
            }
            "webhook_endpoints" => {
                note("endpoint", self.endpoint_of(own).await.is_some());
                note("endpoint of another", self.endpoint_of(other).await.is_some());
            }
            "deliveries" => {
                for (what, of) in [("attempts", own), ("attempts of another", other)] {
                    let Some(endpoint) = self.endpoint_of(of).await.or(self.endpoint_of(own).await) else {
                        continue;
                    };
                    let found = app.service.webhooks.deliveries(of.id, endpoint.id, None, None, 10).await;
                    let has_any = |page: service::storage::webhooks::DeliveryPage| {
                        page.deliveries.iter().any(|delivery| !delivery.attempts.is_empty())
                    };
                    note(what, found.is_ok_and(has_any));
                }
            }
            "statements" => {
                let path = format!("/v1/statements/{}", self.statement.id);
                note("statement", self.get_as(own, &path).await);
                note("statement of another", self.get_as(other, &path).await);
            }
            "statement_parts" => {
                let rows = app.statement_file_if_read(&self.statement, FileFormat::Csv).await;
                note("file", rows.as_deref() == Some(b"rows"));
            }
            "statement_answers" => {
                let answers = app.service.statements.answers(&self.statement).await;
                note("answer", answers.is_ok_and(|answers| answers.len() == 1));
            }
            "sessions" => {
                let session = self.session.parse().expect("an id");
                note("session", app.service.sessions.exists(own.id, session).await.unwrap_or(false));
                let found = app.service.sessions.exists(other.id, session).await;
                note("session of another", found.unwrap_or(false));
            }
            "journeys" => {
                let request = app.request("GET", "/health/who").header(COOKIE, &self.cookie);
                note("journey", app.send(request).await.status == StatusCode::OK.as_u16());
            }
            "premiums" => {
                let id: ProposalId = self.owing.parse().expect("an id");
                let premium = app.service.premiums.of_proposal(own.id, id).await;
                note("premium", premium.is_ok_and(|premium| premium.is_some()));
                let premium = app.service.premiums.of_proposal(other.id, id).await;
                note("premium of another", premium.is_ok_and(|premium| premium.is_some()));
            }
            "request_log" => {
                let query = RequestQuery { most: 100, ..RequestQuery::default() };
                // The other partner only requested a token.
                let is_own = |request: &LoggedRequest| request.route != "/v1/auth/token";
                for (whose, of) in [("requests", own.id), ("requests of another", other.id)] {
                    let page = app.service.request_log.list(of, &query).await;
                    note(
                        whose,
                        page.is_ok_and(|page| page.requests.iter().any(|(_, request)| is_own(request))),
                    );
                }
            }
            "approvals" => {
                let waiting = app.service.approvals.waiting(Some("pol_1"), 9).await;
                note("approval", waiting.is_ok_and(|waiting| !waiting.is_empty()));
            }
            "work_items" => {
                let item = self.app.service.work_items.of(TASK).await;
                note("work item", item.is_ok_and(|item| item.snoozed_until.is_some()));
            }
            "operators" => {
                let team = app.service.team.list().await;
                note("operator", team.is_ok_and(|team| team.iter().any(|one| one.name == "Meera")));
            }
            "operator_secrets" => {
                let found = app.service.team.signed_in(&self.operator_token).await;
                note("session", found.is_ok_and(|found| found.is_some()));
            }
            "audit" => {
                let verified = app.service.audit.verify(&[]).await;
                note("audit trail", verified.is_ok_and(|verified| verified.faults.is_empty()));
            }
            "kept_responses" => note("response", self.replays().await),
            other => panic!("nothing reads {other}"),
        }
        served
    }

    /// Whether a partner can read the whole paper.
    async fn reads_paper(&self, partner: &Partner) -> bool {
        let path = format!("/v1/claims/{}/documents/{}", self.claim, self.paper);
        let sent = self.app.request("GET", &path).bearer_auth(&partner.token).send().await;
        match sent {
            Ok(response) if response.status() == StatusCode::OK.as_u16() => {
                response.bytes().await.is_ok_and(|bytes| bytes.len() == PAPER)
            }
            _ => false,
        }
    }

    /// Whether the partner can read its policy and its certificate.
    async fn certificate(&self) -> bool {
        let id: ProposalId = self.completed.parse().expect("an id");
        let policy = self.app.service.proposals.policy_of(self.app.partner().id, id).await;
        let has_policy = policy.is_ok_and(|policy| policy.is_some());
        let document = self.app.service.documents.signed_address(self.app.partner().id, id);
        let path = document.strip_prefix(&self.app.base).expect("on this server").to_owned();
        has_policy && self.app.get_without_bearer(&path).await.status == 200
    }

    /// Sends an event to an address without a server, and waits for the first attempt.
    async fn has_delivery(&self) {
        let url = format!("http://{}/", crate::support::address::reserved());
        let new = NewEndpoint { url, description: None, wanted: WantedEvents::All };
        let (of, webhooks) = (self.app.partner().id, &self.app.service.webhooks);
        let endpoint = webhooks.add(of, new).await.expect("added");
        webhooks.ping(of, endpoint.id).await.expect("sent");
        let tried = async || {
            let page = webhooks.deliveries(of, endpoint.id, None, None, 1).await.expect("readable");
            (!page.deliveries[0].attempts.is_empty()).then_some(())
        };
        self.app.eventually("an attempt", tried).await;
    }

    /// The endpoint that a partner can read.
    async fn endpoint_of(&self, of: &Partner) -> Option<WebhookEndpoint> {
        self.app.service.webhooks.list(of.id).await.ok()?.pop()
    }

    /// Whether a partner can read any event.
    async fn reads_events(&self, of: &Partner) -> bool {
        let answer = self.app.as_partner(of, "GET", "/v1/events", None).await;
        answer.status == 200 && answer.json()["events"].as_array().is_some_and(|events| !events.is_empty())
    }

    /// Whether the stored response is replayed.
    async fn replays(&self) -> bool {
        let request = self.app.request("POST", "/v1/embedded/quote").bearer_auth(&self.app.partner().token);
        let answer = self.app.send(request.header("idempotency-key", "k").json(&bodies::quote())).await;
        answer.status == 200 && answer.header("idempotency-replayed").is_some()
    }

    /// SQL for another value of a column.
    fn changed(&self, table: &str, column: &str) -> String {
        let is_sqlite = matches!(self.app.store, Engine::Sqlite(_));
        let other_partner =
            format!("(select partner_id from partners where client_id = '{}')", self.other.client_id);
        match (table, column) {
            ("partners", "partner_id") => self.app.store.new_id().to_owned(),
            (_, "partner_id") => other_partner,
            (
                _,
                "enabled" | "legacy_reads" | "attribution" | "tokens_ended" | "ended" | "is_whole"
                | "accepted" | "is_test",
            ) => {
                format!("not {column}")
            }
            ("approvals", "subject")
            | ("work_items", "task")
            | ("holds", "record" | "held_by")
            | ("audit", "actor" | "via" | "action" | "change" | "subject" | "session" | "approval")
            | ("partners", "client_id" | "name" | "scopes" | "origins" | "return_urls")
            | ("policies", "number" | "insurer_number")
            | ("premiums", "deposit" | "insurer_number")
            | (_, "insurer_reference") => format!("coalesce({column}, '') || 'x'"),
            (
                _,
                "body" | "certificate" | "hash" | "proof" | "reason" | "outcome" | "cookie_hash"
                | "idempotency_key" | "named",
            ) => (if is_sqlite { "zeroblob(48)" } else { "decode(repeat('00', 48), 'hex')" }).to_owned(),
            ("audit", "slot") => "slot + 1000".to_owned(),
            (_, "check_hash") => self.app.store.new_id().to_owned(),
            (_, column) if column.ends_with("_id") => self.app.store.new_id().to_owned(),
            ("webhook_endpoints" | "approvals", "state") => "case state when 1 then 2 else 1 end".to_owned(),
            ("policies" | "claims", "state") => "case state when 1 then 3 else 1 end".to_owned(),
            (_, "from_state" | "to_state") => format!("case {column} when 1 then 2 else 1 end"),
            ("moves", "from_status") => "0".to_owned(),
            ("premiums", "route") => "2".to_owned(),
            ("premiums", "decided_by") => "1".to_owned(),
            ("statements" | "replaced_certificates", "number") => "number || 'x'".to_owned(),
            ("events", "type") => "case type when 2 then 3 else 2 end".to_owned(),
            (_, "kind" | "file") => format!("case {column} when 1 then 2 else 1 end"),
            (_, "line" | "moved_by" | "to_status") => format!("case {column} when 1 then 2 else 1 end"),
            ("statement_answers", "nth") => "nth + 1".to_owned(),
            (_, "status") => "1".to_owned(),
            (_, column) => format!("coalesce({column}, 0) + 1000000"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_record_with_a_changed_bound_column_is_not_served() {
    for table in TABLES {
        for column in table.bound {
            let records = Records::new().await;
            if matches!(table.name, "webhook_endpoints" | "deliveries") {
                records.has_delivery().await;
            }
            let before = records.served(table.name).await;
            assert_eq!(before.len(), 1, "{}: {before:?}", table.name);
            let own = match table.name {
                "statement_answers" | "audit" | "operators" | "approvals" | "work_items" | "holds" => {
                    "1 = 1".to_owned()
                }
                "operator_secrets" => "kind = 3".to_owned(),
                _ => format!(
                    "partner_id = (select partner_id from partners where client_id = '{}')",
                    records.app.partner().client_id
                ),
            };
            // A foreign key binds a secret to its partner. An attacker who can write to the database can remove it.
            let unhindered = match &records.app.store {
                Engine::Sqlite(_) => "pragma foreign_keys = off;".to_owned(),
                Engine::Postgres(_) => {
                    "alter table secrets drop constraint secrets_partner_id_fkey;".to_owned()
                }
            };
            let others = format!(
                "delete from secrets where partner_id = (select partner_id from partners where client_id = '{}');",
                records.other.client_id
            );
            let changed = records.changed(table.name, column);
            let change = format!(
                "{unhindered} {others} update {} set {column} = {changed} where {own}; update revision set number = number + 1",
                table.name
            );
            records.app.store.says(&change).unwrap_or_else(|fault| panic!("{change}: {fault}"));
            let served = records.served(table.name).await;
            assert!(served.is_empty(), "{}.{column} is changed, and served: {served:?}", table.name);
        }
    }
}

#[tokio::test]
async fn a_secret_that_was_inserted_into_the_database_gets_no_token() {
    let app = App::start().await;
    let partner = app.partner().clone();
    let hash = service::access::token::secret_hash("made up")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>();
    let hash = match app.store {
        Engine::Sqlite(_) => format!("x'{hash}'"),
        Engine::Postgres(_) => format!("decode('{hash}', 'hex')"),
    };
    let add = format!(
        "insert into secrets (partner_id, number, hash, added_at) select partner_id, 9, {hash}, 0 from partners;
         update revision set number = number + 1"
    );
    app.store.says(&add).expect("added");
    app.service.shared.directory.refresh().await.expect("read");
    let made_up = Partner { client_secret: "made up".to_owned(), ..partner.clone() };
    assert_eq!(app.ask_token(&made_up, &[]).await.status, 401);
    assert_eq!(app.ask_token(&partner, &[]).await.status, 200, "the good one is as good as before");
}
