-- Acts that wait for a second operator.
create table approvals (
    approval_id blob primary key,
    subject text not null,
    expires_at integer not null,
    state integer not null,
    version integer not null,
    body blob not null
) strict, without rowid;
create index approvals_of on approvals (subject, expires_at);
create index approvals_by_end on approvals (expires_at);
