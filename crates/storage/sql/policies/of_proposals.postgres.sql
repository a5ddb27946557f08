-- `offset 0` has each policy read by its proposal, whatever the planner thinks of their number.
select asked.proposal_id, found.policy_id from unnest($2::uuid[]) as asked (proposal_id) cross join lateral (
    select policy_id from policies where partner_id = $1 and policies.proposal_id = asked.proposal_id offset 0) as found
