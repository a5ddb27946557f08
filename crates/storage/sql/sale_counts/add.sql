-- If no row changed, another sale of this group was counted since the number $3 was read.
insert into sale_counts (partner_id, bucket, sales) values ($1, $2, 1)
on conflict (partner_id, bucket) do update set sales = sale_counts.sales + 1
 where sale_counts.sales = $3
