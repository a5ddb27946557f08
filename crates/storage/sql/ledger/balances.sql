select insurer_id, account, cast(sum(amount) as bigint)
  from (select insurer_id, credit as account, amount from ledger
        union all select insurer_id, debit, -amount from ledger) as sides
 group by insurer_id, account order by insurer_id, account
