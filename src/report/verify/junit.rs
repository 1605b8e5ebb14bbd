//! Verified goldens as a JUnit report.

use std::time::Duration;

use crate::analysis::Verdict;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::report::style::{printable, without_colours};
use crate::report::verify::VerifiedGolden;
use crate::scene::printable::in_xml;

/// What all test cases are of.
const CLASS: &str = "physim.verify";

/// What a test case is of: with its list, for two lists may have a program of the same name.
fn class_name(golden: &VerifiedGolden) -> String {
    golden.list.as_ref().map_or_else(|| CLASS.to_owned(), |list| format!("{CLASS} {}", printable(list)))
}

/// The goldens so far: one test case each.
pub struct Suite(TestSuite);

impl Suite {
    /// No goldens yet.
    pub fn new() -> Self {
        Self(TestSuite::new("physim verify"))
    }

    /// Adds a golden: a failure when it differs, an error when it is damaged or a program failed.
    pub fn add(&mut self, golden: &VerifiedGolden) {
        let status = match golden.verdict() {
            Verdict::Same => TestCaseStatus::success(),
            verdict => {
                let is_error = matches!(verdict, Verdict::Damaged | Verdict::Failed);
                let kind = if is_error { NonSuccessKind::Error } else { NonSuccessKind::Failure };
                let mut sentences = golden.sentences();
                sentences.extend(Some(without_colours(&golden.diagnosis_text())).filter(|text| !text.is_empty()));
                let mut status = TestCaseStatus::non_success(kind);
                status.set_type(verdict.name());
                if let Some(first) = sentences.first() {
                    status.set_message(first.as_str());
                }
                status.set_description(in_xml(sentences.join("\n").trim_end()));
                status
            }
        };
        let mut case = TestCase::new(printable(&golden.name), status);
        case.set_time(Duration::try_from_secs_f64(golden.seconds).unwrap_or_default());
        let told: Vec<String> = golden.planted().into_iter().chain(golden.warnings().iter().cloned()).collect();
        if !told.is_empty() {
            case.set_system_out(told.iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n"));
        }
        case.set_classname(class_name(golden));
        self.0.add_test_case(case);
    }

    /// The report as XML, after so much time.
    pub fn finish(self, elapsed: Duration) -> String {
        let Self(mut suite) = self;
        suite.set_time(elapsed);
        let mut report = Report::new("physim");
        report.set_time(elapsed);
        report.add_test_suite(suite);
        // Writing to memory fails only where the writer is at fault.
        report.to_string().unwrap_or_default()
    }
}
