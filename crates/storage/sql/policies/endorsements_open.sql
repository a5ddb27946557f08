select partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line from visible_policies
 where endorsement_asked_at is not null and visible_policies.partner_id not in (select partner_id from partners where is_test) order by endorsement_asked_at, partner_id, policy_id limit $1
