select (select count(*) from receipts) + (select count(*) from ledger where reference is not null) + (select count(*) from payments)
