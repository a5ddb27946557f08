-- The premiums of these proposals, held until the transaction ends; in one order, so that no two wait for each other.
select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
       held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, proof
  from premiums where partner_id = $1 and proposal_id = any ($2::uuid[]) order by proposal_id for update
