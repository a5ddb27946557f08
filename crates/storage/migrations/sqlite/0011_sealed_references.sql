-- `reference` is a keyed hash in capitals, and `sealed` the bank reference that it was made of (D134). Rows that have nothing sealed
-- are of the version before, and have the bank reference itself.
alter table receipts add column sealed blob;
alter table ledger add column sealed blob;
alter table payments add column sealed blob;
create index ledger_by_reference on ledger (partner_id, reference, number) where reference is not null;
create index receipts_unsealed on receipts (partner_id) where sealed is null;
create index ledger_unsealed on ledger (partner_id) where sealed is null and reference is not null;
create index payments_unsealed on payments (reference) where sealed is null;
