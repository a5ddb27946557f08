insert into withdrawn_consents (partner_id, proposal_id, purpose, withdrawn_at) values ($1, $2, $3, $4) on conflict (partner_id, proposal_id, purpose) do nothing
