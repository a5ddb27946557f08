-- Counts a try at $3. If no row changed, there were already $5 tries since $4.
insert into status_pages (partner_id, proposal_id, tries, tries_from) values ($1, $2, 1, $3)
on conflict (partner_id, proposal_id) do update
   set tries = case when status_pages.tries_from > $4 then status_pages.tries + 1 else 1 end,
       tries_from = case when status_pages.tries_from > $4 then status_pages.tries_from else excluded.tries_from end
 where status_pages.tries_from is null or status_pages.tries_from <= $4 or status_pages.tries < $5
