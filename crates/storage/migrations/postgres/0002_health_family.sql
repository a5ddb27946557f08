-- The health family: quotes with their work lists, durable jobs, sessions, counts.

-- `body` is what was asked and the work list; `outcome` what came of all of it, once everything is known.
create table health_quotes (
    partner_id uuid not null,
    quote_id uuid not null,
    created_at bigint not null,
    session_id uuid,
    lead_tag uuid,
    user_tag uuid,
    body bytea not null,
    outcome bytea,
    primary key (partner_id, quote_id)
);
create index health_quotes_by_time on health_quotes (partner_id, created_at, quote_id);
create index health_quotes_by_session on health_quotes (partner_id, session_id, created_at, quote_id)
    where session_id is not null;
create index health_quotes_by_lead on health_quotes (lead_tag, created_at) where lead_tag is not null;
create index health_quotes_by_user on health_quotes (user_tag, created_at) where user_tag is not null;

-- What came of single asks while others are still out. Gone once the quote is finished.
create table health_outcomes (
    partner_id uuid not null,
    quote_id uuid not null,
    ask integer not null,
    body bytea not null,
    primary key (partner_id, quote_id, ask)
);

create table sessions (
    partner_id uuid not null,
    session_id uuid not null,
    created_at bigint not null,
    body bytea not null,
    primary key (partner_id, session_id)
);

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
create index jobs_by_subject on jobs (subject_id);
create index jobs_by_owner on jobs (owner) where owner is not null;

-- An insurer tells what it decided by the proposal's id alone.
create index proposals_by_id on proposals (proposal_id);

-- The number under which an insurer that decides itself keeps the policy.
alter table policies add column insurer_number text;
create index policies_by_insurer_number on policies (partner_id, insurer_number) where insurer_number is not null;
