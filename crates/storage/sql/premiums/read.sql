select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
       held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, settled, proof
  from premiums where partner_id = $1 and proposal_id = $2
