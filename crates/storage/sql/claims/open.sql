-- Up to 4, APPROVED: claims that somebody must work on.
select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body from claims where state <= 4 and claims.partner_id not in (select partner_id from partners where is_test) order by settle_by, partner_id, claim_id limit $1
