-- Each part of a document, and whether its document exists.
select paper_id, exists (select 1 from claim_papers where claim_papers.partner_id = claim_parts.partner_id
                          and claim_papers.paper_id = claim_parts.paper_id)
  from claim_parts
