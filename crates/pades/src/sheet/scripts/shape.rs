//! The glyphs of a piece, from left to right.

use std::ops::Range;

use harfrust::{Buffer, ClusterLevel, Direction, ShapeOptions, ShaperFont};

use super::face::Face;
use super::is_joiner;

/// A glyph and its place, in thousandths of the font's size.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Shaped {
    pub(in super::super) glyph: u16,
    pub(in super::super) advance: f64,
    pub(in super::super) right: f64,
    pub(in super::super) up: f64,
}

/// Glyphs that stand for a part of the text together.
#[derive(Debug, Clone)]
pub(in super::super) struct Cluster {
    pub(in super::super) glyphs: Vec<Shaped>,
    pub(in super::super) text: Range<usize>,
}

/// The glyphs of a text of one direction, from left to right.
pub(in super::super) fn shape(face: &Face, text: &str, rtl: bool) -> Vec<Cluster> {
    let Some(font) = face.font() else {
        return Vec::new();
    };
    let mut buffer = Buffer::new();
    buffer.push_str(text);
    buffer.set_direction(if rtl {
        Direction::RightToLeft
    } else {
        Direction::LeftToRight
    });
    buffer.set_cluster_level(ClusterLevel::MonotoneCharacters);
    buffer.guess_segment_properties();
    if harfrust::shape(&ShaperFont::new(font), &mut buffer, ShapeOptions::new()).is_err() {
        return Vec::new();
    }
    let scale = 1000.0 / f64::from(font.units_per_em().max(1));
    let mut clusters: Vec<Cluster> = Vec::new();
    for (info, place) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
        let shaped = Shaped {
            glyph: u16::try_from(info.glyph_id).unwrap_or_default(),
            advance: f64::from(place.x_advance) * scale,
            right: f64::from(place.x_offset) * scale,
            up: f64::from(place.y_offset) * scale,
        };
        let start = info.cluster as usize;
        match clusters.last_mut() {
            Some(cluster) if cluster.text.start == start => cluster.glyphs.push(shaped),
            _ => clusters.push(Cluster {
                glyphs: vec![shaped],
                text: start..start,
            }),
        }
    }
    // The text of a cluster ends where the next one in reading order begins.
    let mut end = text.len();
    let mut set_end = |cluster: &mut Cluster| {
        cluster.text.end = end;
        end = cluster.text.start;
    };
    if rtl {
        clusters.iter_mut().for_each(&mut set_end);
    } else {
        clusters.iter_mut().rev().for_each(&mut set_end);
    }
    // A joiner has done its work, and has nothing to be drawn.
    clusters.retain(|cluster| {
        !text
            .get(cluster.text.clone())
            .unwrap_or_default()
            .chars()
            .all(is_joiner)
    });
    clusters
}
