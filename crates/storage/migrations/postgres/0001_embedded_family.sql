-- The embedded family: partners, keys, quotes, proposals, policies, kept answers.
-- Ids are their 16 bytes, instants integer microseconds UTC, sealed bodies bytes.

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

create table partners (
    partner_id uuid primary key,
    client_id text not null unique,
    name text not null,
    enabled boolean not null,
    scopes text not null,
    legacy_reads boolean not null,
    attribution boolean not null,
    origins text not null,
    return_urls text not null,
    tokens_per_hour bigint not null,
    created_at bigint not null
);

create table secrets (
    partner_id uuid not null references partners (partner_id),
    number integer not null,
    hash bytea not null,
    added_at bigint not null,
    revoked_at bigint,
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

create table embedded_quotes (
    partner_id uuid not null,
    quote_id uuid not null,
    body bytea not null,
    primary key (partner_id, quote_id)
);

create table proposals (
    partner_id uuid not null,
    proposal_id uuid not null,
    created_at bigint not null,
    changed_at bigint not null,
    status smallint not null,
    body bytea not null,
    primary key (partner_id, proposal_id)
);

create table moves (
    partner_id uuid not null,
    proposal_id uuid not null,
    moved_at bigint not null,
    place integer not null,
    moved_by smallint not null,
    from_status smallint,
    to_status smallint not null,
    reason bytea,
    primary key (partner_id, proposal_id, place)
);

create table policies (
    partner_id uuid not null,
    proposal_id uuid not null,
    policy_id uuid not null,
    check_code uuid not null unique,
    number text not null unique,
    body bytea not null,
    certificate bytea not null,
    primary key (partner_id, proposal_id),
    unique (partner_id, policy_id)
);

create table answers (
    partner_id uuid not null,
    kept_at bigint not null,
    answer_key bytea not null,
    body bytea not null,
    constraint answers_once primary key (partner_id, answer_key)
);
create index answers_by_age on answers (kept_at);
