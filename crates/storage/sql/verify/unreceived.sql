-- Lines of the ledger for receipts (entry 3) that have no row in `receipts` and were not reversed (entry 19).
select max(number) from ledger
 where (entry = 3 or (entry = 19 and credit in (1, 2)))
   and not exists (select 1 from receipts where receipts.partner_id = ledger.partner_id and receipts.reference = ledger.reference)
 group by partner_id, reference having sum(case entry when 3 then amount else -amount end) <> 0
