alter table ledger add constraint ledger_insurer_id_deposit_fkey foreign key (insurer_id, deposit) references deposits (insurer_id, name)
