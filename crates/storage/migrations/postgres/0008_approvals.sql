-- Acts that wait for a second operator.
create table approvals (
    approval_id uuid primary key,
    subject text not null,
    expires_at bigint not null,
    state smallint not null,
    version integer not null,
    body bytea not null
);
create index approvals_of on approvals (subject, expires_at);
create index approvals_by_end on approvals (expires_at);
