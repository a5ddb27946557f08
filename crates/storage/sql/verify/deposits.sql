-- verify/deposits.sql: each with what the ledger has on it; 3 is the account of deposits.
select name, balance,
       (select coalesce(sum(amount * ((credit = 3) - (debit = 3))), 0) from ledger
         where ledger.insurer_id = deposits.insurer_id and ledger.deposit = deposits.name)
  from deposits
