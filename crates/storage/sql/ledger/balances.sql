-- Lines of test partners are left out, because they are not real money.
with counted as (
    select insurer_id, credit, debit, amount from ledger
     where partner_id not in (select partner_id from partners where is_test)
)
select insurer_id, account, cast(sum(amount) as bigint)
  from (select insurer_id, credit as account, amount from counted
        union all select insurer_id, debit, -amount from counted) as sides
 group by insurer_id, account order by insurer_id, account
