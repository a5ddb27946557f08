-- Number of a list's records by partner and day in Asia/Kolkata, which is 19,800 seconds ahead of UTC. Times are in
-- microseconds.
select partner_id, ({at} + 19800000000) / 86400000000, count(*) from {shown} where {filter} group by 1, 2
