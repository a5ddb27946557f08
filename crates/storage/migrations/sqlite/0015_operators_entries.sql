-- What operators did, by time: few of the entries of the audit trail.
create index audit_of_operators on audit (entered_at) where via in ('socket', 'https', 'console');
