//! What bodies and colliders bring to a contact: friction, restitution, whom they meet and how.

use crate::error::{Error, within};

/// How the friction and restitution of two partners make one. Where two rules meet, the later
/// one of this list holds.
///
/// ```
/// use wobble::{Combine, Surface};
///
/// // Glue: whatever touches it has its friction.
/// let glue = Surface { friction: 5.0, combine: Combine::Maximum, ..Surface::default() };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Combine {
    /// The geometric mean of the frictions and the greater restitution, so that ice is slippery to
    /// everything and a ball that bounces does so everywhere. Other engines do the same.
    #[default]
    Natural,
    /// The mean of both.
    Average,
    /// The lesser one.
    Minimum,
    /// The product.
    Multiply,
    /// The greater one.
    Maximum,
}

/// How a body or collider behaves where it is touched.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Surface;
///
/// world.body_mut(id)?.set_surface(Surface { friction: 0.05, ..Surface::default() })?; // a wet soap
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coulomb friction, 0 or more; default 0.5.
    pub friction: f32,
    /// Share of the approach speed that a particle leaves with, 0 to 1; default 0.
    pub restitution: f32,
    /// How both are combined with the partner's; default [`Combine::Natural`].
    pub combine: Combine,
}

impl Default for Surface {
    fn default() -> Self {
        Surface { friction: 0.5, restitution: 0.0, combine: Combine::Natural }
    }
}

impl Surface {
    pub(crate) fn check(&self) -> Result<(), Error> {
        within("friction", self.friction, 0.0, 1e6, "from 0 to 1e6")?;
        within("restitution", self.restitution, 0.0, 1.0, "from 0 to 1")
    }

    /// Friction and restitution where two surfaces meet; the same whoever is asked.
    pub(crate) fn with(&self, other: &Surface) -> (f32, f32) {
        let (friction, restitution) =
            ([self.friction, other.friction], [self.restitution, other.restitution]);
        let both = |rule: fn(f32, f32) -> f32| {
            (rule(friction[0], friction[1]), rule(restitution[0], restitution[1]))
        };
        match self.combine.max(other.combine) {
            Combine::Natural => ((friction[0] * friction[1]).sqrt(), restitution[0].max(restitution[1])),
            Combine::Average => both(|a, b| 0.5 * (a + b)),
            Combine::Minimum => both(f32::min),
            Combine::Multiply => both(|a, b| a * b),
            Combine::Maximum => both(f32::max),
        }
    }
}

/// How a body touches other bodies, and itself.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Touch;
///
/// world.body_mut(id)?.set_touch(Touch { itself: true, ..Touch::default() })?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Share of an overlap that goes in a substep, CC's γ, 0 to 1; of two bodies the mean counts. What came in
    /// the same substep goes at once. Stiff bodies, whose pull would make speed of it, part more slowly: at α = 1 by 1 m/s at most.
    /// Default 0.4: more throws apart what begins inside each other, less leaves bodies inside each other that were
    /// pressed together hard.
    pub parting: f32,
    /// Whether parts of the body touch each other; default not. Costs about as much as a second body there.
    pub itself: bool,
    /// Whether the body is touched at its clusters' proxies, spheres cut by planes, and not at its surface;
    /// default not. Proxies are lumpy.
    pub proxies: bool,
}

impl Default for Touch {
    fn default() -> Self {
        Touch { parting: 0.4, itself: false, proxies: false }
    }
}

impl Touch {
    pub(crate) fn check(&self) -> Result<(), Error> {
        within("parting", self.parting, 0.0, 1.0, "from 0 to 1")
    }
}

/// Whom a body or collider meets: two meet if each one's group has a bit in the other's mask.
///
/// ```
/// use wobble::Groups;
///
/// let (player, ghost) = (Groups { group: 1, mask: 1 }, Groups { group: 2, mask: u32::MAX });
///
/// assert!(!player.meet(&ghost), "both sides must want to");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The groups it is in, a bit for each; default the first.
    pub group: u32,
    /// The groups it meets; default all.
    pub mask: u32,
}

impl Default for Groups {
    fn default() -> Self {
        Groups { group: 1, mask: u32::MAX }
    }
}

/// ```
/// use wobble::Groups;
///
/// let (player, ghost) = (Groups { group: 1, mask: 1 }, Groups { group: 2, mask: u32::MAX });
///
/// assert!(ghost.meet(&ghost) && !ghost.meet(&player));
/// ```
impl Groups {
    /// Whether the two meet.
    pub fn meet(&self, other: &Groups) -> bool {
        self.group & other.mask != 0 && other.group & self.mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_rule_of_two_holds_whoever_is_asked() {
        let rules =
            [Combine::Natural, Combine::Average, Combine::Minimum, Combine::Multiply, Combine::Maximum];
        let surface = |friction, restitution, combine| Surface { friction, restitution, combine };
        let expected = [(0.5, 1.0), (0.625, 0.75), (0.25, 0.5), (0.25, 0.5), (1.0, 1.0)];
        for (i, &mine) in rules.iter().enumerate() {
            for (j, &yours) in rules.iter().enumerate() {
                let (a, b) = (surface(0.25, 0.5, mine), surface(1.0, 1.0, yours));
                assert_eq!(a.with(&b), expected[i.max(j)]);
                assert_eq!(b.with(&a), expected[i.max(j)]);
            }
        }
    }

    #[test]
    fn two_meet_only_if_both_want_to() {
        let groups = |group, mask| Groups { group, mask };
        assert!(Groups::default().meet(&Groups::default()));
        assert!(groups(1, 2).meet(&groups(2, 1)));
        assert!(!groups(1, 2).meet(&groups(2, 2)) && !groups(2, 2).meet(&groups(1, 2)));
        assert!(!groups(0, u32::MAX).meet(&Groups::default()));
    }
}
