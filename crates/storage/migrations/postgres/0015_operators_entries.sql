-- What operators did, by time: few of the entries of the audit trail.
create index audit_of_operators on audit (entered_at) where via in ('socket', 'https', 'console');

-- Rows of bordereaux that their insurer rejected.
create index statement_answers_rejected on statement_answers (answered_at) where not accepted;
