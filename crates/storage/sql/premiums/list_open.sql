select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
       held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, settled, proof
  from premiums where not settled and premiums.partner_id not in (select partner_id from partners where is_test) order by created_at, partner_id, proposal_id limit $1
