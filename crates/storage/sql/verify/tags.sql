-- Each tag, and whether its record exists: a proposal, policy, session or health quote.
select tags.partner_id, subject_id, tag, named,
       exists (select 1 from proposals as r where r.partner_id = tags.partner_id and r.proposal_id = subject_id)
       or exists (select 1 from policies as r where r.partner_id = tags.partner_id and r.policy_id = subject_id)
       or exists (select 1 from sessions as r where r.partner_id = tags.partner_id and r.session_id = subject_id)
       or exists (select 1 from health_quotes as r where r.partner_id = tags.partner_id and r.quote_id = subject_id)
  from tags
