-- Number and bytes of the papers of a claim, of its policy, and of its partner since an instant, with those that are
-- still arriving. The bytes of the claim count complete papers only: whether the last one fits is decided when it is
-- complete.
select (select count(*) from claim_papers where partner_id = $1 and claim_id = $2),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers
         where partner_id = $1 and claim_id = $2 and is_whole),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1
           and claim_id in (select claim_id from claims where partner_id = $1 and policy_id = $3)),
       (select count(*) from claim_papers where partner_id = $1 and added_at >= $4),
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where partner_id = $1 and added_at >= $4)
