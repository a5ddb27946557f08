insert into ledger (posted_at, entry, debit, credit, amount, insurer_id, deposit, partner_id, proposal_id, reference, sealed)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
