-- The schema of a store.
--
-- Ids are their 16 bytes and sort by the time at which they were made, instants are integer microseconds in UTC, words
-- are the codes of codes.rs, bodies are sealed. `partner_id` leads every primary and unique key of a partner's table, so
-- that rows can be spread by partner; what is looked up by a random code alone has an index that is not unique.

-- The one row is also the gate for changes of partners, secrets and keys: whoever raises the number holds it.
create table revision (
    one smallint primary key check (one = 1),
    number bigint not null,
    touched bigint not null default 0
);
insert into revision (one, number) values (1, 1);

create table facts (
    name text primary key,
    value text not null
);

-- `proof` opens only beside the other columns.
create table partners (
    partner_id uuid primary key,
    client_id text not null unique,
    name text not null,
    enabled boolean not null,
    scopes text not null,
    legacy_reads boolean not null,
    attribution boolean not null,
    is_test boolean not null default false,
    origins text not null,
    return_urls text not null,
    tokens_per_hour bigint not null,
    tokens_ended_at bigint,
    created_at bigint not null,
    clock_ahead bigint not null default 0,
    proof bytea not null
);

-- `hash` is sealed, and opens only beside the other columns.
create table secrets (
    partner_id uuid not null references partners (partner_id),
    number integer not null,
    hash bytea not null,
    added_at bigint not null,
    revoked_at bigint,
    tokens_ended boolean not null default false,
    primary key (partner_id, number)
);

create table keys (
    number integer primary key,
    purpose text not null,
    wrapped bytea not null,
    created_at bigint not null,
    active_from bigint not null,
    retired_at bigint
);

-- The generations of a partner's last hour lie in one row, so that one statement counts and adds.
create table tokens (
    partner_id uuid primary key,
    issued bigint[] not null,
    newest uuid not null
);

create table catalogues (
    hash bytea primary key,
    files bytea not null,
    first_kept_at bigint not null
);

-- By months of their ids, which begin with the time at which they were made. Partitions are made by the program, ahead of
-- their months, and dropped whole; what none of them takes lies in the last one.
create table embedded_quotes (
    partner_id uuid not null,
    quote_id uuid not null,
    body bytea not null,
    primary key (partner_id, quote_id)
) partition by range (quote_id);
create table embedded_quotes_other partition of embedded_quotes default;

-- `body` is what was asked and the work list; `outcome` what came of all of it, once everything is known.
create table health_quotes (
    partner_id uuid not null,
    quote_id uuid not null,
    created_at bigint not null,
    session_id uuid,
    body bytea not null,
    outcome bytea,
    primary key (partner_id, quote_id)
);
create index health_quotes_by_time on health_quotes (partner_id, created_at, quote_id);
create index health_quotes_by_session on health_quotes (partner_id, session_id, created_at, quote_id)
    where session_id is not null;

-- What records are found by beside their ids: keyed hashes of what a customer or a sale is known by. Each stands beside the
-- same in sealed form, from which it is made anew when its key turns over.
create table tags (
    partner_id uuid not null,
    tag uuid not null,
    subject_id uuid not null,
    named bytea not null,
    primary key (partner_id, tag, subject_id)
);

-- What came of single asks while others are still out. Gone once the quote is finished.
create table health_outcomes (
    partner_id uuid not null,
    quote_id uuid not null,
    ask integer not null,
    body bytea not null,
    primary key (partner_id, quote_id, ask)
);

-- A proposal of any line of business. `quote_id` and `variant_id` are those that it was made from; what an imported
-- record names in other words has a hash of these. It keeps in its body what it needs of its quote, so that the quote can go.
create table proposals (
    partner_id uuid not null,
    proposal_id uuid not null,
    created_at bigint not null,
    changed_at bigint not null,
    session_id uuid,
    quote_id uuid not null,
    variant_id uuid not null,
    line smallint not null,
    status smallint not null,
    insurer_reference text,
    reason bytea,
    body bytea not null,
    primary key (partner_id, proposal_id)
);
create index proposals_by_time on proposals (partner_id, line, created_at, proposal_id);
create index proposals_by_session on proposals (partner_id, session_id, line, created_at, proposal_id)
    where session_id is not null;
-- An insurer tells what it decided by the proposal's id alone.
create index proposals_by_id on proposals (proposal_id);
-- One active health proposal for each quote and variant: 4 is CANCELLED, 6 is REJECTED.
create unique index proposals_active on proposals (partner_id, quote_id, variant_id)
    where line = 2 and status not in (4, 6);

-- Every move of every proposal, its creation included.
create table moves (
    partner_id uuid not null,
    proposal_id uuid not null,
    moved_at bigint not null,
    sequence integer not null,
    line smallint not null,
    moved_by smallint not null,
    from_status smallint,
    to_status smallint not null,
    reason bytea,
    primary key (partner_id, proposal_id, sequence)
);

-- A policy of any line of business. An imported one has neither check code nor certificate, and no proposal of ours.
-- Of a check code only a hash is here, by which it is found. `last_day` is the last day of cover, written 20261120; an
-- issued policy expires by it alone. `refund_due_on` is there while a refund is owed,
-- `endorsement_asked_at` while an endorsement waits.
create table policies (
    partner_id uuid not null,
    policy_id uuid not null,
    issued_at bigint not null,
    session_id uuid,
    proposal_id uuid,
    check_hash uuid,
    line smallint not null,
    number text not null,
    insurer_number text,
    body bytea not null,
    certificate bytea,
    state smallint not null default 1,
    changed_at bigint not null,
    last_day integer not null,
    version integer not null default 1,
    document_read_at bigint,
    refund_due_on integer,
    certificate_version integer not null default 1,
    endorsement_asked_at bigint,
    renewable_until integer,
    primary key (partner_id, policy_id)
);
create index policies_by_day on policies (partner_id, issued_at, policy_id, state, last_day, renewable_until);
-- 1 is ISSUED, where nearly all of them stand.
create index policies_moved on policies (partner_id, state, issued_at, policy_id) where state <> 1;
create unique index policies_by_number on policies (partner_id, number);
create unique index policies_by_proposal on policies (partner_id, proposal_id) where proposal_id is not null;
create index policies_by_check on policies (check_hash) where check_hash is not null;
create index policies_by_insurer_number on policies (partner_id, line, insurer_number, issued_at, policy_id)
    where insurer_number is not null;
create index policies_by_time on policies (partner_id, line, issued_at, policy_id);
create index policies_by_id on policies (policy_id);
create index policies_by_endorsement on policies (endorsement_asked_at, partner_id, policy_id)
    where endorsement_asked_at is not null;
create index policies_by_last_day on policies (partner_id, last_day, policy_id) where state = 1;
create index policies_by_renewable_until on policies (partner_id, renewable_until, policy_id)
    where renewable_until is not null and state = 1;
create index policies_by_refund on policies (refund_due_on, partner_id, policy_id) where refund_due_on is not null;
create index policies_by_session on policies (partner_id, session_id, line, issued_at, policy_id)
    where session_id is not null;

-- Every move of every policy after its issue, which is the last move of its proposal.
create table policy_moves (
    partner_id uuid not null,
    policy_id uuid not null,
    moved_at bigint not null,
    sequence integer not null,
    moved_by smallint not null,
    from_state smallint,
    to_state smallint not null,
    reason bytea,
    primary key (partner_id, policy_id, sequence)
);
create index policy_moves_by_state on policy_moves (to_state, moved_at, partner_id, policy_id);

-- Certificates that an endorsement replaced. The one of now is its policy's.
create table replaced_certificates (
    partner_id uuid not null,
    policy_id uuid not null,
    certificate_version integer not null,
    replaced_at bigint not null,
    number text not null,
    certificate bytea not null,
    primary key (partner_id, policy_id, certificate_version)
);
create index certificates_by_replacement
    on replaced_certificates (replaced_at, partner_id, policy_id, certificate_version);

-- How far the insurer of a policy was told of it, where it is told by a job: how many of its endorsements and claims.
create table insurer_notices (
    partner_id uuid not null,
    policy_id uuid not null,
    issued boolean not null,
    endorsements integer not null,
    claims integer not null,
    cancelled boolean not null,
    primary key (partner_id, policy_id)
);

-- A claim on a policy. `same` is a hash of policy, member, kind and day of the event: no claim is made known twice.
-- `settle_by` is the day by which its insurer is to have settled it. `paper_bytes` are those of all its whole papers.
create table claims (
    partner_id uuid not null,
    claim_id uuid not null,
    created_at bigint not null,
    policy_id uuid not null,
    line smallint not null,
    session_id uuid,
    state smallint not null,
    changed_at bigint not null,
    version integer not null default 1,
    settle_by integer not null,
    same uuid not null,
    paper_bytes bigint not null default 0,
    body bytea not null,
    primary key (partner_id, claim_id)
);
create index claims_by_time on claims (partner_id, created_at, claim_id);
create unique index claims_once on claims (partner_id, same);
create index claims_by_policy on claims (partner_id, policy_id, created_at, claim_id);
create index claims_by_id on claims (claim_id);
create index claims_by_session on claims (partner_id, session_id, created_at, claim_id) where session_id is not null;
-- Those about which somebody has something to do: up to 4, APPROVED.
create index claims_open on claims (settle_by, partner_id, claim_id) where state <= 4;

-- Every move of every claim, its notice included.
create table claim_moves (
    partner_id uuid not null,
    claim_id uuid not null,
    moved_at bigint not null,
    sequence integer not null,
    moved_by smallint not null,
    from_state smallint,
    to_state smallint not null,
    reason bytea,
    primary key (partner_id, claim_id, sequence)
);

-- A paper of a claim. One that is not whole is still being uploaded, or its upload broke off.
create table claim_papers (
    partner_id uuid not null,
    paper_id uuid not null,
    claim_id uuid not null,
    added_at bigint not null,
    bytes bigint not null,
    is_whole boolean not null,
    body bytea not null,
    primary key (partner_id, paper_id)
);
create index claim_papers_by_claim on claim_papers (partner_id, claim_id, paper_id);
create index claim_papers_unfinished on claim_papers (added_at) where not is_whole;
create table claim_parts (
    partner_id uuid not null,
    paper_id uuid not null,
    number integer not null,
    body bytea not null,
    primary key (partner_id, paper_id, number)
);

-- What became of the page with an application's status: there is a row once the operator ended its addresses, or once
-- somebody tried a date of birth.
create table status_pages (
    partner_id uuid not null,
    proposal_id uuid not null,
    ended_at bigint,
    tries integer not null default 0,
    tries_from bigint,
    primary key (partner_id, proposal_id)
);

create table kept_responses (
    partner_id uuid not null,
    kept_at bigint not null,
    idempotency_key bytea not null,
    body bytea not null,
    constraint one_response_for_a_key primary key (partner_id, idempotency_key)
);
create index kept_responses_by_age on kept_responses (kept_at);

create table sessions (
    partner_id uuid not null,
    session_id uuid not null,
    created_at bigint not null,
    body bytea not null,
    primary key (partner_id, session_id)
);

-- A token opens one journey; its browser is known by the hash of a cookie.
create table journeys (
    partner_id uuid not null,
    journey_id uuid not null,
    token_id uuid not null,
    seen_at bigint not null,
    version integer not null,
    cookie_hash bytea not null,
    body bytea not null,
    primary key (partner_id, journey_id),
    unique (partner_id, token_id)
);
create index journeys_by_cookie on journeys (cookie_hash);
create index journeys_by_age on journeys (seen_at);

-- A job is claimed by moving `due_at` to the end of a lease; a lapsed lease is a job that is due.
create table jobs (
    partner_id uuid not null,
    subject_id uuid not null,
    due_at bigint not null,
    owner uuid,
    attempt integer not null default 0,
    faults integer not null default 0,
    step integer not null default 0,
    kind smallint not null,
    primary key (partner_id, kind, subject_id)
);
create index jobs_by_due on jobs (due_at);
create index jobs_by_partner on jobs (partner_id, due_at);
create index jobs_by_subject on jobs (subject_id);
create index jobs_by_owner on jobs (owner) where owner is not null;

-- How many records of a kind a partner created on a day in Asia/Kolkata, written 20261120. Writers have slots of their
-- own, so that they do not wait for each other at one row; the count is the sum of all slots.
create table day_counts (
    partner_id uuid not null,
    day integer not null,
    kind smallint not null,
    slot smallint not null,
    number bigint not null,
    primary key (partner_id, kind, day, slot)
);

create table session_counts (
    partner_id uuid not null,
    session_id uuid not null,
    kind smallint not null,
    number bigint not null,
    primary key (partner_id, session_id, kind)
);

-- What a proposal owes its insurer, and where the money is that came for it, in paise: where the premium does not come
-- from a deposit, or waits for one. `settled`: nobody has anything to do about it. `proof` is the reason of the decision
-- that waits, sealed, and opens only beside the other columns.
create table premiums (
    partner_id uuid not null,
    proposal_id uuid not null,
    line smallint not null,
    insurer_id uuid not null,
    route smallint not null,
    deposit text,
    due bigint not null,
    unsettled bigint not null check (unsettled >= 0),
    received bigint not null check (received >= 0),
    applied bigint not null check (applied >= 0),
    refundable bigint not null check (refundable >= 0),
    refunded bigint not null check (refunded >= 0),
    held_here bigint not null check (held_here >= 0),
    held_since bigint,
    ended boolean not null,
    settled boolean not null,
    decided_by smallint,
    decided_at bigint,
    insurer_number text,
    created_at bigint not null,
    changed_at bigint not null,
    proof bytea not null,
    primary key (partner_id, proposal_id)
);
create index premiums_open on premiums (created_at, partner_id, proposal_id) where not settled;
create index premiums_waiting on premiums (insurer_id, deposit) where deposit is not null;

-- One payment, as somebody reported it, and what of it was for which proposal.
create table receipts (
    partner_id uuid not null,
    reference text not null,
    told_at bigint not null,
    told_by smallint not null,
    received_on integer not null,
    amount bigint not null check (amount > 0),
    primary key (partner_id, reference)
);
create table receipt_lines (
    partner_id uuid not null,
    reference text not null,
    proposal_id uuid not null,
    amount bigint not null check (amount > 0),
    outcome smallint not null,
    primary key (partner_id, reference, proposal_id)
);
create index receipt_lines_by_proposal on receipt_lines (partner_id, proposal_id);

-- An advance deposit with an insurer. It is below nought only where the insurer guarantees it.
create table deposits (
    insurer_id uuid not null,
    name text not null,
    balance bigint not null,
    guaranteed boolean not null,
    opened_at bigint not null,
    primary key (insurer_id, name),
    constraint deposit_never_below_nought check (balance >= 0 or guaranteed)
);

-- The ledger: each row moves an amount from the account of its debit to that of its credit, so the sum of all accounts is
-- always nought. Rows are only added. `partner_id` is nought where it is not a partner's.
create table ledger (
    number bigint generated always as identity,
    posted_at bigint not null,
    entry smallint not null,
    debit smallint not null,
    credit smallint not null check (credit <> debit),
    amount bigint not null check (amount > 0),
    insurer_id uuid not null,
    deposit text,
    partner_id uuid not null,
    proposal_id uuid,
    reference text,
    primary key (partner_id, number),
    foreign key (insurer_id, deposit) references deposits (insurer_id, name)
);
create index ledger_by_proposal on ledger (partner_id, proposal_id) where proposal_id is not null;
create unique index ledger_by_payment on ledger (partner_id, insurer_id, deposit, reference)
    where proposal_id is null and deposit is not null;

-- The months of which statements are made or were made. `run` is whose parts are taken; closed once, by the rates of a catalogue.
create table statement_months (
    month integer primary key,
    run uuid not null,
    begun_at bigint not null,
    closed_at bigint,
    catalogue bytea
);

-- A statement of a closed month, written 202611. `partner_id` is nought where it is not a partner's.
create table statements (
    partner_id uuid not null,
    statement_id uuid not null,
    month integer not null,
    kind smallint not null,
    number text not null,
    made_at bigint not null,
    paid_at bigint,
    body bytea not null,
    primary key (partner_id, statement_id)
);
create unique index statements_once on statements (partner_id, number);
create index statements_by_number on statements (number);
create index statements_by_month on statements (month, kind, number);
create index statements_by_partner on statements (partner_id, month, kind, number);

-- Parts of their files, each sealed. Those of a month that is not closed are on their way, or were left behind.
create table statement_parts (
    partner_id uuid not null,
    statement_id uuid not null,
    file smallint not null,
    number integer not null,
    month integer not null,
    body bytea not null,
    primary key (partner_id, statement_id, file, number)
);
create index statement_parts_by_month on statement_parts (month);

-- What an insurer says of a row of its bordereau, once for each.
create table statement_answers (
    partner_id uuid not null,
    statement_id uuid not null,
    policy_id uuid not null,
    kind smallint not null,
    nth smallint not null default 0,
    answered_at bigint not null,
    accepted boolean not null,
    body bytea not null,
    primary key (partner_id, statement_id, policy_id, kind, nth)
);

-- The register of complaints. `partner_id` is nought where no policy is named; days are written 20261120.
create table complaints (
    partner_id uuid not null,
    complaint_id uuid not null,
    created_at bigint not null,
    policy_id uuid,
    answer_by integer not null,
    answered_on integer,
    body bytea not null,
    primary key (partner_id, complaint_id)
);
create index complaints_by_id on complaints (complaint_id);
create index complaints_open on complaints (answer_by, complaint_id) where answered_on is null;

-- What happened to what a partner has here, by months as quotes are. `sequence` counts the events of a subject: it is made
-- under the lock of the subject's count, since an index over all months could not keep it unique.
create table events (
    partner_id uuid not null,
    event_id uuid not null,
    happened_at bigint not null,
    type smallint not null,
    subject_id uuid not null,
    sequence bigint not null,
    body bytea not null,
    primary key (partner_id, event_id)
) partition by range (event_id);
create table events_other partition of events default;
create index events_by_subject on events (partner_id, subject_id, sequence);
create index events_by_type on events (partner_id, type, event_id);

-- How many events a subject has had. The events are removed after a while, the count is not.
create table event_counts (
    partner_id uuid not null,
    subject_id uuid not null,
    number bigint not null,
    primary key (partner_id, subject_id)
);

-- Where partners have events delivered. `failures` are attempts in a row that were not taken.
create table webhook_endpoints (
    partner_id uuid not null,
    endpoint_id uuid not null,
    created_at bigint not null,
    state smallint not null,
    version integer not null,
    failures integer not null default 0,
    failing_since bigint,
    rests_until bigint,
    body bytea not null,
    primary key (partner_id, endpoint_id)
);
create index webhook_endpoints_by_id on webhook_endpoints (endpoint_id);

-- The types that enabled endpoints ask for; 0 is every type.
create table webhook_subscriptions (
    partner_id uuid not null,
    type smallint not null,
    endpoint_id uuid not null,
    primary key (partner_id, type, endpoint_id)
);

-- Events on their way to endpoints. Who sends one holds it until `due_at`; `is_again`: it was sent before. `body` has the attempts.
create table deliveries (
    partner_id uuid not null,
    endpoint_id uuid not null,
    event_id uuid not null,
    state smallint not null default 1,
    due_at bigint,
    is_again smallint not null default 0,
    tries integer not null default 0,
    owner uuid,
    lease integer not null default 0,
    body bytea,
    primary key (partner_id, endpoint_id, event_id)
);
create index deliveries_due on deliveries (endpoint_id, is_again, due_at) where due_at is not null;
create index deliveries_by_event on deliveries (partner_id, event_id);
create index deliveries_by_owner on deliveries (owner) where owner is not null;

-- How far each partner was told of what the calendar brings: the day, written 20261120, its step, and the last policy of that.
create table calendars (
    partner_id uuid primary key,
    day integer not null,
    step integer,
    after_id uuid,
    assortment bytea,
    version bigint not null default 1
);

-- Requests of a partner of about a second, which are kept together.
create table request_log (
    partner_id uuid not null,
    batch_id uuid not null,
    requests bigint not null,
    body bytea not null,
    primary key (partner_id, batch_id)
);
