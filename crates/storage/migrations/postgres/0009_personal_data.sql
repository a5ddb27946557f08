-- What is erased with a record is found by the record.
create index tags_by_subject on tags (partner_id, subject_id, tag);

-- Records that a legal hold keeps from erasure and removal: by their ids with and without their kinds. `reason` is sealed.
create table holds (
    record_id uuid primary key,
    record text not null,
    held_at bigint not null,
    held_by text not null,
    reason bytea not null
);

-- The erasures of the journal that this store has done.
create table erasures (
    erasure_id uuid primary key,
    erased_at bigint not null
);

-- Proposals and policies that were removed or erased: the books still name them.
create table erased_records (
    partner_id uuid not null,
    record_id uuid not null,
    kind smallint not null,
    erased_at bigint not null,
    primary key (partner_id, record_id)
);

-- Consents that customers took back.
create table withdrawn_consents (
    partner_id uuid not null,
    proposal_id uuid not null,
    purpose smallint not null,
    withdrawn_at bigint not null,
    primary key (partner_id, proposal_id, purpose)
);

create index complaints_by_policy on complaints (partner_id, policy_id, complaint_id) where policy_id is not null;
