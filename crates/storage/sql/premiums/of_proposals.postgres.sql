-- `offset 0` has each premium read by its proposal, whatever the planner thinks of their number.
select found.* from unnest($2::uuid[]) as asked (proposal_id) cross join lateral (
    select partner_id, proposal_id, line, insurer_id, route, deposit, due, unsettled, received, applied, refundable, refunded,
           held_here, held_since, ended, decided_by, decided_at, insurer_number, created_at, changed_at, proof
      from premiums where partner_id = $1 and premiums.proposal_id = asked.proposal_id offset 0) as found
