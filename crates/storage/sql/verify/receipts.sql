-- Each receipt, with the sum of its lines, and its amount and time in the ledger. The entries are
-- 3 (receipt) and 19 (reversal); a payment that was reversed can be recorded again. Money comes from the accounts 1 and 2.
select partner_id, told_at, told_by, received_on, amount, reference, {sealed}, {proof},
       (select cast(coalesce(sum(amount), 0) as bigint) from receipt_lines as line
         where line.partner_id = receipts.partner_id and line.reference = receipts.reference) as in_lines,
       coalesce(booked.amount_booked, 0) as amount_booked, booked.booked_at
  from receipts
  left join (select partner_id as of_partner, reference as of_reference, cast(sum(case entry when 3 then amount else -amount end) as bigint) as amount_booked,
                    max(case entry when 3 then posted_at end) as booked_at
               from ledger where entry = 3 or (entry = 19 and credit in (1, 2)) group by 1, 2) as booked
    on booked.of_partner = receipts.partner_id and booked.of_reference = receipts.reference
