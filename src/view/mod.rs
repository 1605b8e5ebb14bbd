//! The page of `physim view`: one self-contained HTML file that plays one run, or two laid over each other.
//!
//! A [`film`] is what the page knows of a run: gathered in one pass, thinned out until it fits ([`fit`]), written as
//! columns of small numbers ([`mod@column`]). The page itself is JavaScript (`assets/viewer/`); [`page`] puts both together.
//! Nothing in here opens files, prints, or knows the clock.

pub mod column;
pub mod contact_tracks;
pub mod difference;
pub mod film;
pub mod fit;
pub mod header;
mod modules;
pub mod page;
pub mod shape;
