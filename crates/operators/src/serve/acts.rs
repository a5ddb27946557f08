//! The list of all actions of the operators' API.

use std::sync::LazyLock;

use crate::act::Action;
use crate::{claim, month, partner, person, policy, premium, proposal, quote, statement, store, team, today};

/// Lists actions.
macro_rules! actions {
    ($($act:ty),+ $(,)?) => { vec![$(Action::of::<$act>()),+] };
}

/// All actions, in the order of the OpenAPI document and of the commands' help.
pub static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    actions![
        today::ListWaiting,
        today::ShowWaiting,
        today::TakeTask,
        today::HandOver,
        today::NoteTask,
        today::SnoozeTask,
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
        partner::refusal::ListRefusals,
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
        policy::cancellation::CancelPolicy,
        policy::endorsement::EndorsePolicy,
        policy::endorsement::ListEndorsements,
        policy::endorsement::DecideEndorsement,
        policy::renewal::ListDuePolicies,
        policy::renewal::RenewPolicy,
        policy::PolicyCertificate,
        policy::cancellation::DecideCancellation,
        policy::cancellation::CorrectNumber,
        policy::refund::ListRefunds,
        policy::refund::PayRefund,
        claim::AddClaim,
        claim::ListClaims,
        claim::ShowClaim,
        claim::DecideClaim,
        claim::PayClaim,
        claim::WithdrawClaim,
        claim::paper::ClaimPaper,
        claim::paper::AttachPaper,
        claim::paper::AskPapers,
        claim::complaint::AddComplaint,
        claim::complaint::ListComplaints,
        claim::complaint::ShowComplaint,
        claim::complaint::AnswerComplaint,
        person::FindPerson,
        person::export::ExportPerson,
        person::correction::CorrectPerson,
        person::erasure::ErasePerson,
        person::consent::ListConsents,
        person::consent::WithdrawConsent,
        person::breach::ListBreach,
        person::hold::SetHold,
        person::hold::ListHolds,
        person::hold::ReleaseHold,
        person::retention::ShowRetention,
        person::retention::RunRetention,
        premium::ListPremiums,
        premium::ShowPremium,
        premium::payment::ReceivePayment,
        premium::payment::ReversePayment,
        premium::SettlePremium,
        premium::RefundPremium,
        premium::RemitPremiums,
        premium::ListAccounts,
        premium::summary::SumPremiums,
        premium::deposit::ListDeposits,
        premium::deposit::TopUpDeposit,
        premium::deposit::WithdrawDeposit,
        statement::MakeStatements,
        statement::DraftStatements,
        statement::ListStatements,
        month::CheckMonth,
        statement::ShowStatement,
        statement::ExportStatement,
        statement::PayStatement,
        statement::AnswerStatement,
        partner::webhook::ListEndpoints,
        partner::webhook::ShowEndpoint,
        partner::webhook::AddEndpoint,
        partner::webhook::SetEndpoint,
        partner::webhook::RemoveEndpoint,
        partner::webhook::RotateSecret,
        partner::webhook::PingEndpoint,
        partner::webhook::ListDeliveries,
        partner::webhook::RetryDelivery,
        partner::webhook::RecoverEvents,
        store::key::ListKeys,
        store::key::RotateKey,
        store::key::RetireKey,
        store::audit::ListAudit,
        store::audit::ExportAudit,
        store::audit::VerifyAudit,
        team::InviteOperator,
        team::ListOperators,
        team::ChangeRoles,
        team::RecoverOperator,
        team::EndOperator,
        team::ListSessions,
        team::EndSession,
        team::AddToken,
        team::approval::ListApprovals,
        team::approval::ShowApproval,
        team::approval::Approve,
        team::approval::Refuse,
        team::approval::Withdraw,
        team::approval::ChangeLimit,
        store::import::ImportProposals,
        store::import::ImportPolicies,
        store::catalogue::PublishCatalogue,
        store::VerifyStore,
        store::ExamineStore,
    ]
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_act_has_a_unique_name_and_a_unique_path() {
        let names: BTreeSet<&str> = ACTIONS.iter().map(|action| action.about.name).collect();
        let paths: BTreeSet<String> =
            ACTIONS.iter().map(|action| format!("{:?} {}", action.about.method, action.about.path)).collect();
        assert_eq!((names.len(), paths.len()), (ACTIONS.len(), ACTIONS.len()));
    }

    #[test]
    fn every_placeholder_in_the_path_of_an_act_is_one_of_its_fields() {
        for action in ACTIONS.iter() {
            let fields = action.fields();
            for part in action.about.path.split('/').filter_map(|part| part.strip_prefix('{')) {
                let name = part.trim_end_matches('}');
                assert!(fields.iter().any(|field| field.name == name), "{} has no {name}", action.about.name);
            }
        }
    }
}
