-- A proposal that waited for its deposit is decided. 1 is the route by deposit.
delete from premiums where partner_id = $1 and proposal_id = $2 and route = 1
