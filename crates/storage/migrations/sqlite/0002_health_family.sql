-- The health family: quotes with their work lists, durable jobs, sessions, counts.

-- `body` is what was asked and the work list; `outcome` what came of all of it, once everything is known.
create table health_quotes (
    partner_id blob not null,
    quote_id blob not null,
    created_at integer not null,
    session_id blob,
    lead_tag blob,
    user_tag blob,
    body blob not null,
    outcome blob,
    primary key (partner_id, quote_id)
) strict;
create index health_quotes_by_time on health_quotes (partner_id, created_at, quote_id);
create index health_quotes_by_session on health_quotes (partner_id, session_id, created_at, quote_id)
    where session_id is not null;
create index health_quotes_by_lead on health_quotes (lead_tag, created_at) where lead_tag is not null;
create index health_quotes_by_user on health_quotes (user_tag, created_at) where user_tag is not null;

-- What came of single asks while others are still out. Gone once the quote is finished.
create table health_outcomes (
    partner_id blob not null,
    quote_id blob not null,
    ask integer not null,
    body blob not null,
    primary key (partner_id, quote_id, ask)
) strict, without rowid;

create table sessions (
    partner_id blob not null,
    session_id blob not null,
    created_at integer not null,
    body blob not null,
    primary key (partner_id, session_id)
) strict;

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
create index jobs_by_subject on jobs (subject_id);
create index jobs_by_owner on jobs (owner) where owner is not null;

-- An insurer tells what it decided by the proposal's id alone.
create index proposals_by_id on proposals (proposal_id);

-- The number under which an insurer that decides itself keeps the policy.
alter table policies add column insurer_number text;
create index policies_by_insurer_number on policies (partner_id, insurer_number) where insurer_number is not null;
