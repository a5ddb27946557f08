-- Whose jobs there are: from partner to partner by the index, however many jobs one has.
with recursive owners (partner_id) as (
    select min(partner_id) from jobs
    union all
    select (select min(jobs.partner_id) from jobs where jobs.partner_id > owners.partner_id)
      from owners where owners.partner_id is not null
)
select partner_id from owners where partner_id is not null
