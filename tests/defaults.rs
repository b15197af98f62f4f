//! The defaults that the C interface's words tell are those that its init functions fill in.

#![cfg(feature = "capi")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use wobble::capi::{
    attach::*, body::*, breaking::*, collider::*, field::*, lasting::*, material::*, mesh::*, particles::*,
    shape::*, skin::*, solid::*, status::*, world::*,
};

/// A struct as its init function fills it, in the words of `Debug`.
fn filled<T: Debug>(init: unsafe extern "C" fn(*mut T, u32) -> WobbleStatus) -> String {
    let mut value = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: there is room for the struct; done, all of it is written.
    unsafe {
        assert_eq!(init(value.as_mut_ptr(), size_of::<T>() as u32), WOBBLE_STATUS_OK);
        format!("{:?}", value.assume_init())
    }
}

fn all_filled() -> Vec<String> {
    vec![
        filled(wobble_attachment_def_init),
        filled(wobble_joint_def_init),
        filled(wobble_drag_def_init),
        filled(wobble_body_def_init),
        filled(wobble_fracture_init),
        filled(wobble_collider_def_init),
        filled(wobble_field_def_init),
        filled(wobble_plasticity_init),
        filled(wobble_material_init),
        filled(wobble_mesh_def_init),
        filled(wobble_sampling_def_init),
        filled(wobble_particles_def_init),
        filled(wobble_shape_def_init),
        filled(wobble_skin_buffers_init),
        filled(wobble_solid_def_init),
        filled(wobble_world_def_init),
    ]
}

fn source() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/capi");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.is_file()).map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// By struct and field, the words about each field that has a default.
fn words(source: &str) -> BTreeMap<(&str, &str), String> {
    let (mut all, mut name, mut words) = (BTreeMap::new(), "", String::new());
    for line in source.lines() {
        if let Some(found) = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_suffix(" {")) {
            name = found;
        }
        if let Some(more) = line.strip_prefix("    /// ") {
            words += more;
        } else {
            let told = std::mem::take(&mut words);
            let field = line.strip_prefix("    pub ").and_then(|rest| rest.split_once(": "));
            if let Some((field, _)) =
                field.filter(|_| told.replace("the default material", "").contains("efault"))
            {
                all.insert((name, field), told);
            }
        }
    }
    all
}

/// What the words say the default is: numbers, one for each or one for all.
fn told(words: &str, source: &str) -> Option<Vec<f64>> {
    let phrase = phrase(words)?;
    if let Some((vector, _)) = phrase.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        return vector.split(", ").map(|number| number.parse().ok()).collect();
    }
    let phrase = phrase.split([';', ':', ',']).next()?.split(". ").next()?.trim_end_matches('.');
    match phrase {
        "zero" | "the origin" | "null" | "Null" => Some(vec![0.0]),
        "not at all" => Some(vec![0.0, 0.0, 0.0, 1.0]),
        "all" => Some(vec![f64::from(u32::MAX)]),
        _ => constant(words, phrase, source).or_else(|| Some(vec![phrase.split(' ').next()?.parse().ok()?])),
    }
}

/// The part of the words that begins with the default.
fn phrase(words: &str) -> Option<&str> {
    if let Some((before, _)) = words.split_once(" (the default)") {
        return before.rsplit(' ').next();
    }
    match words.split_once(", the default") {
        Some((before, _)) => before.rsplit(". ").next(),
        None => words.split_once("efault ").map(|(_, after)| after),
    }
}

/// The value of a constant of which the words tell the family and the default the last part.
fn constant(words: &str, default: &str, source: &str) -> Option<Vec<f64>> {
    let family = words.split_once(" constant")?.0.rsplit(' ').next()?;
    let name = format!("pub const {family}{}: u32 = ", default.to_uppercase().replace(' ', "_"));
    let (_, value) = source.split_once(&name)?;
    value.split_once(';')?.0.parse().ok().map(|number| vec![number])
}

/// The numbers of a field in the words of `Debug`; a null pointer and nothing are 0.
fn numbers(debug: &str, field: &str) -> Vec<f64> {
    let (_, rest) = debug.split_once(&format!(" {field}: ")).unwrap();
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0 || depth == 0 && c == ','
    });
    let tokens = rest[..end.unwrap()].split([' ', ',', '{', '}']);
    tokens
        .filter_map(|token| if matches!(token, "0x0" | "None") { Some(0.0) } else { token.parse().ok() })
        .collect()
}

#[test]
fn every_default_that_is_told_is_the_one_that_is_filled_in() {
    let (source, filled) = (source(), all_filled());
    let words = words(&source);
    assert!(words.len() > 80, "only {} fields tell a default", words.len());
    let mut wrong = Vec::new();
    for ((name, field), words) in &words {
        let Some(debug) = filled.iter().find(|debug| debug.starts_with(&format!("{name} {{"))) else {
            wrong.push(format!("{name} tells a default of {field} and is not tried here"));
            continue;
        };
        let (told, found) = (told(words, &source), numbers(debug, field));
        let fits = told.as_ref().is_some_and(|told| *told == found || found.iter().all(|n| told == &[*n]));
        if found.is_empty() || !fits {
            wrong.push(format!("{name}.{field} is {found:?}, told is {told:?}: {words}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
