//! The list of all actions of the operators' API.

use std::sync::LazyLock;

use crate::act::Action;
use crate::{
    approval, audit, breach, cancellation, catalogue, claim, complaint, deposit, endorsement, hold, import,
    key, partner, person, policy, premium, proposal, quote, refund, renewal, retention, statement, store,
    team, today, webhook,
};

/// Lists actions.
macro_rules! actions {
    ($($act:ty),+ $(,)?) => { vec![$(Action::of::<$act>()),+] };
}

/// All actions, in the order of the OpenAPI document and of the commands' help.
pub static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    actions![
        today::ListWaiting,
        partner::CreatePartner,
        partner::ListPartners,
        partner::ShowPartner,
        partner::ChangePartner,
        partner::EnablePartner,
        partner::DisablePartner,
        partner::GrantRights,
        partner::RevokeRights,
        partner::AddSecret,
        partner::RevokeSecret,
        partner::RevokeTokens,
        quote::FindQuotes,
        quote::ExplainQuote,
        proposal::ListProposals,
        proposal::ExportProposals,
        proposal::ShowProposal,
        proposal::StatusPage,
        proposal::DecideProposal,
        policy::ListPolicies,
        policy::FindPolicies,
        policy::ExportPolicies,
        policy::ShowPolicy,
        cancellation::CancelPolicy,
        endorsement::EndorsePolicy,
        endorsement::ListEndorsements,
        endorsement::DecideEndorsement,
        renewal::ListDuePolicies,
        renewal::RenewPolicy,
        policy::PolicyCertificate,
        cancellation::DecideCancellation,
        refund::ListRefunds,
        refund::PayRefund,
        claim::AddClaim,
        claim::ListClaims,
        claim::ShowClaim,
        claim::DecideClaim,
        claim::PayClaim,
        claim::WithdrawClaim,
        claim::ClaimPaper,
        complaint::AddComplaint,
        complaint::ListComplaints,
        complaint::ShowComplaint,
        complaint::AnswerComplaint,
        person::FindPerson,
        person::ExportPerson,
        person::CorrectPerson,
        person::ErasePerson,
        person::ListConsents,
        person::WithdrawConsent,
        breach::ListBreach,
        hold::SetHold,
        hold::ListHolds,
        hold::ReleaseHold,
        retention::ShowRetention,
        retention::RunRetention,
        premium::ListPremiums,
        premium::ShowPremium,
        premium::ReceivePayment,
        premium::SettlePremium,
        premium::RefundPremium,
        premium::RemitPremiums,
        premium::ListAccounts,
        deposit::ListDeposits,
        deposit::TopUpDeposit,
        deposit::WithdrawDeposit,
        statement::MakeStatements,
        statement::DraftStatements,
        statement::ListStatements,
        statement::ShowStatement,
        statement::ExportStatement,
        statement::PayStatement,
        statement::AnswerStatement,
        webhook::ListEndpoints,
        webhook::ShowEndpoint,
        webhook::AddEndpoint,
        webhook::SetEndpoint,
        webhook::RemoveEndpoint,
        webhook::RotateSecret,
        webhook::PingEndpoint,
        webhook::ListDeliveries,
        webhook::RetryDelivery,
        webhook::RecoverEvents,
        key::ListKeys,
        key::RotateKey,
        key::RetireKey,
        audit::ListAudit,
        audit::ExportAudit,
        audit::VerifyAudit,
        team::InviteOperator,
        team::ListOperators,
        team::ChangeRoles,
        team::RecoverOperator,
        team::EndOperator,
        team::ListSessions,
        team::EndSession,
        team::AddToken,
        approval::ListApprovals,
        approval::ShowApproval,
        approval::Approve,
        approval::Refuse,
        approval::Withdraw,
        approval::ChangeLimit,
        import::ImportProposals,
        import::ImportPolicies,
        catalogue::PublishCatalogue,
        store::VerifyStore,
        store::ExamineStore,
    ]
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_act_has_a_name_and_a_path_of_its_own() {
        let names: BTreeSet<&str> = ACTIONS.iter().map(|action| action.about.name).collect();
        let paths: BTreeSet<String> =
            ACTIONS.iter().map(|action| format!("{:?} {}", action.about.method, action.about.path)).collect();
        assert_eq!((names.len(), paths.len()), (ACTIONS.len(), ACTIONS.len()));
    }

    #[test]
    fn every_name_in_a_path_is_a_field_of_its_act() {
        for action in ACTIONS.iter() {
            let fields = action.fields();
            for part in action.about.path.split('/').filter_map(|part| part.strip_prefix('{')) {
                let name = part.trim_end_matches('}');
                assert!(fields.iter().any(|field| field.name == name), "{} has no {name}", action.about.name);
            }
        }
    }
}
