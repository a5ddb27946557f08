-- Lines of the ledger for a receipt (entry 3) that has no row in `receipts`.
select number from ledger
 where entry = 3 and not exists (select 1 from receipts where receipts.partner_id = ledger.partner_id
                                  and receipts.reference = ledger.reference)
