-- Holds a partner while something of it is counted.
select 1 from partners where partner_id = $1 for update
