//! The machine that measures.

use crate::analysis::benchmark::Machine;

use crate::cli::options::available_threads;

/// Where Linux describes its processors.
const PROCESSORS: &str = "/proc/cpuinfo";

/// This machine, as far as it can be known.
pub fn this() -> Machine {
    Machine {
        system: std::env::consts::OS.to_owned(),
        architecture: std::env::consts::ARCH.to_owned(),
        processor: std::fs::read_to_string(PROCESSORS).ok().and_then(|text| processor(&text)),
        threads: available_threads().get(),
    }
}

/// The name of the first processor.
fn processor(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::processor;

    #[test]
    fn the_processor_is_called_as_the_system_calls_it() {
        let text =
            "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some  CPU @ 2 GHz \nflags\t: sse2\nmodel name\t: Other\n";
        assert_eq!(processor(text).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(processor("model name\t:\n"), None);
        assert_eq!(processor(""), None);
    }
}
