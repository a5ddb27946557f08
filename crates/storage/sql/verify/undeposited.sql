-- Each ledger line of a deposit that does not exist.
select number from ledger
 where deposit is not null
   and not exists (select 1 from deposits where deposits.insurer_id = ledger.insurer_id and deposits.name = ledger.deposit)
