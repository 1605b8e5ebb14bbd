//! Filters of a scene with their categories as bits.

use crate::scene::error::{Problem, SceneError, listed, quoted};
use crate::scene::model::{self, Scene};
use crate::scene::nearest::nearest_hint;
use crate::scene::path::Path;

/// A filter whose categories are bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedFilter {
    /// The categories that a shape belongs to.
    pub category: u32,
    /// The categories that it meets.
    pub mask: u32,
    /// Its group.
    pub group: i32,
}

impl ResolvedFilter {
    /// Of no category but the default one, and meeting all.
    pub const PLAIN: Self = Self { category: DEFAULT_BIT, mask: u32::MAX, group: 0 };
}

/// The category of what is given none.
pub(super) const DEFAULT_CATEGORY: &str = "default";
/// Its bit; those of the scene's categories follow.
const DEFAULT_BIT: u32 = 1;
/// Categories of a scene, at most: beside the default one, a bit each of 32.
pub(super) const MAX_CATEGORIES: usize = 31;

/// The filter that is written at a path.
pub(super) fn resolve_filter(scene: &Scene, filter: &model::Filter, path: &Path) -> Result<ResolvedFilter, Problem> {
    let model::Filter { category, mask, group } = filter;
    let bits_at = |names: &[String], key: &'static str| category_bits(scene, names, &path.key(key));
    Ok(ResolvedFilter {
        category: if category.is_empty() { DEFAULT_BIT } else { bits_at(category, "category")? },
        mask: mask.as_ref().map_or(Ok(u32::MAX), |mask| bits_at(mask, "mask"))?,
        group: *group,
    })
}

/// What a question sees, with categories as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedQueryFilter {
    /// The categories that are seen.
    pub sees: u32,
    /// The bodies that are not.
    pub except: Vec<String>,
    /// Whether sensors are.
    pub sensors: bool,
}

impl ResolvedQueryFilter {
    /// What a question to this scene sees.
    ///
    /// # Errors
    /// When it names a category that the scene does not have.
    pub fn of(scene: &Scene, filter: &model::QueryFilter) -> Result<Self, SceneError> {
        let model::QueryFilter { sees, except, sensors } = filter;
        let bits = sees.as_ref().map_or(Ok(u32::MAX), |sees| category_bits(scene, sees, &Path::root().key("sees")));
        let sees = bits.map_err(|problem| SceneError::without_text(vec![problem]))?;
        Ok(Self { sees, except: except.clone(), sensors: *sensors })
    }
}

/// The bits of some categories.
pub(super) fn category_bits(scene: &Scene, names: &[String], path: &Path) -> Result<u32, Problem> {
    names.iter().enumerate().try_fold(0, |bits, (place, name)| Ok(bits | bit(scene, name, &path.index(place))?))
}

fn bit(scene: &Scene, name: &str, path: &Path) -> Result<u32, Problem> {
    if name == DEFAULT_CATEGORY {
        return Ok(DEFAULT_BIT);
    }
    let place = scene.categories.iter().take(MAX_CATEGORIES).position(|category| category == name);
    place.map(|place| DEFAULT_BIT << (place + 1)).ok_or_else(|| {
        let names = || scene.categories.iter().map(String::as_str);
        let choice = if scene.categories.is_empty() {
            format!("the scene has no `categories`: add `categories: [\"{}\"]`", name.escape_debug())
        } else {
            format!("the scene's categories are {}, and what is none of these is \"default\"", listed(names()))
        };
        Problem::new(path.clone(), format!("unknown category {}", quoted(name)))
            .expected("the scene has no category of this name")
            .hint(nearest_hint(name, names()))
            .hint(choice)
    })
}
