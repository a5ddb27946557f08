-- Deletes a batch if its id is below $2, or if the partner's newer batches already have $4 requests.
delete from request_log
 where partner_id = $1 and (batch_id < $2 or batch_id in (
    select batch_id
      from (select batch_id, sum(requests) over (order by batch_id desc) - requests as newer
              from request_log where partner_id = $3) as counted
     where newer >= cast($4 as bigint)))
