-- `proof` opens only beside the other columns, and has the row's bank reference. The server proves the rows of the version
-- before, then removes the fact.
alter table ledger add column proof blob;
alter table receipts add column proof blob;
alter table deposits add column proof blob;
alter table statement_months add column proof blob;
alter table calendars add column proof blob;
alter table withdrawn_consents add column proof blob;
create index ledger_unproven on ledger (partner_id, number) where proof is null;
create index receipts_unproven on receipts (partner_id, reference) where proof is null;
insert into facts (name, value)
select 'rows_to_prove', 'all' where exists (select 1 from ledger) or exists (select 1 from receipts) or exists (select 1 from deposits)
    or exists (select 1 from statement_months) or exists (select 1 from calendars) or exists (select 1 from withdrawn_consents);
