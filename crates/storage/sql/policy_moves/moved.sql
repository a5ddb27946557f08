-- Status changes of policies to one state in a period, of one partner, or of all if $6 is null. The page begins after
-- the given time, partner and policy.
select moved_at, partner_id, policy_id from policy_moves
 where to_state = $1 and moved_at < $2 and (moved_at, partner_id, policy_id) > ($3, $4, $5) and partner_id = coalesce($6, partner_id)
 order by moved_at, partner_id, policy_id limit $7
