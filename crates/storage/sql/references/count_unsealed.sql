-- Number of bank references that an earlier version stored in clear text.
select (select count(*) from receipts where sealed is null)
       + (select count(*) from ledger where sealed is null and reference is not null)
       + (select count(*) from payments where sealed is null)
