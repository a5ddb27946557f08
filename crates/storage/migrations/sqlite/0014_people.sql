-- Nominees, appointees and claimants of these records have no tags yet. The server makes them, then removes this fact.
insert into facts (name, value) select 'people_to_index', 'all' where exists (select 1 from proposals) or exists (select 1 from policies) or exists (select 1 from sessions);
