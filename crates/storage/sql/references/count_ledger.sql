select count(*) from ledger where reference is not null
