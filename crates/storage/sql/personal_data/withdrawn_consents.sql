select purpose, withdrawn_at from withdrawn_consents where partner_id = $1 and proposal_id = $2 order by purpose
