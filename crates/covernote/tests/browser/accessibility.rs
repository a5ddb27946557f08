//! Checks the accessibility of a page with axe-core.

use std::fmt::Write;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::browser::Browser;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");

/// axe-core, in the version of `package-lock.json`.
static AXE: LazyLock<Option<String>> =
    LazyLock::new(|| std::fs::read_to_string(format!("{FOLDER}/node_modules/axe-core/axe.min.js")).ok());

/// All of axe-core's default rules, with WCAG 2.2's rule for the size of touch targets, which is off by
/// default.
const RUN: &str = "return axe.run(document, {
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } },
}).then(results => results.violations.map(({ id, impact, help, nodes }) => ({
    id, impact, help, nodes: nodes.map(node => ({ html: node.html, fault: node.failureSummary })),
})))";

impl Browser {
    /// Checks that axe-core finds no fault on the page. `what` names the page in the failure's message.
    pub(crate) async fn is_accessible(&self, what: &str) {
        let found = self.violations().await;
        let found = found.as_array().expect("a list");
        assert!(found.is_empty(), "{what} is not accessible, in {:?}: {}", self.look, told(found));
    }

    async fn violations(&self) -> Value {
        let axe = AXE.as_ref().unwrap_or_else(|| {
            panic!("axe-core is missing: npm ci --ignore-scripts --prefix {FOLDER} (scripts/test does it)")
        });
        // axe-core needs timers, which run only if scripts are allowed. The page's own scripts had their
        // chance before.
        let scripts = async |on: bool| {
            self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": !on })).await;
        };
        scripts(true).await;
        // axe-core has half a megabyte. A page that was checked before has it already.
        if self.execute("return typeof axe === 'undefined'", vec![]).await == true {
            self.execute(axe, vec![]).await;
        }
        let found = self.execute(RUN, vec![]).await;
        scripts(self.look.scripts).await;
        found
    }
}

/// Each violation as text: its rule, the requirement, and the elements.
fn told(violations: &[Value]) -> String {
    let mut told = String::new();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for violation in violations {
        let (id, impact, help) =
            (text(&violation["id"]), text(&violation["impact"]), text(&violation["help"]));
        write!(told, "\n{id} ({impact}): {help}").expect("a string");
        for node in violation["nodes"].as_array().into_iter().flatten() {
            let fault = text(&node["fault"]).replace('\n', "\n    ");
            write!(told, "\n  {}\n    {fault}", text(&node["html"])).expect("a string");
        }
    }
    told
}
