update premiums
   set unsettled = $1, received = $2, applied = $3, refundable = $4, refunded = $5, held_here = $6, held_since = $7,
       ended = $8, decided_by = $9, decided_at = $10, insurer_number = $11, changed_at = $12, settled = $13, proof = $14
 where partner_id = $15 and proposal_id = $16
