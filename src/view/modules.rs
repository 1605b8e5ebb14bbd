//! The modules of the player, in the order in which they need each other: `assets/viewer/modules.txt`.

/// A module: the name it is imported by, and its text.
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Every module; the last one starts the player.
pub(super) const MODULES: [Module; 41] = [
    Module { name: "./three.core.min.js", text: include_str!("../../assets/viewer/vendor/three/three.core.min.js") },
    Module { name: "three", text: include_str!("../../assets/viewer/vendor/three/three.module.min.js") },
    Module { name: "./OrbitControls.js", text: include_str!("../../assets/viewer/vendor/three/OrbitControls.js") },
    Module { name: "./columns.js", text: include_str!("../../assets/viewer/columns.js") },
    Module { name: "./rotation.js", text: include_str!("../../assets/viewer/rotation.js") },
    Module { name: "./film.js", text: include_str!("../../assets/viewer/film.js") },
    Module { name: "./pairs.js", text: include_str!("../../assets/viewer/pairs.js") },
    Module { name: "./measure.js", text: include_str!("../../assets/viewer/measure.js") },
    Module { name: "./palette.js", text: include_str!("../../assets/viewer/palette.js") },
    Module { name: "./store.js", text: include_str!("../../assets/viewer/store.js") },
    Module { name: "./clock.js", text: include_str!("../../assets/viewer/clock.js") },
    Module { name: "./pieces.js", text: include_str!("../../assets/viewer/pieces.js") },
    Module { name: "./framing.js", text: include_str!("../../assets/viewer/framing.js") },
    Module { name: "./ray.js", text: include_str!("../../assets/viewer/ray.js") },
    Module { name: "./overview.js", text: include_str!("../../assets/viewer/overview.js") },
    Module { name: "./bodies.js", text: include_str!("../../assets/viewer/bodies.js") },
    Module { name: "./ground.js", text: include_str!("../../assets/viewer/ground.js") },
    Module { name: "./contacts.js", text: include_str!("../../assets/viewer/contacts.js") },
    Module { name: "./trail.js", text: include_str!("../../assets/viewer/trail.js") },
    Module { name: "./specks.js", text: include_str!("../../assets/viewer/specks.js") },
    Module { name: "./stage.js", text: include_str!("../../assets/viewer/stage.js") },
    Module { name: "./camera.js", text: include_str!("../../assets/viewer/camera.js") },
    Module { name: "./colours.js", text: include_str!("../../assets/viewer/colours.js") },
    Module { name: "./player.js", text: include_str!("../../assets/viewer/player.js") },
    Module { name: "./elements.js", text: include_str!("../../assets/viewer/elements.js") },
    Module { name: "./transport.js", text: include_str!("../../assets/viewer/transport.js") },
    Module { name: "./series.js", text: include_str!("../../assets/viewer/series.js") },
    Module { name: "./chart.js", text: include_str!("../../assets/viewer/chart.js") },
    Module { name: "./list.js", text: include_str!("../../assets/viewer/list.js") },
    Module { name: "./panel.js", text: include_str!("../../assets/viewer/panel.js") },
    Module { name: "./legend.js", text: include_str!("../../assets/viewer/legend.js") },
    Module { name: "./toolbar.js", text: include_str!("../../assets/viewer/toolbar.js") },
    Module { name: "./banner.js", text: include_str!("../../assets/viewer/banner.js") },
    Module { name: "./tags.js", text: include_str!("../../assets/viewer/tags.js") },
    Module { name: "./gizmo.js", text: include_str!("../../assets/viewer/gizmo.js") },
    Module { name: "./keyboard.js", text: include_str!("../../assets/viewer/keyboard.js") },
    Module { name: "./help.js", text: include_str!("../../assets/viewer/help.js") },
    Module { name: "./address.js", text: include_str!("../../assets/viewer/address.js") },
    Module { name: "./api.js", text: include_str!("../../assets/viewer/api.js") },
    Module { name: "./data.js", text: include_str!("../../assets/viewer/data.js") },
    Module { name: "./main.js", text: include_str!("../../assets/viewer/main.js") },
];

#[cfg(test)]
mod tests {
    use super::MODULES;

    #[test]
    fn the_list_is_that_of_the_player() {
        let listed = include_str!("../../assets/viewer/modules.txt");
        let names: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(MODULES.map(|module| module.name).to_vec(), names);
    }

    /// A page gives each module the addresses of those before it: an import of a later one would leave it blank.
    #[test]
    fn a_module_imports_only_from_those_before_it() {
        for (place, module) in MODULES.iter().enumerate() {
            let imports = module.text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from "));
            for import in imports.filter_map(|line| line.split_once(" from '")?.1.split('\'').next()) {
                let known = MODULES[..place].iter().any(|other| other.name == import);
                let is_ours = import.starts_with("./") && MODULES.iter().any(|other| other.name == import);
                assert!(known || !is_ours, "{} imports {import}, which comes after it", module.name);
            }
        }
    }
}
