-- Imports that have not ended. Their records are staged: the views leave them out.
create table imports (
    import_id integer primary key,
    renewed_at integer not null
) strict;
alter table proposals add column import_id integer;
alter table policies add column import_id integer;
create index proposals_by_import on proposals (import_id) where import_id is not null;
create index policies_by_import on policies (import_id) where import_id is not null;

-- The same index with one more column, so that a count of policies still reads the index alone.
drop index policies_by_day;
create index policies_by_day on policies (partner_id, issued_at, policy_id, state, last_day, renewable_until, import_id);

create view visible_proposals as
    select * from proposals where import_id is null or import_id not in (select import_id from imports);
create view visible_policies as
    select * from policies where import_id is null or import_id not in (select import_id from imports);
