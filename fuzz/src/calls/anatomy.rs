//! What shapes are made of.

use wobble::capi::anatomy::*;
use wobble::capi::defs::{WobbleClusterPlane, WobbleMembership};
use wobble::capi::handles::WobbleShape;

use super::shape::info;
use crate::driver::Driver;
use crate::{api, ask};

fn particles(driver: &Driver, shape: WobbleShape) -> u32 {
    info(driver, shape).map_or(0, |info| info.particles)
}

/// A level, and how many clusters it has.
fn level(driver: &mut Driver, shape: WobbleShape) -> (u32, u32) {
    let clusters = info(driver, shape).map_or(Vec::new(), |info| info.clusters.clone());
    let level = driver.index(clusters.len() as u32);
    (level, clusters.get(level as usize).copied().unwrap_or(0))
}

pub(super) fn is_nested(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(nested) = ask!(driver, wobble_shape_is_nested(shape) -> u32) {
        driver.ensure(nested <= 1, || format!("nested is {nested}"));
    }
}

pub(super) fn spacing(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(spacing) = ask!(driver, wobble_shape_spacing(shape) -> f32) {
        driver.ensure(spacing >= 0.0 && spacing.is_finite(), || format!("spacing is {spacing}"));
    }
}

pub(super) fn pin_count(driver: &mut Driver) {
    let shape = driver.shape();
    ask!(driver, wobble_shape_pin_count(shape) -> u32);
}

pub(super) fn pins(driver: &mut Driver) {
    let shape = driver.shape();
    let count = particles(driver, shape);
    let list = driver.list_out::<u32>(0, count);
    let found = ask!(driver, wobble_shape_pins(shape, list.pointer, list.capacity) -> u32);
    let pins = list.take(driver, found);
    let ascending = pins.is_sorted_by(|a, b| a < b) && pins.last().is_none_or(|last| *last < count);
    driver.ensure(ascending, || format!("{pins:?} are pinned"));
}

pub(super) fn masses(driver: &mut Driver) {
    let shape = driver.shape();
    let count = particles(driver, shape);
    let array = driver.array_out(count, 4);
    let status = api!(driver, wobble_shape_masses(shape, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 4);
}

pub(super) fn cluster_widths(driver: &mut Driver) {
    let shape = driver.shape();
    let (level, count) = level(driver, shape);
    let array = driver.array_out(count, 4);
    let status =
        api!(driver, wobble_shape_cluster_widths(shape, level, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 4);
}

pub(super) fn membership_count(driver: &mut Driver) {
    let shape = driver.shape();
    let (level, clusters) = level(driver, shape);
    if let Some(count) = ask!(driver, wobble_shape_membership_count(shape, level) -> u32) {
        driver.ensure(count >= clusters, || format!("{count} memberships of {clusters} clusters"));
    }
}

pub(super) fn memberships(driver: &mut Driver) {
    let shape = driver.shape();
    let (level, clusters) = level(driver, shape);
    let known = clusters > 0;
    let count = if known {
        driver.calmly(|d| ask!(d, wobble_shape_membership_count(shape, level) -> u32)).unwrap_or(0)
    } else {
        0
    };
    let list = driver.list_out::<WobbleMembership>(count, count);
    let found = ask!(driver, wobble_shape_memberships(shape, level, list.pointer, list.capacity) -> u32);
    let sound = |m: &WobbleMembership| m.cluster < clusters && (0.0..=1.0001).contains(&m.weight);
    let all = list.take(driver, found).iter().all(sound);
    driver.ensure(all && found.is_none_or(|n| n == count), || "memberships that cannot be".into());
}

pub(super) fn plane_count(driver: &mut Driver) {
    let shape = driver.shape();
    let clusters = info(driver, shape).map_or(0, |info| info.clusters.first().copied().unwrap_or(0));
    if let Some(count) = ask!(driver, wobble_shape_plane_count(shape) -> u32) {
        driver.ensure(count <= 6 * clusters, || format!("{count} planes of {clusters} clusters"));
    }
}

pub(super) fn planes(driver: &mut Driver) {
    let shape = driver.shape();
    let clusters = info(driver, shape).map_or(0, |info| info.clusters.first().copied().unwrap_or(0));
    let list = driver.list_out::<WobbleClusterPlane>(0, 6 * clusters);
    let found = ask!(driver, wobble_shape_planes(shape, list.pointer, list.capacity) -> u32);
    let sound = |p: &WobbleClusterPlane| p.cluster < clusters && p.offset.is_finite();
    let all = list.take(driver, found).iter().all(sound);
    driver.ensure(all, || "planes that cannot be".into());
}
