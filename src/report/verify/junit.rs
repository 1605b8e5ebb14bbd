//! Verified replays as a JUnit report.

use crate::analysis::Verdict;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::report::verify::VerifiedReplay;

/// The replays so far: one test case each.
pub struct Suite(TestSuite);

impl Suite {
    /// No replays yet.
    pub fn new() -> Self {
        Self(TestSuite::new("physim verify"))
    }

    /// Adds a replay: a failure when it differs, an error when it is damaged.
    pub fn add(&mut self, replay: &VerifiedReplay) {
        let status = match replay.verdict() {
            Verdict::Same => TestCaseStatus::success(),
            verdict => {
                let kind = if verdict == Verdict::Damaged { NonSuccessKind::Error } else { NonSuccessKind::Failure };
                let sentences = replay.sentences();
                let mut status = TestCaseStatus::non_success(kind);
                status.set_type(verdict.name());
                if let Some(first) = sentences.first() {
                    status.set_message(first.as_str());
                }
                status.set_description(sentences.join("\n"));
                status
            }
        };
        let mut case = TestCase::new(replay.name.as_str(), status);
        let told: Vec<String> = replay.planted().into_iter().chain(replay.warnings().iter().cloned()).collect();
        if !told.is_empty() {
            case.set_system_out(told.join("\n"));
        }
        case.set_classname("physim.verify");
        self.0.add_test_case(case);
    }

    /// The report as XML.
    pub fn finish(self) -> String {
        let Self(suite) = self;
        let mut report = Report::new("physim");
        report.add_test_suite(suite);
        // Writing to memory fails only where the writer is at fault.
        report.to_string().unwrap_or_default()
    }
}
