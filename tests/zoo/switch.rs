/// Whether a bug of the zoo is on: it is in the program that lies in a folder of its name.
macro_rules! zoo {
    ($bug:literal) => {{
        static ON: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            let program = std::env::current_exe().unwrap_or_default();
            program.parent().and_then(std::path::Path::file_name).is_some_and(|folder| folder == $bug)
        });
        *ON
    }};
}

