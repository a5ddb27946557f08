-- Each deposit, and its balance in the ledger. Account 3 is deposit.
select name, balance, coalesce(booked.balance_booked, 0) as booked, insurer_id, guaranteed, {proof}
  from deposits
  left join (select insurer_id as of_insurer, deposit as of_deposit,
                    cast(sum(case 3 when credit then amount when debit then -amount end) as bigint) as balance_booked
               from ledger where deposit is not null group by 1, 2) as booked
    on booked.of_insurer = deposits.insurer_id and booked.of_deposit = deposits.name
