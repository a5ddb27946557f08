-- States up to 4 are open: INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED.
select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body from claims where state <= 4 and claims.partner_id not in (select partner_id from partners where is_test) order by settle_by, partner_id, claim_id limit $1
