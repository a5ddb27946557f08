select count(*) from payments
