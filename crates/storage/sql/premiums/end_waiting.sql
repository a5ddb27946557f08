-- Route 1 is deposit. A premium by this route has a row only while the accepted proposal waits for money in the
-- deposit.
delete from premiums where partner_id = $1 and proposal_id = $2 and route = 1
