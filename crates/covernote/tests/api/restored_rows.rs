//! If somebody restores an old row, reads show the old state, and the verification names the row (D115).

use crate::support::App;

/// Does something, then restores the rows of a table as they were before. Returns the faults that the
/// verification finds.
async fn restored(app: &App, table: &str, done: impl AsyncFnOnce()) -> Vec<String> {
    app.store.says(&format!("create table before as select * from {table}")).expect("copied");
    done().await;
    app.store
        .says(&format!("delete from {table}; insert into {table} select * from before"))
        .expect("restored");
    app.store.says("drop table before").expect("dropped");
    app.store.faults(app.folder.path())
}

#[tokio::test]
async fn verification_detects_a_policy_row_restored_from_before_its_cancellation() {
    let app = App::start().await;
    let policy = app.has_policy().await;
    let faults = restored(&app, "policies", async || {
        assert_eq!(app.cancels(&policy, "NOT_DISBURSED").await.status, 200);
    })
    .await;
    let read = app.policy(&policy).await;
    assert_eq!(read["status"], "ISSUED", "no read tells");
    let record = format!("policies {policy}: ");
    assert!(faults.iter().all(|fault| fault.starts_with(&record)), "{faults:#?}");
    for rule in [
        "state after the last status change: expected CANCELLED, found ISSUED",
        "returned premium in the ledger: expected ₹0.00",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(rule)), "{rule}: {faults:#?}");
    }
}
