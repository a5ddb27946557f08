alter table ledger drop constraint if exists ledger_insurer_id_deposit_fkey
