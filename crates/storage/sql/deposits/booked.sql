-- What the ledger has on the account of deposits (3), and what the deposits have, at one moment.
select (select cast(coalesce(sum(case when credit = 3 then amount when debit = 3 then -amount else 0 end), 0) as bigint) from ledger),
       (select cast(coalesce(sum(balance), 0) as bigint) from deposits)
