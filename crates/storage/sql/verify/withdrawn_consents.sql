select partner_id, proposal_id, purpose, withdrawn_at, {proof} from withdrawn_consents
