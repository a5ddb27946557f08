-- Receipts (entry 3) of the ledger that were not noted.
select number from ledger
 where entry = 3 and not exists (select 1 from receipts where receipts.partner_id = ledger.partner_id
                                  and receipts.reference = ledger.reference)
