select count(*) from receipts
