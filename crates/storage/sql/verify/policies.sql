-- verify/policies.sql: each with the status of its proposal, where it was issued here, and with what the ledger has on the
-- account of premiums for it (6).
select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, partner_id, line, certificate,
       (select status from proposals where proposals.partner_id = policies.partner_id
           and proposals.proposal_id = policies.proposal_id and proposals.line = policies.line),
       (select sum(amount) from ledger where ledger.partner_id = policies.partner_id
           and ledger.proposal_id = policies.proposal_id and ledger.credit = 6)
  from policies
