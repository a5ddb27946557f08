-- What the team notes about tasks that wait for a person. `task` is the kind of the task, a colon, and its record.
create table work_items (
    task text primary key,
    changed_at bigint not null,
    version integer not null,
    body bytea not null
);
create index work_items_by_change on work_items (changed_at);
