select nodename || ':' || nodeport from pg_dist_node where noderole = 'primary' and shouldhaveshards and isactive
