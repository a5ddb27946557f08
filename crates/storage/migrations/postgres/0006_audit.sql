-- The audit trail. `number` counts the entries of a slot from 1; `hash` is keyed and covers the entry and the hash before it.
create table audit (
    slot smallint not null,
    number bigint not null,
    entered_at bigint not null,
    actor text not null,
    via text not null,
    action text not null,
    change text not null,
    subject text not null,
    session text,
    request_id uuid,
    approval text,
    reason bytea,
    key_number integer not null,
    hash bytea not null,
    primary key (slot, number)
);
create index audit_by_subject on audit (subject, entered_at);
