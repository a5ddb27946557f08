select kind, count(*) from jobs group by kind
