-- The embedded family: partners, keys, quotes, proposals, policies, kept answers.
-- Ids are their 16 bytes, instants integer microseconds UTC, sealed bodies blobs.

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

create table partners (
    partner_id blob primary key,
    client_id text not null unique,
    name text not null,
    enabled integer not null,
    scopes text not null,
    legacy_reads integer not null,
    attribution integer not null,
    origins text not null,
    return_urls text not null,
    tokens_per_hour integer not null,
    created_at integer not null
) strict, without rowid;

create table secrets (
    partner_id blob not null references partners (partner_id),
    number integer not null,
    hash blob not null,
    added_at integer not null,
    revoked_at integer,
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

create table proposals (
    partner_id blob not null,
    proposal_id blob not null,
    status integer not null,
    created_at integer not null,
    changed_at integer not null,
    body blob not null,
    primary key (partner_id, proposal_id)
) strict;

create table moves (
    partner_id blob not null,
    proposal_id blob not null,
    place integer not null,
    moved_at integer not null,
    moved_by integer not null,
    from_status integer,
    to_status integer not null,
    reason blob,
    primary key (partner_id, proposal_id, place)
) strict, without rowid;

create table policies (
    partner_id blob not null,
    proposal_id blob not null,
    policy_id blob not null,
    number text not null unique,
    check_code blob not null unique,
    body blob not null,
    certificate blob not null,
    primary key (partner_id, proposal_id),
    unique (partner_id, policy_id)
) strict;

create table answers (
    partner_id blob not null,
    answer_key blob not null,
    kept_at integer not null,
    body blob not null,
    primary key (partner_id, answer_key)
) strict, without rowid;
create index answers_by_age on answers (kept_at);
