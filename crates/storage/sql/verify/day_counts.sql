-- Writers on PostgreSQL count in slots.
select partner_id, day, cast(sum(number) as bigint) from day_counts where kind = {kind} group by 1, 2
