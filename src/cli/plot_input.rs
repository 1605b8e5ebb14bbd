//! What a file is that `physim plot` was given and that is not a replay.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::report::program::command;
use crate::report::run::quoted;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Nothing is in it.
    Empty,
    /// A scene in RON.
    Scene,
    /// A recording by another program, or for one.
    OtherMcap,
    /// What `physim sweep` writes.
    SweepTable,
    /// A table with rows for each body.
    BodyTable,
    /// A table, as far as can be seen.
    Table,
}

impl InputKind {
    /// What a file is that begins like this.
    pub fn of(path: &Path, start: &[u8]) -> Self {
        let text = String::from_utf8_lossy(start);
        let columns: Vec<&str> = text.lines().next().unwrap_or("").split(',').map(str::trim).collect();
        match columns.as_slice() {
            _ if start.is_empty() => Self::Empty,
            _ if start.starts_with(b"\x89MCAP") => Self::OtherMcap,
            ["run", "sweep", ..] => Self::SweepTable,
            _ if text.starts_with("{\"schema\":1,\"run\":") => Self::SweepTable,
            ["step", "time", "body", ..] => Self::BodyTable,
            _ if path.extension().is_some_and(|ending| ending == "ron") || text.trim_start().starts_with('(') => {
                Self::Scene
            }
            _ => Self::Table,
        }
    }

    /// Refuses what cannot be drawn, and says what to do.
    pub fn check(self, name: &str) -> Result<(), Failure> {
        let what = match self {
            Self::BodyTable | Self::Table => return Ok(()),
            Self::Empty => "it is empty; record the run again".to_owned(),
            Self::Scene => {
                let record = command(&format!("run {} -o run.mcap", quoted(name)));
                format!("this is a scene; record it first, `{record}`, and plot run.mcap")
            }
            Self::OtherMcap => {
                "this is an MCAP file, but no replay of physim (an export for Foxglove, say); plot the replay it was made of"
                    .to_owned()
            }
            Self::SweepTable => {
                "this is the table of a sweep, which has no steps; its results are drawn by the same `sweep` command with \
                 `--plot FILE.svg --what COLUMN`"
                    .to_owned()
            }
        };
        let told = format!("{name}: {what}");
        // As the other commands have it: what ought to be a replay, and cannot be read as one, is damaged.
        Err(if matches!(self, Self::Empty | Self::OtherMcap) {
            Failure::Unreadable(told)
        } else {
            Failure::Usage(told)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::InputKind;

    #[test]
    fn files_are_known_by_how_they_begin() {
        let kind = |name: &str, head: &[u8]| InputKind::of(Path::new(name), head);
        assert_eq!(kind("a.csv", b""), InputKind::Empty);
        assert_eq!(kind("a.mcap", b"\x89MCAP0\r\n"), InputKind::OtherMcap);
        assert_eq!(kind("a.csv", b"run,sweep,seed\n"), InputKind::SweepTable);
        assert_eq!(kind("a.jsonl", b"{\"schema\":1,\"run\":0"), InputKind::SweepTable);
        assert_eq!(kind("a.csv", b"step,time,body,px\n"), InputKind::BodyTable);
        assert_eq!(kind("a.csv", b"step,time,kinetic\n"), InputKind::Table);
        assert_eq!(kind("a.ron", b"// a scene"), InputKind::Scene);
        assert_eq!(kind("a", b"(version: 1"), InputKind::Scene);
    }
}
