//! Collision planes.

use super::defs::WobblePlaneDef;
use super::guard::call;
use super::handles::{self, WobblePlane, WobbleWorld};
use super::memory::{self, out};
use super::status::{Failure, WOBBLE_STATUS_STALE_HANDLE, WobbleStatus};
use crate::collide::plane::Plane;

/// Fills a definition with the defaults: the ground, y = 0. size is sizeof(WobblePlaneDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_plane_def_init(def: *mut WobblePlaneDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, Plane::default().into(), "def"))
}

/// Adds a plane to a world. def may be null for the ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_plane_create(
    world: WobbleWorld,
    def: *const WobblePlaneDef,
    out_plane: *mut WobblePlane,
) -> WobbleStatus {
    call(|| {
        let out = out(out_plane, "out_plane")?;
        let standard = WobblePlaneDef::from(Plane::default());
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
        let cell = handles::world(world)?;
        let id = cell.with(|w| Ok(w.add_plane(&def.into())?))?;
        out.write(handles::plane_handle(cell.place(), id.number()));
        Ok(())
    })
}

/// Removes a plane.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_plane_destroy(plane: WobblePlane) -> WobbleStatus {
    call(|| {
        let named = handles::plane(plane)?;
        named.cell.with(|w| {
            let id = w.plane_id(named.plane());
            w.remove_plane(id).map_err(|_| {
                let sentence =
                    format!("the plane with the handle {:#x} was destroyed, or never was", plane.bits);
                Failure::new(WOBBLE_STATUS_STALE_HANDLE, sentence)
            })
        })
    })
}
