-- On PostgreSQL, several slots may count for the same day.
select partner_id, day, cast(sum(number) as bigint) from day_counts where kind = {kind} group by 1, 2
