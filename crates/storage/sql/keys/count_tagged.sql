select count(*) from tags
