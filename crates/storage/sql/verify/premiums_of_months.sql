-- Premium and commission of each insurer by day in Asia/Kolkata and time, without test partners. A day has
-- 86,400,000,000 microseconds, and begins 19,800,000,000 earlier than in UTC. The accounts are 6 (premium),
-- 8 (returned-premium) and 11 (commission). Commission is posted when its month is closed.
select insurer_id, (posted_at + 19800000000) / 86400000000 as day, case when 11 in (credit, debit) then posted_at end as closed_at,
       cast(sum(case when credit in (6, 8) then amount when debit in (6, 8) then -amount else 0 end) as bigint) as premium,
       cast(sum(case when credit = 11 and debit = 10 then amount when debit = 11 and credit = 10 then -amount else 0 end) as bigint)
           as commission
  from ledger where partner_id not in (select partner_id from partners where is_test) group by 1, 2, 3
