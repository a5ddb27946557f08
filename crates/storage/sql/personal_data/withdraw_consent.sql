insert into withdrawn_consents (partner_id, proposal_id, purpose, withdrawn_at, proof) values ($1, $2, $3, $4, $5) on conflict (partner_id, proposal_id, purpose) do nothing
