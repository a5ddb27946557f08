-- The audit trail. `number` counts the entries of a slot from 1; `hash` is keyed and covers the entry and the hash before it.
create table audit (
    slot integer not null,
    number integer not null,
    entered_at integer not null,
    actor text not null,
    via text not null,
    action text not null,
    change text not null,
    subject text not null,
    session text,
    request_id blob,
    approval text,
    reason blob,
    key_number integer not null,
    hash blob not null,
    primary key (slot, number)
) strict, without rowid;
create index audit_by_subject on audit (subject, entered_at);
