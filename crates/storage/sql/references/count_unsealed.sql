-- Bank references that the previous version stored without encryption.
select (select count(*) from receipts where sealed is null)
       + (select count(*) from ledger where sealed is null and reference is not null)
       + (select count(*) from payments where sealed is null)
