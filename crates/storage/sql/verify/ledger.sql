select number, entry, debit, credit from ledger
