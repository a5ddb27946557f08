insert into ledger (partner_id, posted_at, entry, debit, credit, amount, insurer_id, deposit, proposal_id, reference, sealed, proof)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
