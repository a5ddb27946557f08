-- The second value says whether the complaint can be removed.
select complaint_id,
       coalesce(answered_on < $1, false)
       and not exists (select 1 from holds where record_id = complaint_id or record_id = policy_id)
  from complaints where partner_id = $2 and complaint_id > $3 and complaint_id < $4 order by complaint_id limit $5
