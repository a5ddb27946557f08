-- The operator's team. `version` counts the changes.
create table operators (
    operator_id uuid primary key,
    version integer not null,
    body bytea not null
);

-- Secrets that were handed out to operators, by their SHA-256: sessions, tokens, links. `operator_id` is nought while one is nobody's.
create table operator_secrets (
    hash bytea primary key,
    operator_id uuid not null,
    kind smallint not null,
    expires_at bigint not null,
    ended_at bigint,
    version integer not null,
    seen_at bigint not null,
    body bytea not null
);
create index operator_secrets_of on operator_secrets (operator_id, expires_at);
create index operator_secrets_by_end on operator_secrets (expires_at);
