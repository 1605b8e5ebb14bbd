//! Which meshes stand where.

use crate::scene::gltf::document::{Document, entry};
use crate::scene::gltf::transform::Transform;
use crate::scene::hull_file::Wrong;

/// A mesh where it stands.
pub(super) struct Instance {
    pub(super) mesh: u32,
    /// The node that has it, if one does.
    node: Option<u32>,
    pub(super) transform: Transform,
}

impl Instance {
    /// How messages call who has the mesh.
    pub(super) fn name(&self) -> String {
        self.node.map_or_else(|| "it".to_owned(), node_name)
    }
}

fn node_name(number: u32) -> String {
    format!("nodes[{number}]")
}

/// The meshes of the scene that is to be shown first, or else of the first one, each as often as a node has it. Where there are no scenes,
/// the file is a collection of meshes: each once.
pub(super) fn instances(document: &Document<'_>) -> Result<Vec<Instance>, Wrong> {
    let (number, by) = match document.scene {
        Some(number) => (number, "`scene`"),
        None if document.scenes.is_empty() => {
            let alone = |mesh| Instance { mesh, node: None, transform: Transform::IDENTITY };
            return Ok((0..document.meshes.len() as u32).map(alone).collect());
        }
        None => (0, "it"),
    };
    let scene = entry(&document.scenes, "scenes", number, || by.to_owned())?;
    let mut walk = Walk { document, is_known: vec![false; document.nodes.len()], open: Vec::new() };
    walk.open_all(&scene.nodes, &Transform::IDENTITY, || format!("scenes[{number}]"))?;
    let mut found = Vec::new();
    // No recursion: how deep nodes lie in each other is up to the file.
    while let Some((number, transform)) = walk.open.pop() {
        let node = entry(&document.nodes, "nodes", number, || node_name(number))?;
        if let Some(mesh) = node.mesh
            && !transform.is_nothing()
        {
            found.push(Instance { mesh, node: Some(number), transform });
        }
        walk.open_all(&node.children, &transform, || node_name(number))?;
    }
    Ok(found)
}

/// On the way over the nodes.
struct Walk<'a> {
    document: &'a Document<'a>,
    is_known: Vec<bool>,
    /// Still to be seen, the next one last.
    open: Vec<(u32, Transform)>,
}

impl Walk<'_> {
    /// Opens nodes that stand in something. One that is already known has two parents, or is its own: there would be no end to it.
    fn open_all(&mut self, nodes: &[u32], parent: &Transform, by: impl Fn() -> String) -> Result<(), Wrong> {
        let first = self.open.len();
        for &number in nodes {
            let node = entry(&self.document.nodes, "nodes", number, &by)?;
            if std::mem::replace(&mut self.is_known[number as usize], true) {
                let why = format!("{} names nodes[{number}], which has another place already", by());
                return Err((why, "nodes are a tree, in which each has one parent; export it once more"));
            }
            self.open.push((number, parent.then(&Transform::of(node, || node_name(number))?)));
        }
        self.open[first..].reverse();
        Ok(())
    }
}
