-- Five values: number of the claim's documents, bytes of the claim's complete documents, bytes of the policy's
-- documents, number and bytes of the partner's documents since $4. Only the second value leaves out documents that are
-- still being uploaded, because claims/add_paper checks the claim's bytes again when a document is complete.
select (select count(*) from claim_papers where partner_id = $1 and claim_id = $2),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers
         where partner_id = $1 and claim_id = $2 and is_whole),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1
           and claim_id in (select claim_id from claims where partner_id = $1 and policy_id = $3)),
       (select count(*) from claim_papers where partner_id = $1 and added_at >= $4),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1 and added_at >= $4)
