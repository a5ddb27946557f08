-- The schema of a store.
--
-- Ids are their 16 bytes and sort by the time at which they were made, instants are integer microseconds in UTC, words
-- are the codes of codes.rs, bodies are sealed. `partner_id` leads every primary and unique key of a partner's table, so
-- that rows can be spread by partner; what is looked up by a random code alone has an index that is not unique.

create table revision (
    one integer primary key check (one = 1),
    number integer not null,
    touched integer not null default 0
) strict;
insert into revision (one, number) values (1, 1);

create table facts (
    name text primary key,
    value text not null
) strict, without rowid;

-- `proof` opens only beside the other columns.
create table partners (
    partner_id blob primary key,
    client_id text not null unique,
    name text not null,
    enabled integer not null,
    scopes text not null,
    legacy_reads integer not null,
    attribution integer not null,
    is_test integer not null default 0,
    origins text not null,
    return_urls text not null,
    tokens_per_hour integer not null,
    tokens_ended_at integer,
    created_at integer not null,
    clock_ahead integer not null default 0,
    proof blob not null
) strict, without rowid;

-- `hash` is sealed, and opens only beside the other columns.
create table secrets (
    partner_id blob not null references partners (partner_id),
    number integer not null,
    hash blob not null,
    added_at integer not null,
    revoked_at integer,
    tokens_ended integer not null default 0,
    primary key (partner_id, number)
) strict, without rowid;

create table keys (
    number integer primary key,
    purpose text not null,
    wrapped blob not null,
    created_at integer not null,
    active_from integer not null,
    retired_at integer
) strict;

create table tokens (
    partner_id blob not null,
    issued_at integer not null,
    token_id blob not null,
    primary key (partner_id, issued_at, token_id)
) strict, without rowid;

create table catalogues (
    hash blob primary key,
    files blob not null,
    first_kept_at integer not null
) strict;

create table embedded_quotes (
    partner_id blob not null,
    quote_id blob not null,
    body blob not null,
    primary key (partner_id, quote_id)
) strict, without rowid;

-- `body` is what was asked and the work list; `outcome` what came of all of it, once everything is known.
create table health_quotes (
    partner_id blob not null,
    quote_id blob not null,
    created_at integer not null,
    session_id blob,
    body blob not null,
    outcome blob,
    primary key (partner_id, quote_id)
) strict;
create index health_quotes_by_time on health_quotes (partner_id, created_at, quote_id);
create index health_quotes_by_session on health_quotes (partner_id, session_id, created_at, quote_id)
    where session_id is not null;

-- What records are found by beside their ids: keyed hashes of what a customer or a sale is known by. Each stands beside the
-- same in sealed form, from which it is made anew when its key turns over.
create table tags (
    partner_id blob not null,
    tag blob not null,
    subject_id blob not null,
    named blob not null,
    primary key (partner_id, tag, subject_id)
) strict, without rowid;

-- What came of single asks while others are still out. Gone once the quote is finished.
create table health_outcomes (
    partner_id blob not null,
    quote_id blob not null,
    ask integer not null,
    body blob not null,
    primary key (partner_id, quote_id, ask)
) strict, without rowid;

-- A proposal of any line of business. `quote_id` and `variant_id` are those that it was made from; what an imported
-- record names in other words has a hash of these. It keeps in its body what it needs of its quote, so that the quote can go.
create table proposals (
    partner_id blob not null,
    proposal_id blob not null,
    created_at integer not null,
    changed_at integer not null,
    session_id blob,
    quote_id blob not null,
    variant_id blob not null,
    line integer not null,
    status integer not null,
    insurer_reference text,
    reason blob,
    body blob not null,
    primary key (partner_id, proposal_id)
) strict;
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
    partner_id blob not null,
    proposal_id blob not null,
    moved_at integer not null,
    sequence integer not null,
    line integer not null,
    moved_by integer not null,
    from_status integer,
    to_status integer not null,
    reason blob,
    primary key (partner_id, proposal_id, sequence)
) strict, without rowid;

-- A policy of any line of business. An imported one has neither check code nor certificate, and no proposal of ours.
-- Of a check code only a hash is here, by which it is found. `last_day` is the last day of cover, written 20261120; an
-- issued policy expires by it alone. `refund_due_on` is there while a refund is owed,
-- `endorsement_asked_at` while an endorsement waits.
create table policies (
    partner_id blob not null,
    policy_id blob not null,
    issued_at integer not null,
    session_id blob,
    proposal_id blob,
    check_hash blob,
    line integer not null,
    number text not null,
    insurer_number text,
    body blob not null,
    certificate blob,
    state integer not null default 1,
    changed_at integer not null,
    last_day integer not null,
    version integer not null default 1,
    document_read_at integer,
    refund_due_on integer,
    certificate_version integer not null default 1,
    endorsement_asked_at integer,
    renewable_until integer,
    primary key (partner_id, policy_id)
) strict;
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
    partner_id blob not null,
    policy_id blob not null,
    moved_at integer not null,
    sequence integer not null,
    moved_by integer not null,
    from_state integer,
    to_state integer not null,
    reason blob,
    primary key (partner_id, policy_id, sequence)
) strict, without rowid;
create index policy_moves_by_state on policy_moves (to_state, moved_at, partner_id, policy_id);

-- Certificates that an endorsement replaced. The one of now is its policy's.
create table replaced_certificates (
    partner_id blob not null,
    policy_id blob not null,
    certificate_version integer not null,
    replaced_at integer not null,
    number text not null,
    certificate blob not null,
    primary key (partner_id, policy_id, certificate_version)
) strict;
create index certificates_by_replacement
    on replaced_certificates (replaced_at, partner_id, policy_id, certificate_version);

-- How far the insurer of a policy was told of it, where it is told by a job: how many of its endorsements and claims.
create table insurer_notices (
    partner_id blob not null,
    policy_id blob not null,
    issued integer not null,
    endorsements integer not null,
    claims integer not null,
    cancelled integer not null,
    primary key (partner_id, policy_id)
) strict, without rowid;

-- A claim on a policy. `same` is a hash of policy, member, kind and day of the event: no claim is made known twice.
-- `settle_by` is the day by which its insurer is to have settled it. `paper_bytes` are those of all its whole papers.
create table claims (
    partner_id blob not null,
    claim_id blob not null,
    created_at integer not null,
    policy_id blob not null,
    line integer not null,
    session_id blob,
    state integer not null,
    changed_at integer not null,
    version integer not null default 1,
    settle_by integer not null,
    same blob not null,
    paper_bytes integer not null default 0,
    body blob not null,
    primary key (partner_id, claim_id)
) strict;
create index claims_by_time on claims (partner_id, created_at, claim_id);
create unique index claims_once on claims (partner_id, same);
create index claims_by_policy on claims (partner_id, policy_id, created_at, claim_id);
create index claims_by_id on claims (claim_id);
create index claims_by_session on claims (partner_id, session_id, created_at, claim_id) where session_id is not null;
-- Those about which somebody has something to do: up to 4, APPROVED.
create index claims_open on claims (settle_by, partner_id, claim_id) where state <= 4;

-- Every move of every claim, its notice included.
create table claim_moves (
    partner_id blob not null,
    claim_id blob not null,
    moved_at integer not null,
    sequence integer not null,
    moved_by integer not null,
    from_state integer,
    to_state integer not null,
    reason blob,
    primary key (partner_id, claim_id, sequence)
) strict;

-- A paper of a claim. One that is not whole is still being uploaded, or its upload broke off.
create table claim_papers (
    partner_id blob not null,
    paper_id blob not null,
    claim_id blob not null,
    added_at integer not null,
    bytes integer not null,
    is_whole integer not null,
    body blob not null,
    primary key (partner_id, paper_id)
) strict;
create index claim_papers_by_claim on claim_papers (partner_id, claim_id, paper_id);
create index claim_papers_unfinished on claim_papers (added_at) where is_whole = 0;
create table claim_parts (
    partner_id blob not null,
    paper_id blob not null,
    number integer not null,
    body blob not null,
    primary key (partner_id, paper_id, number)
) strict;

-- What became of the page with an application's status: there is a row once the operator ended its addresses, or once
-- somebody tried a date of birth.
create table status_pages (
    partner_id blob not null,
    proposal_id blob not null,
    ended_at integer,
    tries integer not null default 0,
    tries_from integer,
    primary key (partner_id, proposal_id)
) strict, without rowid;

create table kept_responses (
    partner_id blob not null,
    idempotency_key blob not null,
    kept_at integer not null,
    body blob not null,
    primary key (partner_id, idempotency_key)
) strict, without rowid;
create index kept_responses_by_age on kept_responses (kept_at);

create table sessions (
    partner_id blob not null,
    session_id blob not null,
    created_at integer not null,
    body blob not null,
    primary key (partner_id, session_id)
) strict;

-- A token opens one journey; its browser is known by the hash of a cookie.
create table journeys (
    partner_id blob not null,
    journey_id blob not null,
    token_id blob not null,
    cookie_hash blob not null,
    seen_at integer not null,
    version integer not null,
    body blob not null,
    primary key (partner_id, journey_id),
    unique (partner_id, token_id)
) strict;
create index journeys_by_cookie on journeys (cookie_hash);
create index journeys_by_age on journeys (seen_at);

-- A job is claimed by moving `due_at` to the end of a lease; a lapsed lease is a job that is due.
create table jobs (
    partner_id blob not null,
    kind integer not null,
    subject_id blob not null,
    due_at integer not null,
    owner blob,
    attempt integer not null default 0,
    faults integer not null default 0,
    step integer not null default 0,
    primary key (partner_id, kind, subject_id)
) strict, without rowid;
create index jobs_by_due on jobs (due_at);
create index jobs_by_partner on jobs (partner_id, due_at);
create index jobs_by_subject on jobs (subject_id);
create index jobs_by_owner on jobs (owner) where owner is not null;

-- How many records of a kind a partner created on a day in Asia/Kolkata, written 20261120.
create table day_counts (
    partner_id blob not null,
    kind integer not null,
    day integer not null,
    number integer not null,
    primary key (partner_id, kind, day)
) strict, without rowid;

create table session_counts (
    partner_id blob not null,
    session_id blob not null,
    kind integer not null,
    number integer not null,
    primary key (partner_id, session_id, kind)
) strict, without rowid;

-- What a proposal owes its insurer, and where the money is that came for it, in paise: where the premium does not come
-- from a deposit, or waits for one. `settled`: nobody has anything to do about it. `proof` is the reason of the decision
-- that waits, sealed, and opens only beside the other columns.
create table premiums (
    partner_id blob not null,
    proposal_id blob not null,
    line integer not null,
    insurer_id blob not null,
    route integer not null,
    deposit text,
    due integer not null,
    unsettled integer not null check (unsettled >= 0),
    received integer not null check (received >= 0),
    applied integer not null check (applied >= 0),
    refundable integer not null check (refundable >= 0),
    refunded integer not null check (refunded >= 0),
    held_here integer not null check (held_here >= 0),
    held_since integer,
    ended integer not null,
    settled integer not null,
    decided_by integer,
    decided_at integer,
    insurer_number text,
    created_at integer not null,
    changed_at integer not null,
    proof blob not null,
    primary key (partner_id, proposal_id)
) strict;
create index premiums_open on premiums (created_at, partner_id, proposal_id) where not settled;
create index premiums_waiting on premiums (insurer_id, deposit) where deposit is not null;

-- One payment, as somebody reported it, and what of it was for which proposal.
create table receipts (
    partner_id blob not null,
    reference text not null,
    told_at integer not null,
    told_by integer not null,
    received_on integer not null,
    amount integer not null check (amount > 0),
    primary key (partner_id, reference)
) strict;
create table receipt_lines (
    partner_id blob not null,
    reference text not null,
    proposal_id blob not null,
    amount integer not null check (amount > 0),
    outcome integer not null,
    primary key (partner_id, reference, proposal_id)
) strict;
create index receipt_lines_by_proposal on receipt_lines (partner_id, proposal_id);

-- An advance deposit with an insurer. It is below nought only where the insurer guarantees it.
create table deposits (
    insurer_id blob not null,
    name text not null,
    balance integer not null,
    guaranteed integer not null,
    opened_at integer not null,
    primary key (insurer_id, name),
    constraint deposit_never_below_nought check (balance >= 0 or guaranteed)
) strict;

-- The ledger: each row moves an amount from the account of its debit to that of its credit, so the sum of all accounts is
-- always nought. Rows are only added. `partner_id` is nought where it is not a partner's.
create table ledger (
    number integer primary key,
    posted_at integer not null,
    entry integer not null,
    debit integer not null,
    credit integer not null check (credit <> debit),
    amount integer not null check (amount > 0),
    insurer_id blob not null,
    deposit text,
    partner_id blob not null,
    proposal_id blob,
    reference text,
    foreign key (insurer_id, deposit) references deposits (insurer_id, name)
) strict;
create index ledger_by_proposal on ledger (partner_id, proposal_id) where proposal_id is not null;
create unique index ledger_by_payment on ledger (partner_id, insurer_id, deposit, reference)
    where proposal_id is null and deposit is not null;

-- The months of which statements are made or were made. `run` is whose parts are taken; closed once, by the rates of a catalogue.
create table statement_months (
    month integer primary key,
    run blob not null,
    begun_at integer not null,
    closed_at integer,
    catalogue blob
) strict;

-- A statement of a closed month, written 202611. `partner_id` is nought where it is not a partner's.
create table statements (
    partner_id blob not null,
    statement_id blob not null,
    month integer not null,
    kind integer not null,
    number text not null,
    made_at integer not null,
    paid_at integer,
    body blob not null,
    primary key (partner_id, statement_id)
) strict;
create unique index statements_once on statements (partner_id, number);
create index statements_by_number on statements (number);
create index statements_by_month on statements (month, kind, number);
create index statements_by_partner on statements (partner_id, month, kind, number);

-- Parts of their files, each sealed. Those of a month that is not closed are on their way, or were left behind.
create table statement_parts (
    partner_id blob not null,
    statement_id blob not null,
    file integer not null,
    number integer not null,
    month integer not null,
    body blob not null,
    primary key (partner_id, statement_id, file, number)
) strict;
create index statement_parts_by_month on statement_parts (month);

-- What an insurer says of a row of its bordereau, once for each.
create table statement_answers (
    partner_id blob not null,
    statement_id blob not null,
    policy_id blob not null,
    kind integer not null,
    nth integer not null default 0,
    answered_at integer not null,
    accepted integer not null,
    body blob not null,
    primary key (partner_id, statement_id, policy_id, kind, nth)
) strict;

-- The register of complaints. `partner_id` is nought where no policy is named; days are written 20261120.
create table complaints (
    partner_id blob not null,
    complaint_id blob not null,
    created_at integer not null,
    policy_id blob,
    answer_by integer not null,
    answered_on integer,
    body blob not null,
    primary key (partner_id, complaint_id)
) strict;
create index complaints_by_id on complaints (complaint_id);
create index complaints_open on complaints (answer_by, complaint_id) where answered_on is null;

-- What happened to what a partner has here. `sequence` counts the events of a subject.
create table events (
    partner_id blob not null,
    event_id blob not null,
    happened_at integer not null,
    type integer not null,
    subject_id blob not null,
    sequence integer not null,
    body blob not null,
    primary key (partner_id, event_id)
) strict;
create unique index events_by_subject on events (partner_id, subject_id, sequence);
create index events_by_type on events (partner_id, type, event_id);

-- How many events a subject has had. The events are removed after a while, the count is not.
create table event_counts (
    partner_id blob not null,
    subject_id blob not null,
    number integer not null,
    primary key (partner_id, subject_id)
) strict;

-- Where partners have events delivered. `failures` are attempts in a row that were not taken.
create table webhook_endpoints (
    partner_id blob not null,
    endpoint_id blob not null,
    created_at integer not null,
    state integer not null,
    version integer not null,
    failures integer not null default 0,
    failing_since integer,
    rests_until integer,
    body blob not null,
    primary key (partner_id, endpoint_id)
) strict;
create index webhook_endpoints_by_id on webhook_endpoints (endpoint_id);

-- The types that enabled endpoints ask for; 0 is every type.
create table webhook_subscriptions (
    partner_id blob not null,
    type integer not null,
    endpoint_id blob not null,
    primary key (partner_id, type, endpoint_id)
) strict;

-- Events on their way to endpoints. Who sends one holds it until `due_at`; `is_again`: it was sent before. `body` has the attempts.
create table deliveries (
    partner_id blob not null,
    endpoint_id blob not null,
    event_id blob not null,
    state integer not null default 1,
    due_at integer,
    is_again integer not null default 0,
    tries integer not null default 0,
    owner blob,
    lease integer not null default 0,
    body blob,
    primary key (partner_id, endpoint_id, event_id)
) strict;
create index deliveries_due on deliveries (endpoint_id, is_again, due_at) where due_at is not null;
create index deliveries_by_event on deliveries (partner_id, event_id);
create index deliveries_by_owner on deliveries (owner) where owner is not null;

-- How far each partner was told of what the calendar brings: the day, written 20261120, its step, and the last policy of that.
create table calendars (
    partner_id blob primary key,
    day integer not null,
    step integer,
    after_id blob,
    assortment blob,
    version integer not null default 1
) strict;

-- Requests of a partner of about a second, which are kept together.
create table request_log (
    partner_id blob not null,
    batch_id blob not null,
    requests integer not null,
    body blob not null,
    primary key (partner_id, batch_id)
) strict;
