-- verify/receipts.sql: each with the sum of its lines.
select reference, amount,
       (select sum(amount) from receipt_lines as line
         where line.partner_id = receipts.partner_id and line.reference = receipts.reference)
  from receipts
