select count(*) from health_quotes where lead_tag is not null or user_tag is not null
