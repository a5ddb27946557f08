-- Each document, and whether its claim exists.
select partner_id, paper_id, claim_id, added_at, bytes, is_whole, body,
       exists (select 1 from claims where claims.partner_id = claim_papers.partner_id
                and claims.claim_id = claim_papers.claim_id) as has_claim
  from claim_papers
