-- The operator's team. `version` counts the changes.
create table operators (
    operator_id blob primary key,
    version integer not null,
    body blob not null
) strict, without rowid;

-- Secrets that were handed out to operators, by their SHA-256: sessions, tokens, links. `operator_id` is nought while one is nobody's.
create table operator_secrets (
    hash blob primary key,
    operator_id blob not null,
    kind integer not null,
    expires_at integer not null,
    ended_at integer,
    version integer not null,
    seen_at integer not null,
    body blob not null
) strict, without rowid;
create index operator_secrets_of on operator_secrets (operator_id, expires_at);
create index operator_secrets_by_end on operator_secrets (expires_at);
