-- What a claim, its policy, and its partner since an instant have of papers, also of those that are still arriving. The bytes of the
-- claim are those that are whole: whether the last one fits is decided when it is.
select (select count(*) from claim_papers where partner_id = $1 and claim_id = $2),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers
         where partner_id = $1 and claim_id = $2 and is_whole),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1
           and claim_id in (select claim_id from claims where partner_id = $1 and policy_id = $3)),
       (select count(*) from claim_papers where partner_id = $1 and added_at >= $4),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1 and added_at >= $4)
