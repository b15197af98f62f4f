/**
 * @file
 * Wobble: soft bodies for games. MIT OR Apache-2.0.
 *
 * Generated from src/capi by `cargo test -p wobble-bindings`; do not edit.
 *
 * A first host:
 *
 *     WobbleWorld world;
 *     WobbleShape shape;
 *     WobbleBody body;
 *     wobble_world_create(NULL, &world);
 *     wobble_shape_create_from_points(points, count, 0, NULL, 0, NULL, &shape);
 *     wobble_body_create(world, shape, NULL, &body);
 *     for (;;) {
 *         wobble_world_step(world, 1.0f / 60.0f);
 *         wobble_body_positions(body, positions, 0, count);
 *     }
 *
 * Rules that hold for every function:
 * - Units are metres, kilograms, seconds, radians. Particles, levels and clusters count from 0;
 *   particles in the order the points were given in, levels from the finest.
 * - It returns WOBBLE_STATUS_OK or a code; wobble_last_error() then gives a sentence. A call that
 *   is refused has changed nothing and written nothing.
 * - Handles that are null, stale, of another kind or made up are refused. Pointers are checked for
 *   null and alignment; that they lead to memory of the stated size is for the caller to see to.
 * - It may be called from any thread. Calls for one world wait for each other.
 * - Structs that begin with struct_size are filled by their init function first, with sizeof the
 *   struct, so that hosts run with newer libraries.
 * - Inputs are copied. Numbers that are not finite, or larger than 1e9, are refused.
 */


#ifndef WOBBLE_H
#define WOBBLE_H

#include <stdint.h>

/**
 * Done.
 */
#define WOBBLE_STATUS_OK 0

/**
 * A pointer is null that must not be.
 */
#define WOBBLE_STATUS_NULL_POINTER 1

/**
 * The handle is all zero.
 */
#define WOBBLE_STATUS_NULL_HANDLE 2

/**
 * No such object was ever made, or it is of another kind.
 */
#define WOBBLE_STATUS_INVALID_HANDLE 3

/**
 * The object was destroyed.
 */
#define WOBBLE_STATUS_STALE_HANDLE 4

/**
 * A value is out of range, not finite, or an index past the end.
 */
#define WOBBLE_STATUS_INVALID_ARGUMENT 5

/**
 * The caller's buffer does not hold all of the result.
 */
#define WOBBLE_STATUS_BUFFER_TOO_SMALL 6

/**
 * `struct_size` is not that of any version of the struct; was it filled by its init function?
 */
#define WOBBLE_STATUS_STRUCT_SIZE 7

/**
 * The world steps in the background; call wobble_world_step_wait() first.
 */
#define WOBBLE_STATUS_BUSY 8

/**
 * The progress callback asked to stop.
 */
#define WOBBLE_STATUS_CANCELLED 9

/**
 * Bytes to load are damaged.
 */
#define WOBBLE_STATUS_CORRUPT 10

/**
 * Bytes to load are of a format that this library does not read.
 */
#define WOBBLE_STATUS_VERSION 11

/**
 * A snapshot needs a shape that was not given.
 */
#define WOBBLE_STATUS_MISSING_SHAPE 12

/**
 * No material, weighting or the like has that name.
 */
#define WOBBLE_STATUS_UNKNOWN_NAME 13

/**
 * The system has not that much memory for what is to be made, loaded or saved. Steps do not answer this: what they need grows
 * with contacts, and where they find no memory the process ends.
 */
#define WOBBLE_STATUS_OUT_OF_MEMORY 14

/**
 * More objects than can be named.
 */
#define WOBBLE_STATUS_TOO_MANY 15

/**
 * An earlier call failed inside this world; it can only be destroyed.
 */
#define WOBBLE_STATUS_POISONED 16

/**
 * A fault in the library. The world concerned is poisoned, everything else goes on.
 */
#define WOBBLE_STATUS_INTERNAL 17

/**
 * Log lines: worth knowing.
 */
#define WOBBLE_LOG_WARNING 1

/**
 * Log lines: something failed.
 */
#define WOBBLE_LOG_ERROR 2

/**
 * Clustering: random particles become centres.
 */
#define WOBBLE_ALGORITHM_RANDOM 0

/**
 * Clustering: k-means.
 */
#define WOBBLE_ALGORITHM_K_MEANS 1

/**
 * Clustering: fuzzy, with weighted centres. The default.
 */
#define WOBBLE_ALGORITHM_FUZZY 2

/**
 * Membership is the same for all members.
 */
#define WOBBLE_KERNEL_BOX 0

/**
 * Membership falls smoothly to zero at the radius.
 */
#define WOBBLE_KERNEL_POLY6 1

/**
 * A constant share, kernel_parameter (0 or more), plus poly6.
 */
#define WOBBLE_KERNEL_BLEND 2

/**
 * Inverse squared distance; kernel_parameter keeps the centre finite, relative to the radius squared. The default, with 1e-4.
 */
#define WOBBLE_KERNEL_INVERSE_SQUARE 3

/**
 * Fuzzy c-means; kernel_parameter is the fuzziness, greater than 1.
 */
#define WOBBLE_KERNEL_FCM 4

/**
 * Coarser levels cluster the clusters below: several scales at the price of one. The default.
 */
#define WOBBLE_NESTING_NESTED 0

/**
 * Every level clusters all particles.
 */
#define WOBBLE_NESTING_INDEPENDENT 1

/**
 * Stiffness as a frequency, hertz: the look does not depend on the step.
 */
#define WOBBLE_STIFFNESS_HERTZ 0

/**
 * Stiffness as the papers' alpha: the share of the way to the goal in each substep, up to 2.
 */
#define WOBBLE_STIFFNESS_PER_STEP 1

/**
 * Damping as a rate, 1/s.
 */
#define WOBBLE_DAMPING_PER_SECOND 0

/**
 * Damping as the share taken in each substep, 0 to 1.
 */
#define WOBBLE_DAMPING_PER_STEP 1

/**
 * Damping takes deformation only: rigid motion, spin included, goes on.
 */
#define WOBBLE_DAMPING_FORM_RIGID 0

/**
 * Damping takes spin too, as the papers do.
 */
#define WOBBLE_DAMPING_FORM_PAPER 1

/**
 * Rotations that keep angular momentum exactly.
 */
#define WOBBLE_ROTATION_MOMENTUM 0

/**
 * Rotations from the deformation gradient.
 */
#define WOBBLE_ROTATION_STRETCH 1

/**
 * Clusters pull towards a rigid goal.
 */
#define WOBBLE_GOALS_RIGID 0

/**
 * Towards a goal that may stretch and shear, by the share goals_beta.
 */
#define WOBBLE_GOALS_LINEAR 1

/**
 * Towards a goal that may also bend and twist, by the share goals_beta.
 */
#define WOBBLE_GOALS_QUADRATIC 2

/**
 * Friction of a contact is the geometric mean of both sides', restitution the greater one: ice is slippery
 * to everything, and a ball that bounces does so everywhere. The default.
 */
#define WOBBLE_COMBINE_NATURAL 0

/**
 * Both are the means. Where two rules meet, that with the higher number holds.
 */
#define WOBBLE_COMBINE_AVERAGE 1

/**
 * They are the lesser ones.
 */
#define WOBBLE_COMBINE_MINIMUM 2

/**
 * They are the products.
 */
#define WOBBLE_COMBINE_MULTIPLY 3

/**
 * They are the greater ones.
 */
#define WOBBLE_COMBINE_MAXIMUM 4

/**
 * A half-space without end: solid where normal·p < offset. The default.
 */
#define WOBBLE_COLLIDER_PLANE 0

/**
 * A sphere of radius.
 */
#define WOBBLE_COLLIDER_SPHERE 1

/**
 * A box of half_extents.
 */
#define WOBBLE_COLLIDER_BOX 2

/**
 * A cylinder with round ends along y, of half_height (to the centres of its ends) and radius.
 */
#define WOBBLE_COLLIDER_CAPSULE 3

/**
 * A cylinder with flat ends along y, of half_height and radius.
 */
#define WOBBLE_COLLIDER_CYLINDER 4

/**
 * The convex hull of points.
 */
#define WOBBLE_COLLIDER_HULL 5

/**
 * Triangles: points and indices. Solid if they are closed.
 */
#define WOBBLE_COLLIDER_MESH 6

/**
 * Heights over a grid, solid below.
 */
#define WOBBLE_COLLIDER_HEIGHT_FIELD 7

/**
 * Triangles as a surface with two sides, a hair thick, also where they are closed: what is inside stays there, as in a room.
 */
#define WOBBLE_COLLIDER_SURFACE 8

/**
 * The pair did not touch in the step before.
 */
#define WOBBLE_CONTACT_BEGIN 0

/**
 * It touched in the step before, too.
 */
#define WOBBLE_CONTACT_STAY 1

/**
 * It touched in the step before and does not any more.
 */
#define WOBBLE_CONTACT_END 2

/**
 * Particles inside a mesh: a cubic grid.
 */
#define WOBBLE_PATTERN_GRID 0

/**
 * A body-centred cubic grid: eight neighbours at the same distance.
 */
#define WOBBLE_PATTERN_BODY_CENTRED 1

/**
 * Random places that keep their distance: no direction is preferred. The default.
 */
#define WOBBLE_PATTERN_BLUE_NOISE 2

/**
 * Clusters that carry a vertex, at most.
 */
#define WOBBLE_INFLUENCES 8

/**
 * Of this header. A host compares it with wobble_abi_version() to know that it loaded a library
 * that fits. Fields and functions are only ever added while it stays the same.
 */
#define WOBBLE_ABI_VERSION 1

/**
 * In place of a number: there is none.
 */
#define WOBBLE_NONE 4294967295

/**
 * Air that moves with velocity, and drags what moves otherwise. The default.
 */
#define WOBBLE_FIELD_WIND 0

/**
 * A point, centre, that pulls with strength within radius, or pushes if strength is below 0.
 */
#define WOBBLE_FIELD_ATTRACTOR 1

/**
 * A fluid below a plane that lifts what is in it against gravity, and drags it along with velocity.
 */
#define WOBBLE_FIELD_BUOYANCY 2

/**
 * A ball of radius. The default.
 */
#define WOBBLE_SOLID_BALL 0

/**
 * A box of size.
 */
#define WOBBLE_SOLID_BOX 1

/**
 * A cylinder along y that ends in half balls, of radius and height, that of all of it.
 */
#define WOBBLE_SOLID_CAPSULE 2

/**
 * A ring about y: radius to the middle of its tube, which has the radius tube.
 */
#define WOBBLE_SOLID_TORUS 3

/**
 * A cylinder along y of radius and height.
 */
#define WOBBLE_SOLID_CYLINDER 4

/**
 * A gummy bear of height that stands on y = 0 and looks along z.
 */
#define WOBBLE_SOLID_GUMMY_BEAR 5

/**
 * Whatever distance describes between low and high.
 */
#define WOBBLE_SOLID_DISTANCE 6

/**
 * Positions of particles as they are now, metres.
 */
#define WOBBLE_SPACE_WORLD 0

/**
 * Positions in the rest shape, metres from its centre of mass.
 */
#define WOBBLE_SPACE_REST 1

/**
 * What a call answers: `WOBBLE_STATUS_OK` or why it was refused. Codes are never renumbered.
 */
typedef int32_t WobbleStatus;

/**
 * Receives a line for people: what happened in which world or body.
 */
typedef void (*WobbleLogCallback)(uint32_t severity, const char *message, void *user);

/**
 * A point or direction.
 */
typedef struct WobbleVec3 {
    /**
     * Along x.
     */
    float x;
    /**
     * Along y.
     */
    float y;
    /**
     * Along z.
     */
    float z;
} WobbleVec3;

/**
 * How a world is set up. Fill with wobble_world_def_init().
 */
typedef struct WobbleWorldDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Threads that step, the calling one counted; 0 takes all cores. Default 0, at most 256. Results do not depend on it.
     */
    uint32_t threads;
    /**
     * Equal parts that a step is split into, 1 to 64. Default 4. More is stiffer and costs as much more.
     */
    uint32_t substeps;
    /**
     * Acceleration of gravity, m/s². Default (0, -9.81, 0).
     */
    struct WobbleVec3 gravity;
    /**
     * Contacts are reported from this impulse on, N s in a step, 0 to 1e9. Default 0. Pairs that press less count as apart.
     */
    float contact_threshold;
    /**
     * The most contact events of a step, up to 16777216. Default 4096. The weakest beyond are left out.
     */
    uint32_t max_contacts;
    /**
     * 1 if bodies at rest fall asleep, 0 if all stay awake. Default 1. See wobble_world_set_sleeping().
     */
    uint32_t sleeping;
    /**
     * What counts as rest for a body of 1 m, m/s, 0 to 1e6. Default 0.03.
     */
    float sleep_speed;
} WobbleWorldDef;

/**
 * Names a world. Zero is null.
 */
typedef struct WobbleWorld {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleWorld;

/**
 * Where the time of the last step went. Set struct_size before asking for it.
 */
typedef struct WobbleProfile {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Substeps run.
     */
    uint32_t substeps;
    /**
     * Sums and rotations of all clusters, seconds.
     */
    float matching;
    /**
     * What each cluster pulls with, seconds.
     */
    float goals;
    /**
     * Blending, moving and meeting colliders, seconds.
     */
    float integrate;
    /**
     * Strain-limiting rounds, seconds.
     */
    float strain;
    /**
     * The whole step, wall time, seconds.
     */
    float total;
    /**
     * Strain-limiting rounds in which something moved.
     */
    uint32_t strain_rounds;
    /**
     * Cluster fits made by strain limiting.
     */
    uint64_t strain_fits;
    /**
     * Contacts between bodies, seconds.
     */
    float contacts;
    /**
     * Particles that were so near to another body that they might have touched it.
     */
    uint32_t contact_count;
    /**
     * Deformation that becomes lasting, seconds.
     */
    float plasticity;
    /**
     * Replacing clusters of bodies that flowed far, seconds.
     */
    float recluster;
    /**
     * Of that, finding where all would lie without stress, seconds.
     */
    float embed;
    /**
     * Clusters that took the place of others.
     */
    uint32_t new_clusters;
} WobbleProfile;

/**
 * What a world holds. Set struct_size before asking for it.
 */
typedef struct WobbleStatistics {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Bodies.
     */
    uint32_t bodies;
    /**
     * Of these, enabled ones.
     */
    uint32_t enabled;
    /**
     * Of these, frozen because they went out of bounds.
     */
    uint32_t frozen;
    /**
     * Colliders.
     */
    uint32_t colliders;
    /**
     * Threads that step.
     */
    uint32_t threads;
    /**
     * Particles of all bodies.
     */
    uint64_t particles;
    /**
     * Clusters of all levels of all bodies.
     */
    uint64_t clusters;
    /**
     * Memberships that a substep visits when blending.
     */
    uint64_t memberships;
    /**
     * Heap bytes of the bodies.
     */
    uint64_t body_bytes;
    /**
     * Heap bytes of their shapes, each counted once.
     */
    uint64_t shape_bytes;
    /**
     * Bodies that sleep.
     */
    uint32_t sleeping;
    /**
     * Shapes of the bodies, each counted once.
     */
    uint32_t shapes;
} WobbleStatistics;

/**
 * Names a body. Zero is null.
 */
typedef struct WobbleBody {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleBody;

/**
 * Names a rest shape, which any number of bodies in any worlds share. Zero is null.
 */
typedef struct WobbleShape {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleShape;

/**
 * A rotation as a quaternion; need not be of unit length when given.
 */
typedef struct WobbleQuat {
    /**
     * Imaginary part, x.
     */
    float x;
    /**
     * Imaginary part, y.
     */
    float y;
    /**
     * Imaginary part, z.
     */
    float z;
    /**
     * Real part; 1 for no rotation.
     */
    float w;
} WobbleQuat;

/**
 * How a collider is set up. Fill with wobble_collider_def_init(). Fields of other kinds are not looked at.
 */
typedef struct WobbleColliderDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_COLLIDER_ constant. Default plane.
     */
    uint32_t kind;
    /**
     * Of a plane: direction out of the solid, of any length but zero. Default (0, 1, 0).
     */
    struct WobbleVec3 normal;
    /**
     * Of a plane: distance of the surface from the position along the normal, metres. Default 0.
     */
    float offset;
    /**
     * Of a box: from its centre to its faces, metres, 1e-6 to 1e6. Default 0.5 each.
     */
    struct WobbleVec3 half_extents;
    /**
     * Of a capsule or cylinder: half its length along y, round ends not counted, metres. Default 0.5.
     */
    float half_height;
    /**
     * Of a sphere, capsule or cylinder, metres, 1e-6 to 1e6. Default 0.5.
     */
    float radius;
    /**
     * Where it is, metres. Default the origin.
     */
    struct WobbleVec3 position;
    /**
     * How it is turned. Default not at all.
     */
    struct WobbleQuat rotation;
    /**
     * How fast it moves, m/s, at most 1e6 in length. Steps move it on. Default zero.
     */
    struct WobbleVec3 velocity;
    /**
     * How fast it turns about its position, rad/s. Default zero.
     */
    struct WobbleVec3 angular_velocity;
    /**
     * Velocity of its surface against itself, in its own frame, m/s: a conveyor belt. Default zero.
     */
    struct WobbleVec3 conveyor;
    /**
     * Coulomb friction, 0 to 1e6. Default 0.5.
     */
    float friction;
    /**
     * Share of the approach speed that a particle leaves with, 0 to 1. Default 0.
     */
    float restitution;
    /**
     * How both are combined with those of bodies: a WOBBLE_COMBINE_ constant. Default natural.
     */
    uint32_t combine;
    /**
     * The groups it is in, a bit for each. Default 1.
     */
    uint32_t group;
    /**
     * The groups it meets. Default all.
     */
    uint32_t mask;
    /**
     * Of a hull (4 to 1024), mesh or surface: three floats a point, metres. Copied. Default null.
     */
    const float *points;
    /**
     * How many points there are.
     */
    uint32_t point_count;
    /**
     * Bytes from one point to the next; 0 for tightly packed.
     */
    uint32_t point_stride;
    /**
     * Of a mesh or surface: three indices of points a triangle, counted from 0. Copied. Default null.
     */
    const uint32_t *indices;
    /**
     * Of a height field: columns times rows heights along y, row by row, metres. Copied. Default null.
     */
    const float *heights;
    /**
     * How many indices there are: three times the triangles.
     */
    uint32_t index_count;
    /**
     * Of a height field: samples along x, 2 or more.
     */
    uint32_t columns;
    /**
     * Of a height field: samples along z, 2 or more.
     */
    uint32_t rows;
    /**
     * Of a height field: metres between samples along x. The field lies about the position. Default 1.
     */
    float spacing_x;
    /**
     * Of a height field: metres between samples along z. Default 1.
     */
    float spacing_z;
    /**
     * 0 if it is not there at first. Default 1.
     */
    uint32_t enabled;
} WobbleColliderDef;

/**
 * Names a collider. Zero is null.
 */
typedef struct WobbleCollider {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleCollider;

/**
 * A pair that touched in the last step, or parted in it.
 */
typedef struct WobbleContact {
    /**
     * The body; of two bodies the one that comes first in wobble_world_bodies().
     */
    struct WobbleBody body;
    /**
     * The other body; null if it is a collider.
     */
    struct WobbleBody other_body;
    /**
     * The collider; null if it is a body.
     */
    struct WobbleCollider other_collider;
    /**
     * A WOBBLE_CONTACT_ constant.
     */
    uint32_t phase;
    /**
     * The cluster of the body's finest level that is nearest to the point.
     */
    uint32_t cluster;
    /**
     * The middle of the contact, metres, weighted by impulse; at the end, where it was last.
     */
    struct WobbleVec3 point;
    /**
     * The mean direction towards body, of length 1.
     */
    struct WobbleVec3 normal;
    /**
     * Sum of the impulses along the normal over the step, N s; 0 at the end.
     */
    float impulse;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} WobbleContact;

/**
 * What a ray or a search for the closest point found.
 */
typedef struct WobbleHit {
    /**
     * The body; null if it is a collider, or nothing was found.
     */
    struct WobbleBody body;
    /**
     * The collider; null if it is a body, or nothing was found.
     */
    struct WobbleCollider collider;
    /**
     * 1 if something was found; 0 if not, and all else is zero but particle and cluster.
     */
    uint32_t found;
    /**
     * Where, metres; on the surface.
     */
    struct WobbleVec3 point;
    /**
     * Direction out of it at that point, of length 1.
     */
    struct WobbleVec3 normal;
    /**
     * Metres from where the search began, along the ray or straight; below 0 if a search for the closest point began inside.
     */
    float distance;
    /**
     * Of a body, the particle nearest to the point; otherwise WOBBLE_NONE.
     */
    uint32_t particle;
    /**
     * Of a body, the cluster of the finest level that holds this particle most; otherwise WOBBLE_NONE.
     */
    uint32_t cluster;
} WobbleHit;

/**
 * A body or a collider.
 */
typedef struct WobblePartner {
    /**
     * The body; null if it is a collider.
     */
    struct WobbleBody body;
    /**
     * The collider; null if it is a body.
     */
    struct WobbleCollider collider;
} WobblePartner;

/**
 * Particles to be held to the world, or to a frame that the host moves. Fill with
 * wobble_attachment_def_init().
 */
typedef struct WobbleAttachmentDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Where the frame is now, metres: particles keep their place in it. Default the origin.
     */
    struct WobbleVec3 position;
    /**
     * How it is turned. Default not at all.
     */
    struct WobbleQuat rotation;
    /**
     * 0 to hold firmly, which puts what is held back in every substep; above 0, up to 1e4, a damped spring on which the body would swing at that many hertz if it were rigid. Default 0. Springs are stable at any stiffness.
     */
    float hertz;
    /**
     * Damping of the spring, 0 to 100: 1 comes to rest soonest without swinging over. Default 1.
     */
    float damping_ratio;
    /**
     * Newtons: a substep that would need more of the attachment as a whole ends it. 0 for one that does not break. Default 0.
     */
    float break_force;
} WobbleAttachmentDef;

/**
 * Points of two bodies to be held together, or at a distance. Fill with wobble_joint_def_init().
 */
typedef struct WobbleJointDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Where the first body is held, metres, world space. Default the origin.
     */
    struct WobbleVec3 point;
    /**
     * Where the second body is held; may be the same point. Default the origin.
     */
    struct WobbleVec3 other_point;
    /**
     * Particles within this distance of a point take part, those near it more; metres, 0 to 1e9. The nearest takes part in any case. Default 0: that one alone.
     */
    float radius;
    /**
     * Distance to keep between the held places, metres, 0 to 1e9; below 0 for that between them now. Default -1. Held places are means of particles, so they lie within the bodies.
     */
    float length;
    /**
     * 0 to hold firmly; above 0, up to 1e4, a damped spring of that many hertz. Default 0.
     */
    float hertz;
    /**
     * Damping of the spring, 0 to 100. Default 1.
     */
    float damping_ratio;
    /**
     * Newtons: a substep that would need more ends the joint. 0 for one that does not break. Default 0.
     */
    float break_force;
} WobbleJointDef;

/**
 * A point of a body to be dragged, as with a mouse. Fill with wobble_drag_def_init().
 */
typedef struct WobbleDragDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Where the body is taken hold of, metres, world space. Default the origin.
     */
    struct WobbleVec3 point;
    /**
     * Particles within this distance of the point take part, those near it more; metres, 0 to 1e9. The nearest takes part in any case. Default 0: that one alone.
     */
    float radius;
    /**
     * Frequency of the spring, hertz, above 0 to 1e4. Default 5.
     */
    float hertz;
    /**
     * Damping of the spring, 0 to 100. Default 1.
     */
    float damping_ratio;
    /**
     * The most force to drag with, newtons; 0 for any. Default 0. About ten times the weight of the body feels right.
     */
    float max_force;
} WobbleDragDef;

/**
 * Names an attachment: held particles, a joint or a drag. Zero is null.
 */
typedef struct WobbleAttachment {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleAttachment;

/**
 * What a force field does, and on whom. Fill with wobble_field_def_init(). Fields of other kinds are not
 * looked at.
 */
typedef struct WobbleFieldDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_FIELD_ constant. Default wind.
     */
    uint32_t kind;
    /**
     * Of wind and buoyancy: how the air or the fluid moves, m/s. Default zero.
     */
    struct WobbleVec3 velocity;
    /**
     * Of wind and buoyancy: how soon a particle takes the velocity on, 1/s, 0 to 1e6. Default 1.
     */
    float drag;
    /**
     * Of wind: how much it swells and ebbs, as a share of its velocity, 0 to 10. Default 0.
     */
    float gusts;
    /**
     * Of wind: how often, hertz, 0 to 1e3. Default 0.5.
     */
    float gust_hertz;
    /**
     * Of an attractor: where it is, metres. Default the origin.
     */
    struct WobbleVec3 centre;
    /**
     * Of an attractor: acceleration near the centre, m/s², at most 1e9 in size. It falls off smoothly to none at the radius, and within a sixteenth of it. Default 10.
     */
    float strength;
    /**
     * Of an attractor: metres, above 0 to 1e9. Default 10.
     */
    float radius;
    /**
     * Of buoyancy: direction out of the fluid, of any length but zero. Default (0, 1, 0).
     */
    struct WobbleVec3 normal;
    /**
     * Of buoyancy: distance of the surface from the origin along the normal, metres. Default 0.
     */
    float offset;
    /**
     * Of buoyancy: density of the fluid over that of the bodies, 0 to 1e3; above 1 they float. Default 2.
     */
    float density_ratio;
    /**
     * It acts on bodies that are in one of these groups. Default all.
     */
    uint32_t mask;
    /**
     * The only body that it acts on, with which it ends; null for all of the groups. Default null.
     */
    struct WobbleBody body;
} WobbleFieldDef;

/**
 * Names a force field. Zero is null.
 */
typedef struct WobbleField {
    /**
     * Opaque.
     */
    uint64_t bits;
} WobbleField;

/**
 * Told the fraction of a build done, 0 to 1; returns 0 to cancel, anything else to go on. It may
 * call the library, but must not throw or jump out.
 */
typedef uint32_t (*WobbleProgressCallback)(float fraction, void *user);

/**
 * How a shape's levels are built. Fill with wobble_shape_def_init().
 */
typedef struct WobbleShapeDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_ALGORITHM_ constant. Default fuzzy.
     */
    uint32_t algorithm;
    /**
     * A WOBBLE_KERNEL_ constant. Default inverse square.
     */
    uint32_t kernel;
    /**
     * What the kernel's constant says. Default 1e-4.
     */
    float kernel_parameter;
    /**
     * A WOBBLE_NESTING_ constant. Default nested.
     */
    uint32_t nesting;
    /**
     * Particles for each cluster of the finest level, 1 or more. Default 20; good values 15 to 50.
     */
    uint32_t particles_per_cluster;
    /**
     * Clusters of the finest level in place of particles_per_cluster; 0 for none. Default 0.
     */
    uint32_t finest_clusters;
    /**
     * Stop after this many levels, finest first. Default 16, which always reaches the single top cluster; 1 is the classic method.
     */
    uint32_t max_levels;
    /**
     * Cluster radius of the finest level, metres; 0 to have it chosen. Default 0.
     */
    float radius;
    /**
     * Each coarser level's radius over that of the level below, when radius is given; more than 1. Default 2.
     */
    float radius_growth;
    /**
     * Memberships a particle aimed at when the radius is chosen, 1 to 64. Default 4. Memory and time grow with it.
     */
    float overlap;
    /**
     * Rounds of one clustering attempt before its radius grows, 1 or more. Default 300.
     */
    uint32_t max_rounds;
    /**
     * Threads to build with; 0 takes all cores. Default 0. Results do not depend on it.
     */
    uint32_t threads;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * Seed of the random choices. Default 0.
     */
    uint64_t seed;
    /**
     * Called now and then while building; null for none. Default null.
     */
    WobbleProgressCallback progress;
    /**
     * Passed to progress. Default null.
     */
    void *progress_user;
} WobbleShapeDef;

/**
 * What building one level took. Set struct_size before asking for it.
 */
typedef struct WobbleLevelReport {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Clusters of the level.
     */
    uint32_t clusters;
    /**
     * Rounds of clustering over all attempts.
     */
    uint32_t rounds;
    /**
     * 1 if the last attempt converged.
     */
    uint32_t converged;
    /**
     * Radius used, metres.
     */
    float radius;
    /**
     * Mean memberships of what the level clusters: particles, or the clusters below.
     */
    float overlap;
    /**
     * Mean clusters of this level that hold a particle.
     */
    float memberships_per_particle;
    /**
     * Wall time of building the level, seconds; 0 for a shape that was loaded, or torn from another.
     */
    float seconds;
} WobbleLevelReport;

/**
 * A triangle mesh in the host's memory. Fill with wobble_mesh_def_init(), then set what there is.
 * Strides are bytes from one vertex to the next, multiples of 4; 0 for tightly packed. Vertices
 * that are split, for texture coordinates or normals, are one for the physics and stay split.
 */
typedef struct WobbleMeshDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Number of vertices.
     */
    uint32_t vertex_count;
    /**
     * 3 floats a vertex, metres.
     */
    const float *positions;
    /**
     * 3 floats a vertex, of unit length; null to have smooth ones found from the triangles.
     */
    const float *normals;
    /**
     * 4 floats a vertex: a direction of unit length, and 1 or -1 for the side of the bitangent; or null.
     */
    const float *tangents;
    /**
     * Three a triangle, counted from 0, counterclockwise seen from outside.
     */
    const void *indices;
    /**
     * A float a vertex: multiplies the material's stiffness, 0 to 1e6; or null.
     */
    const float *stiffness;
    /**
     * A float a vertex: multiplies the material's damping, 0 to 1e6; or null.
     */
    const float *damping;
    /**
     * A float a vertex, 0 to 1: bodies start with particles of 0.5 and more pinned; or null.
     */
    const float *pin;
    /**
     * A float a vertex: multiplies the density, 1e-6 to 1e6; or null.
     */
    const float *density;
    /**
     * At least 12.
     */
    uint32_t positions_stride;
    /**
     * At least 12.
     */
    uint32_t normals_stride;
    /**
     * At least 16.
     */
    uint32_t tangents_stride;
    /**
     * Number of indices.
     */
    uint32_t index_count;
    /**
     * Bytes of an index, 2 or 4. Default 4.
     */
    uint32_t index_size;
    /**
     * Of the map of stiffness, at least 4.
     */
    uint32_t stiffness_stride;
    /**
     * Of the map of damping.
     */
    uint32_t damping_stride;
    /**
     * Of the map of pins.
     */
    uint32_t pin_stride;
    /**
     * Of the map of density.
     */
    uint32_t density_stride;
    /**
     * Of the map of toughness.
     */
    uint32_t toughness_stride;
    /**
     * A float a vertex: multiplies the toughness of bodies that break, 0.001 to 1e6; or null.
     */
    const float *toughness;
} WobbleMeshDef;

/**
 * How a mesh is filled with particles. Fill with wobble_sampling_def_init().
 */
typedef struct WobbleSamplingDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_PATTERN_ constant. Default blue noise.
     */
    uint32_t pattern;
    /**
     * About this many particles, 4 to 16777216; 0 to go by spacing. Default 5000.
     */
    uint32_t count;
    /**
     * Distance of neighbours, metres, where count is 0.
     */
    float spacing;
    /**
     * 1 for particles on the surface, so that the outline holds; 0 for none. Default 1.
     */
    uint32_t surface;
    /**
     * 1 for particles inside; 0 for a hollow body. Default 1.
     */
    uint32_t fill;
    /**
     * kg/m³, 1e-6 to 1e9. Default 1000, water.
     */
    float density;
    /**
     * Thickness of sheets and hollow bodies, metres, for their mass; 0 for as thick as the spacing.
     */
    float thickness;
    /**
     * Vertices nearer than this share of the mesh's size are one, 0 to 0.1. Default 1e-5.
     */
    float weld;
    /**
     * Not used; 0.
     */
    uint32_t reserved;
    /**
     * Seed of the random choices. Default 0.
     */
    uint64_t seed;
} WobbleSamplingDef;

/**
 * Particles in the host's memory. Fill with wobble_particles_def_init(), then set what there is. Strides are
 * bytes from one particle to the next, multiples of 4; 0 for tightly packed.
 */
typedef struct WobbleParticlesDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Number of particles, at most 16777216.
     */
    uint32_t count;
    /**
     * 3 floats a particle, metres.
     */
    const float *points;
    /**
     * A float a particle, kg, 1e-12 to 1e9; null for 1 kg in all, evenly spread.
     */
    const float *masses;
    /**
     * A float a particle: multiplies the material's stiffness, 0 to 1e6; or null.
     */
    const float *stiffness;
    /**
     * A float a particle: multiplies the material's damping, 0 to 1e6; or null.
     */
    const float *damping;
    /**
     * A float a particle, 0 to 1: bodies start with particles of 0.5 and more pinned; or null.
     */
    const float *pin;
    /**
     * At least 12.
     */
    uint32_t points_stride;
    /**
     * At least 4.
     */
    uint32_t masses_stride;
    /**
     * Of the map of stiffness.
     */
    uint32_t stiffness_stride;
    /**
     * Of the map of damping.
     */
    uint32_t damping_stride;
    /**
     * Of the map of pins.
     */
    uint32_t pin_stride;
    /**
     * Of the map of toughness.
     */
    uint32_t toughness_stride;
    /**
     * A float a particle: multiplies the toughness of bodies that break, 0.001 to 1e6; or null.
     */
    const float *toughness;
} WobbleParticlesDef;

/**
 * Metres from a point to the surface of a solid, less than zero inside. Only the sign must be right, but
 * distances that change about as fast as the place make better normals. It must give the same for the same
 * point, a number everywhere, and must not throw or jump out. Many threads call it at once unless threads
 * is 1.
 */
typedef float (*WobbleDistanceCallback)(float x, float y, float z, void *user);

/**
 * A solid about the origin, y up, and how finely its surface is found. Fill with wobble_solid_def_init().
 * Fields of other kinds are not looked at. Lengths are metres, 1e-6 to 1e9.
 */
typedef struct WobbleSolidDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_SOLID_ constant. Default ball.
     */
    uint32_t kind;
    /**
     * Of a box: along each axis. Default 1 each.
     */
    struct WobbleVec3 size;
    /**
     * Of a ball, capsule, torus or cylinder. Default 0.5.
     */
    float radius;
    /**
     * Of a torus: the radius of its tube, less than radius. Default 0.2.
     */
    float tube;
    /**
     * Of a capsule (at least twice its radius), cylinder or gummy bear. Default 1.
     */
    float height;
    /**
     * Of a distance function: lowest corner of the box that holds the solid. What is outside is cut off. Default -0.5 each.
     */
    struct WobbleVec3 low;
    /**
     * Of a distance function: the highest corner. Default 0.5 each.
     */
    struct WobbleVec3 high;
    /**
     * Of a distance function: tells distances. Default null.
     */
    WobbleDistanceCallback distance;
    /**
     * Passed to distance. Default null.
     */
    void *distance_user;
    /**
     * Triangles are about a share 1/cells of the longest side wide, 4 to 256. What is thinner may be lost. Default 48. Time and memory grow with its cube.
     */
    uint32_t cells;
    /**
     * Threads that find the surface, at most 256; 0 takes all cores, with 1 distance is called on the caller's thread alone. Default 0. Results do not depend on it.
     */
    uint32_t threads;
} WobbleSolidDef;

/**
 * A box along the axes.
 */
typedef struct WobbleBounds {
    /**
     * The least of each coordinate, metres.
     */
    struct WobbleVec3 low;
    /**
     * The greatest.
     */
    struct WobbleVec3 high;
} WobbleBounds;

/**
 * One cluster holds one member.
 */
typedef struct WobbleMembership {
    /**
     * A particle, in the order the points were given in; in a coarser nested level a cluster of the
     * level below.
     */
    uint32_t member;
    /**
     * The cluster that holds it.
     */
    uint32_t cluster;
    /**
     * How much, 0 to 1.
     */
    float weight;
} WobbleMembership;

/**
 * A plane that bounds a cluster: inside is where normal·r + offset is below 0, r being about the
 * shape's centre of mass.
 */
typedef struct WobbleClusterPlane {
    /**
     * The cluster, of the finest level.
     */
    uint32_t cluster;
    /**
     * Points out of the cluster; of length 1.
     */
    struct WobbleVec3 normal;
    /**
     * Metres.
     */
    float offset;
} WobbleClusterPlane;

/**
 * What a body is made of. Fill with wobble_material_init() or wobble_material_named().
 */
typedef struct WobbleMaterial {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * A WOBBLE_STIFFNESS_ constant. Default hertz.
     */
    uint32_t stiffness_kind;
    /**
     * Hertz, above 0; or the share per substep, 0 to 2. Default 40 Hz.
     */
    float stiffness;
    /**
     * A WOBBLE_DAMPING_ constant. Default per second.
     */
    uint32_t damping_kind;
    /**
     * Rate in 1/s, 0 or more; or the share per substep, 0 to 1. Default 10 per second.
     */
    float damping;
    /**
     * A WOBBLE_DAMPING_FORM_ constant. Default rigid.
     */
    uint32_t damping_form;
    /**
     * A WOBBLE_ROTATION_ constant. Default momentum.
     */
    uint32_t rotation;
    /**
     * A WOBBLE_GOALS_ constant. Default rigid. Linear costs little more, quadratic several times as much.
     */
    uint32_t goals;
    /**
     * Share of the linear or quadratic goal, 0 to 1. Not used by rigid goals.
     */
    float goals_beta;
    /**
     * Strain-limiting rounds a substep, 0 for no limit. Default 0. Each costs up to a step while limits are broken, little when not.
     */
    uint32_t strain_rounds;
    /**
     * How far a particle may stray from a cluster's goal, in widths of the cluster.
     */
    float strain_gamma;
    /**
     * Share of the excess that a round takes back.
     */
    float strain_omega;
    /**
     * Multiplies gravity. Default 1.
     */
    float gravity_scale;
    /**
     * How freely a body springs back from a landing, 0 to 1. With 1 only damping holds it back; with less, what it touches also takes off speed of compression, unless that has restitution. Default 0; materials by name have 1.
     */
    float rebound;
    /**
     * How many times stiffer the volume of the whole body is than its shape, 0 to 100: a squeezed body bulges. Default 0; 30 keeps the volume within a few percent.
     */
    float volume_stiffness;
    /**
     * How much more volume than at rest the body wants, as a share, -0.9 to 9. Default 0; 0.5 blows it up by half.
     */
    float pressure;
} WobbleMaterial;

/**
 * Where a body starts and what it is made of. Fill with wobble_body_def_init().
 */
typedef struct WobbleBodyDef {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Where the centre of mass goes, metres. Default the origin.
     */
    struct WobbleVec3 position;
    /**
     * How the rest shape is turned. Default not at all.
     */
    struct WobbleQuat rotation;
    /**
     * Initial velocity, m/s. Default zero.
     */
    struct WobbleVec3 velocity;
    /**
     * What it is made of; null for the default material. Copied.
     */
    const struct WobbleMaterial *material;
    /**
     * Coulomb friction, 0 to 1e6. Default 0.5.
     */
    float friction;
    /**
     * Share of the approach speed that a particle leaves a contact with, 0 to 1. Default 0.
     */
    float restitution;
    /**
     * How friction and restitution are combined with those of what is touched: a WOBBLE_COMBINE_ constant. Default natural.
     */
    uint32_t combine;
    /**
     * The groups the body is in, a bit for each. Default 1.
     */
    uint32_t group;
    /**
     * The groups it meets: two meet if each one's group has a bit in the other's mask. Default all.
     */
    uint32_t mask;
    /**
     * Distance that particles keep from what they touch, metres, 0 to 1e6. Default 0: the visible surface goes through the outermost particles.
     */
    float radius;
    /**
     * 1 if the body may fall asleep once it is at rest, 0 if not. Default 1.
     */
    uint32_t can_sleep;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} WobbleBodyDef;

/**
 * How a body keeps what deforms it. Strains are the length of (s1 - 1, s2 - 1, s3 - 1), s being the stretches along the axes of the deformation at unit volume. Fill with wobble_plasticity_init().
 */
typedef struct WobblePlasticity {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Elastic strain from which on deformation lasts, 0 to 10. Default 0.1. Elsewhere called c_yield.
     */
    float yield_strain;
    /**
     * Share of the strain beyond the yield that becomes lasting in a second, 0 to 1e6. Default 100. Elsewhere called c_creep.
     */
    float flow;
    /**
     * How much the yield rises with each unit of strain that has become lasting, -100 to 100; below 0 the material softens. Default 0.
     */
    float hardening;
    /**
     * The largest lasting strain, 0 to 10. Default 1. Elsewhere called c_max.
     */
    float limit;
    /**
     * Share of the lasting strain that is forgotten in a second, 0 to 1e6. Default 0. What clusters that were replaced had kept is not forgotten.
     */
    float recovery;
    /**
     * Largest over smallest lasting stretch of a finest cluster from which on it is replaced, 1.05 to 1000: what flows is then bounded neither by limit nor by what the first clusters can bear. 1.25 to 1.5 are common. 0 for never, the default. Not for bodies whose levels are independent.
     */
    float recluster;
    /**
     * Steps in which such a cluster fades out, 1 to 1000; new ones fade in within half of them. Default 30.
     */
    uint32_t fade;
    /**
     * The most new clusters of the body in a step, 1 to 1000; the rest waits. Default 8.
     */
    uint32_t most_new_clusters;
} WobblePlasticity;

/**
 * How a body breaks. Fill with wobble_fracture_init().
 */
typedef struct WobbleFracture {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * The stretch beyond 1 at which a cluster breaks, 0.001 to 100: with 0.3 at 1.3 times its length. Default 0.3.
     */
    float toughness;
    /**
     * Pieces of fewer particles fall into single ones, which are debris: one body whose particles fly freely. 1 to 1000; default 4.
     */
    uint32_t smallest;
} WobbleFracture;

/**
 * A piece of a body that broke in the last step or was cut since.
 */
typedef struct WobbleBreak {
    /**
     * The body that broke. Its largest piece keeps the handle.
     */
    struct WobbleBody body;
    /**
     * The piece.
     */
    struct WobbleBody piece;
    /**
     * Where the piece's particles begin among those of wobble_world_broken_particles().
     */
    uint32_t first_particle;
    /**
     * How many particles it has.
     */
    uint32_t particle_count;
    /**
     * 1 if the piece is debris: particles that nothing holds.
     */
    uint32_t is_debris;
    /**
     * Always 0.
     */
    uint32_t reserved;
} WobbleBreak;

/**
 * Where a vertex of a piece's mesh lies in the mesh that its body had before it broke.
 */
typedef struct WobbleSkinSource {
    /**
     * A vertex of that mesh.
     */
    uint32_t first;
    /**
     * Another one, or the same for a vertex that was there before.
     */
    uint32_t second;
    /**
     * The share of the second, 0 to 1: blend texture coordinates by it.
     */
    float share;
    /**
     * 1 if the vertex belongs to a cap, which closes the mesh where it was cut.
     */
    uint32_t is_cap;
} WobbleSkinSource;

/**
 * Memory of the library's that a host may read, not keep: it is good until the next step of the
 * world, or until the body is changed or destroyed.
 */
typedef struct WobbleView {
    /**
     * The first element.
     */
    const float *data;
    /**
     * How many there are.
     */
    uint32_t count;
    /**
     * Bytes from one to the next.
     */
    uint32_t stride;
} WobbleView;

/**
 * Carries a vertex at rest position r to rotation (r - rest centre) + position.
 */
typedef struct WobbleTransform {
    /**
     * How the cluster is turned.
     */
    struct WobbleQuat rotation;
    /**
     * Where its centre is, metres, world space.
     */
    struct WobbleVec3 position;
} WobbleTransform;

/**
 * Where a deformed mesh goes: the host's vertex buffer. Fill with wobble_skin_buffers_init(), then
 * set what is wanted; null pointers are left out. Strides are bytes from one vertex to the next,
 * multiples of 4; 0 for tightly packed.
 */
typedef struct WobbleSkinBuffers {
    /**
     * Bytes of this struct as the host knows it.
     */
    uint32_t struct_size;
    /**
     * Vertices that fit; at least wobble_shape_vertex_count().
     */
    uint32_t capacity;
    /**
     * 3 floats a vertex, metres, world space.
     */
    float *positions;
    /**
     * 3 floats a vertex, of unit length.
     */
    float *normals;
    /**
     * 4 floats a vertex, for meshes that have tangents; the fourth is the mesh's own.
     */
    float *tangents;
    /**
     * 3 floats a vertex: positions before the last step, for motion vectors.
     */
    float *previous;
    /**
     * At least 12.
     */
    uint32_t positions_stride;
    /**
     * At least 12.
     */
    uint32_t normals_stride;
    /**
     * At least 16.
     */
    uint32_t tangents_stride;
    /**
     * At least 12.
     */
    uint32_t previous_stride;
    /**
     * When, between the last two steps: 0 is before the last one, 1 (the default) is now.
     */
    float fraction;
    /**
     * Not used; 0.
     */
    uint32_t reserved;
    /**
     * 12 floats, three rows of four: carries world space to the space that all of it is wanted in, such as that of a node which draws the mesh; must not mirror or flatten. Null (the default) for world space.
     */
    const float *frame;
} WobbleSkinBuffers;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library as text, such as "0.1.0". Never null.
 */
const char *wobble_version(void);

/**
 * WOBBLE_ABI_VERSION as the library was built with.
 */
uint32_t wobble_abi_version(void);

/**
 * What went wrong in the last call on this thread that did not return WOBBLE_STATUS_OK: which
 * field, which value, what to do. Never null; empty if nothing went wrong yet. Good until the
 * next call on this thread that fails.
 */
const char *wobble_last_error(void);

/**
 * The name of a status code, such as "STALE_HANDLE"; "UNKNOWN" for a number that is none. Never null.
 */
const char *wobble_status_name(WobbleStatus status);

/**
 * Sets who hears of bodies that went out of bounds and of faults; null for nobody, which is the
 * default. Lines come on the thread whose call caused them, those of a step in the background on the
 * thread that is told of its end, with no lock held, so the callback may call the library. It must not
 * throw or jump out.
 */
void wobble_set_log_callback(WobbleLogCallback callback, void *user);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleWorldDef).
 */
WobbleStatus wobble_world_def_init(struct WobbleWorldDef *def, uint32_t size);

/**
 * Makes an empty world. def may be null for the defaults. Starts the world's threads, which sleep
 * between steps and end when it is destroyed.
 */
WobbleStatus wobble_world_create(const struct WobbleWorldDef *def, struct WobbleWorld *out_world);

/**
 * Destroys a world with all that lives in it, whose handles become stale. Waits for a step
 * in the background to end. Shapes stay.
 */
WobbleStatus wobble_world_destroy(struct WobbleWorld world);

/**
 * Sets the acceleration of gravity, m/s².
 */
WobbleStatus wobble_world_set_gravity(struct WobbleWorld world, float x, float y, float z);

/**
 * The acceleration of gravity, m/s².
 */
WobbleStatus wobble_world_gravity(struct WobbleWorld world, struct WobbleVec3 *out_gravity);

/**
 * Sets the threads that step, the calling one counted; 0 takes all cores, at most 256. Results do
 * not depend on it.
 */
WobbleStatus wobble_world_set_threads(struct WobbleWorld world, uint32_t threads);

/**
 * The threads that step.
 */
WobbleStatus wobble_world_threads(struct WobbleWorld world, uint32_t *out_threads);

/**
 * Sets the equal parts that a step is split into, 1 to 64.
 */
WobbleStatus wobble_world_set_substeps(struct WobbleWorld world, uint32_t substeps);

/**
 * The equal parts that a step is split into.
 */
WobbleStatus wobble_world_substeps(struct WobbleWorld world, uint32_t *out_substeps);

/**
 * Moves the world on by dt seconds, above 0 and up to 10, and returns when done. Does not
 * allocate once forces, strain limits and threads are set up. A body that goes out of bounds is
 * put back, frozen and told to the log; the others go on, and the step succeeds.
 */
WobbleStatus wobble_world_step(struct WobbleWorld world, float dt);

/**
 * Begins a step in the background and returns at once. Until wobble_world_step_is_done() says 1
 * or wobble_world_step_wait() returns, positions and everything else that is read of a body are
 * those from before the step, and calls that would change the world or a body of it return
 * WOBBLE_STATUS_BUSY. Copies the state of every body, about 70 bytes a particle.
 */
WobbleStatus wobble_world_step_begin(struct WobbleWorld world, float dt);

/**
 * 1 if no step runs in the background, 0 while one does. Never waits.
 */
WobbleStatus wobble_world_step_is_done(struct WobbleWorld world, uint32_t *out_done);

/**
 * Waits for the step in the background and returns what wobble_world_step() would have. Returns
 * at once if there is none.
 */
WobbleStatus wobble_world_step_wait(struct WobbleWorld world);

/**
 * Where the time of the last step went.
 */
WobbleStatus wobble_world_profile(struct WobbleWorld world, struct WobbleProfile *out_profile);

/**
 * What the world holds.
 */
WobbleStatus wobble_world_statistics(struct WobbleWorld world, struct WobbleStatistics *out_statistics);

/**
 * A number that changes with any bit of any body's positions and velocities: equal after
 * equal calls, on any number of threads and on every x86-64 machine.
 */
WobbleStatus wobble_world_state_hash(struct WobbleWorld world, uint64_t *out_hash);

/**
 * Number of bodies.
 */
WobbleStatus wobble_world_body_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The handles of all bodies, in a fixed order, into out_bodies, which holds capacity of them.
 */
WobbleStatus wobble_world_bodies(struct WobbleWorld world,
                                 struct WobbleBody *out_bodies,
                                 uint32_t capacity,
                                 uint32_t *out_count);

/**
 * The handles of those bodies that went out of bounds in the last step, were put back and are
 * frozen now, into out_bodies. There are at most wobble_world_body_count().
 */
WobbleStatus wobble_world_newly_frozen(struct WobbleWorld world,
                                       struct WobbleBody *out_bodies,
                                       uint32_t capacity,
                                       uint32_t *out_count);

/**
 * Bytes that wobble_world_snapshot() takes now. Costs as much as the snapshot; the size changes
 * with what the world holds, which pairs touch and who sleeps.
 */
WobbleStatus wobble_world_snapshot_size(struct WobbleWorld world, uint32_t *out_size);

/**
 * The state of a world as bytes: gravity, substeps, colliders, bodies, attachments, force fields. Shapes are not in it, only
 * what tells them apart. A restored world goes on bit for bit.
 */
WobbleStatus wobble_world_snapshot(struct WobbleWorld world,
                                   uint8_t *out_bytes,
                                   uint32_t capacity,
                                   uint32_t *out_size);

/**
 * Puts a world into the state of a snapshot, of this or another world. Shapes are looked up among
 * the given ones and those of the world's present bodies. Handles of bodies, colliders, attachments and fields
 * that were there at the time of the snapshot are good again, those made since become stale. In another world
 * all get handles of their own: ask wobble_world_bodies(), wobble_world_colliders(),
 * wobble_world_attachments() and wobble_world_fields(). Changes nothing on failure.
 */
WobbleStatus wobble_world_restore(struct WobbleWorld world,
                                  const uint8_t *bytes,
                                  uint32_t size,
                                  const struct WobbleShape *shapes,
                                  uint32_t shape_count);

/**
 * Fills a definition with the defaults: the ground, solid below y = 0. size is
 * sizeof(WobbleColliderDef).
 */
WobbleStatus wobble_collider_def_init(struct WobbleColliderDef *def, uint32_t size);

/**
 * Adds a collider to a world. def may be null for the ground. Points, indices and heights are
 * copied. A closed mesh, each of whose edges has one triangle on each side, is solid, and what gets
 * inside comes out again; any other is a surface with two sides.
 */
WobbleStatus wobble_collider_create(struct WobbleWorld world,
                                    const struct WobbleColliderDef *def,
                                    struct WobbleCollider *out_collider);

/**
 * How a collider is set up at present: shape, place, velocities, surface, groups. Points, indices and
 * heights are not given back: their pointers are null and their counts 0.
 */
WobbleStatus wobble_collider_definition(struct WobbleCollider collider, struct WobbleColliderDef *out_def);

/**
 * 1 if a collider has an inside, out of which it pushes bodies; 0 for a mesh that is not closed, which is a
 * surface with two sides.
 */
WobbleStatus wobble_collider_is_solid(struct WobbleCollider collider, uint32_t *out_solid);

/**
 * Number of colliders.
 */
WobbleStatus wobble_world_collider_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The handles of all colliders, in a fixed order, into out_colliders, which holds capacity of them.
 */
WobbleStatus wobble_world_colliders(struct WobbleWorld world,
                                    struct WobbleCollider *out_colliders,
                                    uint32_t capacity,
                                    uint32_t *out_count);

/**
 * Removes a collider; its handle becomes stale.
 */
WobbleStatus wobble_collider_destroy(struct WobbleCollider collider);

/**
 * Puts a collider somewhere at once: it meets nothing on its way and takes nothing along, however far it is.
 * Bodies that jump with it are put there, too, before the next step, by wobble_body_teleport() or
 * wobble_body_set_positions(). For what moves by and by, see wobble_collider_move(). rotation may be null for
 * none.
 */
WobbleStatus wobble_collider_set_pose(struct WobbleCollider collider,
                                      const struct WobbleVec3 *position,
                                      const struct WobbleQuat *rotation);

/**
 * Lets the next step take a collider to a place: it has the velocity of that way, pushes what is in it and drags
 * along what lies on it. There it stays until it is moved again. Not for jumps: ground that is moved by 1 km in
 * a step of 1/60 s runs at 60 km/s under a body that was teleported with it, and throws it kilometres away. Use
 * wobble_collider_set_pose() for both to lie as they lay. rotation may be null for none.
 */
WobbleStatus wobble_collider_move(struct WobbleCollider collider,
                                  const struct WobbleVec3 *position,
                                  const struct WobbleQuat *rotation);

/**
 * Where a collider is, metres, and how it is turned.
 */
WobbleStatus wobble_collider_pose(struct WobbleCollider collider,
                                  struct WobbleVec3 *out_position,
                                  struct WobbleQuat *out_rotation);

/**
 * Sets how fast a collider moves, m/s, and turns about its position, rad/s, each at most 1e6 in
 * length. Steps move it on from where it is.
 */
WobbleStatus wobble_collider_set_velocity(struct WobbleCollider collider,
                                          const struct WobbleVec3 *velocity,
                                          const struct WobbleVec3 *angular_velocity);

/**
 * Sets the velocity of a collider's surface against itself, in its own frame, m/s: a conveyor belt.
 */
WobbleStatus wobble_collider_set_conveyor(struct WobbleCollider collider, float x, float y, float z);

/**
 * Sets friction, 0 to 1e6, and restitution, 0 to 1, and how they are combined with those of bodies: a
 * WOBBLE_COMBINE_ constant.
 */
WobbleStatus wobble_collider_set_surface(struct WobbleCollider collider,
                                         float friction,
                                         float restitution,
                                         uint32_t combine);

/**
 * Sets the groups that a collider is in, and those that it meets. A body and a collider meet if each
 * one's group has a bit in the other's mask.
 */
WobbleStatus wobble_collider_set_groups(struct WobbleCollider collider, uint32_t group, uint32_t mask);

/**
 * Takes a collider out of the way with 0, puts it back with anything else.
 */
WobbleStatus wobble_collider_set_enabled(struct WobbleCollider collider, uint32_t enabled);

/**
 * What bodies gave a collider in the last step: the impulse, N s, and the turning impulse about the
 * collider's position, N m s. A host adds them to the momentum of its rigid body.
 */
WobbleStatus wobble_collider_impulse(struct WobbleCollider collider,
                                     struct WobbleVec3 *out_impulse,
                                     struct WobbleVec3 *out_torque_impulse);

/**
 * Number of pairs that touched in the last step or parted in it.
 */
WobbleStatus wobble_world_contact_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The pairs that touched in the last step or parted in it, sorted by body and partner, into
 * out_contacts, which holds capacity of them.
 */
WobbleStatus wobble_world_contacts(struct WobbleWorld world,
                                   struct WobbleContact *out_contacts,
                                   uint32_t capacity,
                                   uint32_t *out_count);

/**
 * Reports contacts from an impulse of threshold N s in a step on, 0 to 1e9, at most max_contacts of
 * them, up to 16777216. Pairs that press less count as apart; the weakest events beyond the most are
 * left out.
 */
WobbleStatus wobble_world_set_contact_reporting(struct WobbleWorld world,
                                                float threshold,
                                                uint32_t max_contacts);

/**
 * From which impulse on contacts are reported, N s in a step, and the most of them.
 */
WobbleStatus wobble_world_contact_reporting(struct WobbleWorld world,
                                            float *out_threshold,
                                            uint32_t *out_max_contacts);

/**
 * Lets bodies push each other apart where they touch (1, the default), or pass through each other (0). The surfaces of
 * shapes are found once there are two bodies, which for small shapes takes as long as building them.
 */
WobbleStatus wobble_world_set_bodies_meet(struct WobbleWorld world,
                                          uint32_t meet);

/**
 * 1 if bodies push each other apart where they touch, 0 if they pass through each other.
 */
WobbleStatus wobble_world_bodies_meet(struct WobbleWorld world, uint32_t *out_meet);

/**
 * Sets friction, 0 to 1e6, and restitution, 0 to 1, of a body, and how they are combined with those of
 * what it touches: a WOBBLE_COMBINE_ constant.
 */
WobbleStatus wobble_body_set_surface(struct WobbleBody body,
                                     float friction,
                                     float restitution,
                                     uint32_t combine);

/**
 * Friction and restitution of a body, and how they are combined with those of what it touches: a
 * WOBBLE_COMBINE_ constant.
 */
WobbleStatus wobble_body_surface(struct WobbleBody body,
                                 float *out_friction,
                                 float *out_restitution,
                                 uint32_t *out_combine);

/**
 * Sets how a body touches other bodies, and itself. parting is the share of an overlap that goes in a substep,
 * 0 to 1; of two bodies the mean counts. More than the default of 0.4 throws apart what begins inside each other,
 * less leaves bodies inside each other that were pressed together hard. Stiff bodies, whose pull would make speed of it, part more slowly. touches_itself is 1 if parts of the body touch each other, 0 (the default) if they pass through each
 * other. proxies is 1 if the body is touched at its clusters' spheres cut by planes, which are lumpy, and 0 (the
 * default) if at its surface.
 */
WobbleStatus wobble_body_set_touch(struct WobbleBody body,
                                   float parting,
                                   uint32_t touches_itself,
                                   uint32_t proxies);

/**
 * How a body touches other bodies, and itself: what wobble_body_set_touch was given.
 */
WobbleStatus wobble_body_touch(struct WobbleBody body,
                               float *out_parting,
                               uint32_t *out_touches_itself,
                               uint32_t *out_proxies);

/**
 * The groups that a body is in, and those that it meets.
 */
WobbleStatus wobble_body_groups(struct WobbleBody body, uint32_t *out_group, uint32_t *out_mask);

/**
 * The distance that the particles of a body keep from what they touch, metres.
 */
WobbleStatus wobble_body_particle_radius(struct WobbleBody body, float *out_radius);

/**
 * 1 if a particle of a body was in contact with a collider at the end of the last step, 0 if not.
 */
WobbleStatus wobble_body_is_touching(struct WobbleBody body, uint32_t *out_touching);

/**
 * Sets the groups that a body is in, and those that it meets. Two meet if each one's group has a bit
 * in the other's mask.
 */
WobbleStatus wobble_body_set_groups(struct WobbleBody body, uint32_t group, uint32_t mask);

/**
 * Sets the distance that the particles of a body keep from what they touch, metres, 0 to 1e6.
 */
WobbleStatus wobble_body_set_particle_radius(struct WobbleBody body, float radius);

/**
 * The first body or collider that a ray meets. One that begins inside meets it at once; one that begins on a
 * collider's surface goes in at once or leaves it. Bodies are met at
 * their mesh as it is deformed, or where they have none at the surface through their outer particles; disabled
 * ones are not met. The first query after a body changed finds out where its surface is; for the first body of
 * a shape that takes about as long as building the shape did.
 *
 * origin        where the ray begins, metres
 * direction     of any length but zero
 * max_distance  metres, 0 to 1e9
 * group, mask   as those of a body: only what meets them is looked at; bodies have 1 and UINT32_MAX by default
 * out_hit       receives what was found; its found is 0 if nothing was
 */
WobbleStatus wobble_world_cast_ray(struct WobbleWorld world,
                                   const struct WobbleVec3 *origin,
                                   const struct WobbleVec3 *direction,
                                   float max_distance,
                                   uint32_t group,
                                   uint32_t mask,
                                   struct WobbleHit *out_hit);

/**
 * The point nearest to a point on the surface of a body or collider within a distance. From inside, the way out
 * counts, as a distance below 0. Bodies are met as by wobble_world_cast_ray().
 *
 * max_distance  metres, 0 to 1e9
 * group, mask   as those of a body: only what meets them is looked at
 * out_hit       receives what was found; its found is 0 if nothing was
 */
WobbleStatus wobble_world_closest_point(struct WobbleWorld world,
                                        const struct WobbleVec3 *point,
                                        float max_distance,
                                        uint32_t group,
                                        uint32_t mask,
                                        struct WobbleHit *out_hit);

/**
 * The bodies and colliders that a sphere has points in common with, bodies first, in a fixed order.
 *
 * radius        metres, 0 to 1e9
 * group, mask   as those of a body: only what meets them is looked at
 * out_found     receives them
 * capacity      how many fit; wobble_world_body_count() and wobble_world_collider_count() together are always enough
 */
WobbleStatus wobble_world_overlap_sphere(struct WobbleWorld world,
                                         const struct WobbleVec3 *centre,
                                         float radius,
                                         uint32_t group,
                                         uint32_t mask,
                                         struct WobblePartner *out_found,
                                         uint32_t capacity,
                                         uint32_t *out_count);

/**
 * The bodies and colliders that a turned box has points in common with, bodies first, in a fixed order.
 *
 * half_extents  from its centre to its faces, metres, 0 to 1e6
 * rotation      null for none
 * group, mask   as those of a body: only what meets them is looked at
 * out_found     receives them
 * capacity      how many fit; wobble_world_body_count() and wobble_world_collider_count() together are always enough
 */
WobbleStatus wobble_world_overlap_box(struct WobbleWorld world,
                                      const struct WobbleVec3 *centre,
                                      const struct WobbleVec3 *half_extents,
                                      const struct WobbleQuat *rotation,
                                      uint32_t group,
                                      uint32_t mask,
                                      struct WobblePartner *out_found,
                                      uint32_t capacity,
                                      uint32_t *out_count);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleAttachmentDef).
 */
WobbleStatus wobble_attachment_def_init(struct WobbleAttachmentDef *def, uint32_t size);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleJointDef).
 */
WobbleStatus wobble_joint_def_init(struct WobbleJointDef *def, uint32_t size);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleDragDef).
 */
WobbleStatus wobble_drag_def_init(struct WobbleDragDef *def, uint32_t size);

/**
 * Holds particles of a body to a frame. wobble_attachment_move() moves it; one that never moves is the world
 * itself. Pinned particles are left to their pins. The attachment ends with wobble_attachment_destroy(), when
 * it breaks, and with the body.
 *
 * particles      numbers of particles, of which some may come twice; wobble_body_particles_in_box() and others choose them
 * count          how many, at least 1
 * def            null for the defaults: firmly to the world
 * out_attachment receives the attachment
 */
WobbleStatus wobble_body_attach(struct WobbleBody body,
                                const uint32_t *particles,
                                uint32_t count,
                                const struct WobbleAttachmentDef *def,
                                struct WobbleAttachment *out_attachment);

/**
 * Joins two bodies of a world, or two places of one. Momentum and angular momentum of both together are kept.
 * The joint ends with wobble_attachment_destroy(), when it breaks, and with either body.
 *
 * other          the second body, or the same once more
 * def            where and how
 * out_attachment receives the joint
 */
WobbleStatus wobble_body_join(struct WobbleBody body,
                              struct WobbleBody other,
                              const struct WobbleJointDef *def,
                              struct WobbleAttachment *out_attachment);

/**
 * Takes hold of a body to drag it by a spring of bounded force. wobble_attachment_move() says where to, and
 * wobble_attachment_destroy() lets go. Until moved it is held where it is. wobble_world_cast_ray() finds the
 * point under a mouse.
 *
 * def            where and how
 * out_attachment receives the drag
 */
WobbleStatus wobble_body_drag(struct WobbleBody body,
                              const struct WobbleDragDef *def,
                              struct WobbleAttachment *out_attachment);

/**
 * Moves the frame of held particles, or the target of a drag, in the course of the next step: what is held is
 * swept along and has its velocity. To jump, use wobble_attachment_set_pose(). A joint has neither frame nor
 * target and is refused. rotation may be null for none; a drag has no use for it.
 */
WobbleStatus wobble_attachment_move(struct WobbleAttachment attachment,
                                    const struct WobbleVec3 *position,
                                    const struct WobbleQuat *rotation);

/**
 * Puts the frame of held particles, or the target of a drag, somewhere at once, without velocity, as when a
 * character is teleported. Particles stay where they are and would be pulled there over the whole distance: put
 * their body there too, before the next step, by wobble_body_teleport(), or by wobble_body_set_positions() bent as
 * it is. A joint has neither frame nor target and is refused. rotation may be null for none; a drag has no use for it.
 */
WobbleStatus wobble_attachment_set_pose(struct WobbleAttachment attachment,
                                        const struct WobbleVec3 *position,
                                        const struct WobbleQuat *rotation);

/**
 * What an attachment took in the last step: the impulse, N s, and the turning impulse about the frame's
 * position or the drag's target, N m s. A host gives them to a rigid body that carries the frame; since that
 * comes a step late, hold it by a spring of at most a tenth of the host's steps a second, or it gains energy.
 * Of a joint, what the second body got from the first, and no turning impulse.
 */
WobbleStatus wobble_attachment_impulse(struct WobbleAttachment attachment,
                                       struct WobbleVec3 *out_impulse,
                                       struct WobbleVec3 *out_torque_impulse);

/**
 * Ends an attachment: lets particles go, takes a joint apart, ends a drag. Its handle becomes stale.
 */
WobbleStatus wobble_attachment_destroy(struct WobbleAttachment attachment);

/**
 * Number of attachments, joints and drags.
 */
WobbleStatus wobble_world_attachment_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The handles of all attachments, joints and drags, in the order they were made, into out_attachments, which
 * holds capacity of them.
 */
WobbleStatus wobble_world_attachments(struct WobbleWorld world,
                                      struct WobbleAttachment *out_attachments,
                                      uint32_t capacity,
                                      uint32_t *out_count);

/**
 * Number of attachments that broke in the last step.
 */
WobbleStatus wobble_world_broken_attachment_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The handles of the attachments that broke in the last step, into out_attachments, which holds capacity of
 * them. They are gone: the handles are stale, and only tell which.
 */
WobbleStatus wobble_world_broken_attachments(struct WobbleWorld world,
                                             struct WobbleAttachment *out_attachments,
                                             uint32_t capacity,
                                             uint32_t *out_count);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleFieldDef).
 */
WobbleStatus wobble_field_def_init(struct WobbleFieldDef *def, uint32_t size);

/**
 * Adds a force field to a world: it acts in every step until it is destroyed.
 */
WobbleStatus wobble_field_create(struct WobbleWorld world,
                                 const struct WobbleFieldDef *def,
                                 struct WobbleField *out_field);

/**
 * What a force field does, and on whom.
 */
WobbleStatus wobble_field_definition(struct WobbleField field, struct WobbleFieldDef *out_def);

/**
 * Changes a force field; its gusts go on.
 */
WobbleStatus wobble_field_set_definition(struct WobbleField field, const struct WobbleFieldDef *def);

/**
 * Removes a force field; its handle becomes stale.
 */
WobbleStatus wobble_field_destroy(struct WobbleField field);

/**
 * Number of force fields.
 */
WobbleStatus wobble_world_field_count(struct WobbleWorld world, uint32_t *out_count);

/**
 * The handles of all force fields, in the order they were made, into out_fields, which holds capacity of
 * them.
 */
WobbleStatus wobble_world_fields(struct WobbleWorld world,
                                 struct WobbleField *out_fields,
                                 uint32_t capacity,
                                 uint32_t *out_count);

/**
 * Pushes all particles within its reach away from a point, at once.
 *
 * centre        where, metres
 * radius        how far it reaches, metres, above 0 to 1e9
 * speed         velocity that a particle at the centre would gain, m/s, at most 1e9 in size: less with the
 *               distance, none at the radius; below 0 it is an implosion
 * mask          it acts on bodies that are in one of these groups; UINT32_MAX for all
 */
WobbleStatus wobble_world_explode(struct WobbleWorld world,
                                  const struct WobbleVec3 *centre,
                                  float radius,
                                  float speed,
                                  uint32_t mask);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleShapeDef).
 */
WobbleStatus wobble_shape_def_init(struct WobbleShapeDef *def, uint32_t size);

/**
 * Builds a shape from points in metres. Its origin is their centre of mass. Takes a while: save
 * the shape and load it next time. Holds no lock meanwhile, so other threads go on.
 *
 * points        3 floats a particle
 * count         particles, at most 16777216
 * stride        bytes from one point to the next; a multiple of 4, at least 12; 0 for tightly packed
 * masses        kg, above 0, one a particle; null for 1 kg in all, evenly spread
 * masses_stride bytes from one mass to the next; 0 for tightly packed
 * def           null for the defaults
 * out_shape     receives the shape with one reference: wobble_shape_release() it when done
 */
WobbleStatus wobble_shape_create_from_points(const float *points,
                                             uint32_t count,
                                             uint32_t stride,
                                             const float *masses,
                                             uint32_t masses_stride,
                                             const struct WobbleShapeDef *def,
                                             struct WobbleShape *out_shape);

/**
 * Adds a reference to a shape.
 */
WobbleStatus wobble_shape_retain(struct WobbleShape shape);

/**
 * Takes a reference away; with the last one the handle becomes stale. Bodies keep their shape.
 */
WobbleStatus wobble_shape_release(struct WobbleShape shape);

/**
 * Bytes that wobble_shape_save() takes. Costs as much as saving.
 */
WobbleStatus wobble_shape_save_size(struct WobbleShape shape, uint32_t *out_size);

/**
 * The shape as bytes, which can be read on any machine. A loaded shape behaves bit for bit like the saved one.
 */
WobbleStatus wobble_shape_save(struct WobbleShape shape,
                               uint8_t *out_bytes,
                               uint32_t capacity,
                               uint32_t *out_size);

/**
 * A shape from bytes of wobble_shape_save(). Damaged or hostile bytes are refused.
 */
WobbleStatus wobble_shape_load(const uint8_t *bytes, uint32_t size, struct WobbleShape *out_shape);

/**
 * A shape with its lengths multiplied along each axis, the mesh that it carries too. Its clusters stay, so it takes about as
 * long as loading one.
 *
 * x, y, z       what lengths are multiplied by, from 1e-3 to 1e3 each
 * mass          kg; 0 for as much more or less as the volume grows or shrinks
 * out_shape     receives the shape with one reference: wobble_shape_release() it when done
 */
WobbleStatus wobble_shape_create_scaled(struct WobbleShape shape,
                                        float x,
                                        float y,
                                        float z,
                                        float mass,
                                        struct WobbleShape *out_shape);

/**
 * Number of particles.
 */
WobbleStatus wobble_shape_particle_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * Number of levels, finest first; 0 for a shape without particles.
 */
WobbleStatus wobble_shape_level_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * Total mass, kg.
 */
WobbleStatus wobble_shape_mass(struct WobbleShape shape, float *out_mass);

/**
 * What tells the shape from others, equal for the built and the loaded one.
 */
WobbleStatus wobble_shape_fingerprint(struct WobbleShape shape, uint64_t *out_fingerprint);

/**
 * What building a level took. level counts from 0, the finest.
 */
WobbleStatus wobble_shape_level_report(struct WobbleShape shape,
                                       uint32_t level,
                                       struct WobbleLevelReport *out_report);

/**
 * Rest positions, metres about the centre of mass, in the order the points were given in.
 *
 * out_positions receives 3 floats a particle
 * stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      particles that fit; at least wobble_shape_particle_count()
 */
WobbleStatus wobble_shape_rest_positions(struct WobbleShape shape,
                                         float *out_positions,
                                         uint32_t stride,
                                         uint32_t capacity);

/**
 * Rest centres of a level's clusters, metres about the shape's centre of mass: what
 * wobble_body_cluster_transforms() turn about.
 *
 * out_centres   receives 3 floats a cluster
 * stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      clusters that fit
 */
WobbleStatus wobble_shape_cluster_centres(struct WobbleShape shape,
                                          uint32_t level,
                                          float *out_centres,
                                          uint32_t stride,
                                          uint32_t capacity);

/**
 * For each place of a borrowed view (wobble_body_view_positions()) the number of the particle
 * there, counted from 0 in the order the points were given in. Good as long as the shape lives.
 */
WobbleStatus wobble_shape_view_order(struct WobbleShape shape,
                                     const uint32_t **out_order,
                                     uint32_t *out_count);

/**
 * Fills a mesh definition with zeros and the size of an index. size is sizeof(WobbleMeshDef).
 */
WobbleStatus wobble_mesh_def_init(struct WobbleMeshDef *def, uint32_t size);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleSamplingDef).
 */
WobbleStatus wobble_sampling_def_init(struct WobbleSamplingDef *def, uint32_t size);

/**
 * Builds a shape from a mesh: particles that fill it, clusters, and the mesh itself, which bodies of
 * the shape carry and wobble_body_read_skin() gives back deformed. Holes, open pieces, pieces that
 * cross, triangles that face the wrong way or come twice are fine; a flat sheet becomes one layer
 * of particles. The shape's origin is its centre of mass, see wobble_shape_centre(). Takes a while:
 * save the shape and load it next time. Holds no lock meanwhile, so other threads go on.
 *
 * mesh          the mesh; copied
 * sampling      null for the defaults: 5000 particles with the density of water
 * def           null for the defaults
 * out_shape     receives the shape with one reference: wobble_shape_release() it when done
 */
WobbleStatus wobble_shape_create_from_mesh(const struct WobbleMeshDef *mesh,
                                           const struct WobbleSamplingDef *sampling,
                                           const struct WobbleShapeDef *def,
                                           struct WobbleShape *out_shape);

/**
 * Where the shape's centre of mass lay in the space of the points or the mesh it was made from,
 * metres: a body at position p with rotation q shows the mesh as if its origin were at p - q centre.
 */
WobbleStatus wobble_shape_centre(struct WobbleShape shape, struct WobbleVec3 *out_centre);

/**
 * Fills a definition with zeros. size is sizeof(WobbleParticlesDef).
 */
WobbleStatus wobble_particles_def_init(struct WobbleParticlesDef *def, uint32_t size);

/**
 * Builds a shape from particles of the host's choice as wobble_shape_create_from_points() does, with what is
 * painted on them, and with a mesh for bodies to carry.
 *
 * particles     where they are, their masses and maps; copied
 * mesh          bodies carry it, see wobble_body_read_skin(), given where the particles are; its maps are not
 *               looked at; null for none; copied
 * def           null for the defaults
 * out_shape     receives the shape with one reference: wobble_shape_release() it when done
 */
WobbleStatus wobble_shape_create_from_particles(const struct WobbleParticlesDef *particles,
                                                const struct WobbleMeshDef *mesh,
                                                const struct WobbleShapeDef *def,
                                                struct WobbleShape *out_shape);

/**
 * Fills a definition with the defaults: a ball of 1 m. size is sizeof(WobbleSolidDef).
 */
WobbleStatus wobble_solid_def_init(struct WobbleSolidDef *def, uint32_t size);

/**
 * Metres from a point to the surface of a solid, less than zero inside.
 */
WobbleStatus wobble_solid_distance(const struct WobbleSolidDef *solid,
                                   const struct WobbleVec3 *point,
                                   float *out_distance);

/**
 * The box along the axes that holds a solid.
 */
WobbleStatus wobble_solid_bounds(const struct WobbleSolidDef *solid, struct WobbleBounds *out_bounds);

/**
 * How many vertices and indices the surface of a solid has. Costs as much as wobble_solid_mesh().
 */
WobbleStatus wobble_solid_mesh_size(const struct WobbleSolidDef *solid,
                                    uint32_t *out_vertex_count,
                                    uint32_t *out_index_count);

/**
 * The surface of a solid as triangles: closed, so that every edge has one on each side, with sharp edges kept.
 * To draw, to paint on, or to hand to wobble_shape_create_from_mesh(). Writes nothing on failure.
 *
 * out_positions   receives 3 floats a vertex, metres
 * out_normals     receives 3 floats a vertex, of unit length; or null
 * stride          bytes from one vertex to the next in either; a multiple of 4, at least 12; 0 for tightly packed
 * vertex_capacity vertices that fit
 * out_indices     receives three indices a triangle, counterclockwise seen from outside
 * index_capacity  indices that fit; wobble_solid_mesh_size() says how many of both there are
 */
WobbleStatus wobble_solid_mesh(const struct WobbleSolidDef *solid,
                               float *out_positions,
                               float *out_normals,
                               uint32_t stride,
                               uint32_t vertex_capacity,
                               uint32_t *out_indices,
                               uint32_t index_capacity);

/**
 * Builds a shape that fills a solid: that of its mesh, see wobble_shape_create_from_mesh(). Bodies of the
 * shape carry the mesh: wobble_shape_vertex_count() and wobble_shape_indices() tell it,
 * wobble_body_read_skin() gives it deformed. The gummy bear stands beside its origin, so mind wobble_shape_centre().
 *
 * solid         what to fill
 * sampling      null for the defaults: 5000 particles with the density of water
 * def           null for the defaults
 * out_shape     receives the shape with one reference: wobble_shape_release() it when done
 */
WobbleStatus wobble_shape_create_from_solid(const struct WobbleSolidDef *solid,
                                            const struct WobbleSamplingDef *sampling,
                                            const struct WobbleShapeDef *def,
                                            struct WobbleShape *out_shape);

/**
 * 1 if coarser levels cluster the clusters below them, 0 if every level clusters all particles.
 */
WobbleStatus wobble_shape_is_nested(struct WobbleShape shape, uint32_t *out_nested);

/**
 * Mean distance from a particle to its nearest neighbour, metres; 0 if there is none.
 */
WobbleStatus wobble_shape_spacing(struct WobbleShape shape, float *out_spacing);

/**
 * Number of particles that are pinned when a body of this shape is made.
 */
WobbleStatus wobble_shape_pin_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * The particles that are pinned when a body of this shape is made, in ascending order, into out_particles,
 * which holds capacity of them.
 */
WobbleStatus wobble_shape_pins(struct WobbleShape shape,
                               uint32_t *out_particles,
                               uint32_t capacity,
                               uint32_t *out_count);

/**
 * Particle masses, kg, in the order the points were given in.
 *
 * out_masses    receives a float a particle
 * stride        bytes from one to the next; a multiple of 4; 0 for tightly packed
 * capacity      particles that fit; at least wobble_shape_particle_count()
 */
WobbleStatus wobble_shape_masses(struct WobbleShape shape,
                                 float *out_masses,
                                 uint32_t stride,
                                 uint32_t capacity);

/**
 * Widths of a level's clusters, metres: the largest distance of a member from the centre. Strain
 * limits are shares of the finest level's.
 *
 * out_widths    receives a float a cluster
 * stride        bytes from one to the next; a multiple of 4; 0 for tightly packed
 * capacity      clusters that fit
 */
WobbleStatus wobble_shape_cluster_widths(struct WobbleShape shape,
                                         uint32_t level,
                                         float *out_widths,
                                         uint32_t stride,
                                         uint32_t capacity);

/**
 * Number of memberships of a level: who is held by whom.
 */
WobbleStatus wobble_shape_membership_count(struct WobbleShape shape, uint32_t level, uint32_t *out_count);

/**
 * All memberships of a level, member by member. The weights of a member sum to 1.
 *
 * out_memberships receives them
 * capacity        memberships that fit; at least wobble_shape_membership_count()
 */
WobbleStatus wobble_shape_memberships(struct WobbleShape shape,
                                      uint32_t level,
                                      struct WobbleMembership *out_memberships,
                                      uint32_t capacity,
                                      uint32_t *out_count);

/**
 * Number of collision planes of all finest clusters.
 */
WobbleStatus wobble_shape_plane_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * The planes that cut the finest clusters' collision spheres, cluster by cluster.
 *
 * out_planes    receives them
 * capacity      planes that fit; at least wobble_shape_plane_count()
 */
WobbleStatus wobble_shape_planes(struct WobbleShape shape,
                                 struct WobbleClusterPlane *out_planes,
                                 uint32_t capacity,
                                 uint32_t *out_count);

/**
 * Fills a material with the defaults. size is sizeof(WobbleMaterial).
 */
WobbleStatus wobble_material_init(struct WobbleMaterial *material, uint32_t size);

/**
 * Fills a material by name: "jelly", "rubber", "flesh", "foam", "gummy" or "water balloon". The
 * material must have been filled by wobble_material_init() before. A body takes material and
 * level weights together with wobble_body_set_preset().
 */
WobbleStatus wobble_material_named(const char *name, struct WobbleMaterial *out_material);

/**
 * Fills a definition with the defaults. size is sizeof(WobbleBodyDef).
 */
WobbleStatus wobble_body_def_init(struct WobbleBodyDef *def, uint32_t size);

/**
 * Makes a body of a shape. def may be null for the defaults. The shape may be released afterwards.
 */
WobbleStatus wobble_body_create(struct WobbleWorld world,
                                struct WobbleShape shape,
                                const struct WobbleBodyDef *def,
                                struct WobbleBody *out_body);

/**
 * Destroys a body; its handle becomes stale. What is attached to it, and fields that act on it alone, end too.
 */
WobbleStatus wobble_body_destroy(struct WobbleBody body);

/**
 * The world that a body lives in.
 */
WobbleStatus wobble_body_world(struct WobbleBody body, struct WobbleWorld *out_world);

/**
 * The shape of a body, with a reference of its own: wobble_shape_release() it when done.
 */
WobbleStatus wobble_body_shape(struct WobbleBody body, struct WobbleShape *out_shape);

/**
 * Enables (1) or disables (0) a body. A disabled one is not stepped and costs nothing.
 */
WobbleStatus wobble_body_set_enabled(struct WobbleBody body, uint32_t enabled);

/**
 * Sets the velocity of all particles, m/s.
 */
WobbleStatus wobble_body_set_velocity(struct WobbleBody body, float x, float y, float z);

/**
 * Puts the centre of mass at position, metres, and the body about it in its rest shape, turned by rotation and
 * at rest. Dents, cuts and breaks stay; wobble_body_reset() ends them. Pins go along; frames that hold it are put
 * there by wobble_attachment_set_pose(). A frozen body goes on. A null position leaves the centre where it is; a
 * null rotation is none.
 */
WobbleStatus wobble_body_teleport(struct WobbleBody body,
                                  const struct WobbleVec3 *position,
                                  const struct WobbleQuat *rotation);

/**
 * Back to the rest shape, upright and at rest, about the present centre of mass: undented, uncut and unbroken. Pieces that
 * broke off from it are destroyed, and the centre is that of all of them; a piece that broke off goes back to its own
 * rest shape. A frozen body goes on.
 */
WobbleStatus wobble_body_reset(struct WobbleBody body);

/**
 * Applies a force, newtons, to the whole body during the next step.
 */
WobbleStatus wobble_body_apply_force(struct WobbleBody body, float x, float y, float z);

/**
 * Applies a force, newtons, to one particle during the next step.
 */
WobbleStatus wobble_body_apply_force_to(struct WobbleBody body, uint32_t particle, float x, float y, float z);

/**
 * Applies an impulse, newton seconds, to the whole body at once.
 */
WobbleStatus wobble_body_apply_impulse(struct WobbleBody body, float x, float y, float z);

/**
 * Applies an impulse, newton seconds, to one particle at once.
 */
WobbleStatus wobble_body_apply_impulse_to(struct WobbleBody body,
                                          uint32_t particle,
                                          float x,
                                          float y,
                                          float z);

/**
 * Applies an impulse, newton seconds, to the particles within radius metres of a point, more to
 * nearer ones. Refused if there is none.
 */
WobbleStatus wobble_body_apply_impulse_at(struct WobbleBody body,
                                          const struct WobbleVec3 *point,
                                          const struct WobbleVec3 *impulse,
                                          float radius);

/**
 * Applies an angular impulse, N m s, to the whole body at once: it spins up about its centre of
 * mass. Refused if the body has no extent to take it.
 */
WobbleStatus wobble_body_apply_torque_impulse(struct WobbleBody body, float x, float y, float z);

/**
 * Holds a particle where it is. Particles count from 0 in the order the points were given in.
 */
WobbleStatus wobble_body_pin(struct WobbleBody body, uint32_t particle);

/**
 * Lets a pinned particle go.
 */
WobbleStatus wobble_body_unpin(struct WobbleBody body, uint32_t particle);

/**
 * Moves a pinned particle to a point, metres, in the course of the next step.
 */
WobbleStatus wobble_body_move_pin(struct WobbleBody body, uint32_t particle, float x, float y, float z);

/**
 * Puts one particle somewhere, metres.
 */
WobbleStatus wobble_body_set_position_of(struct WobbleBody body,
                                         uint32_t particle,
                                         float x,
                                         float y,
                                         float z);

/**
 * Sets the velocity of one particle, m/s.
 */
WobbleStatus wobble_body_set_velocity_of(struct WobbleBody body,
                                         uint32_t particle,
                                         float x,
                                         float y,
                                         float z);

/**
 * Sets all positions, metres, world space. Changes nothing if one is refused.
 *
 * positions     3 floats a particle, in the order the points were given in
 * count         must be the number of particles
 * stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
 */
WobbleStatus wobble_body_set_positions(struct WobbleBody body,
                                       const float *positions,
                                       uint32_t count,
                                       uint32_t stride);

/**
 * Sets all velocities, m/s. Changes nothing if one is refused. Parameters as for
 * wobble_body_set_positions().
 */
WobbleStatus wobble_body_set_velocities(struct WobbleBody body,
                                        const float *velocities,
                                        uint32_t count,
                                        uint32_t stride);

/**
 * Bytes that wobble_body_snapshot() takes now.
 */
WobbleStatus wobble_body_snapshot_size(struct WobbleBody body, uint32_t *out_size);

/**
 * The state of a body as bytes, its material and level weights included, its shape not.
 */
WobbleStatus wobble_body_snapshot(struct WobbleBody body,
                                  uint8_t *out_bytes,
                                  uint32_t capacity,
                                  uint32_t *out_size);

/**
 * Puts a body into the state of a snapshot of a body of the same shape. Changes nothing on failure.
 */
WobbleStatus wobble_body_restore(struct WobbleBody body, const uint8_t *bytes, uint32_t size);

/**
 * The particles in a box along the axes, its faces included, in ascending order.
 *
 * bounds        the box
 * space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
 * out_particles receives their numbers
 * capacity      numbers that fit; wobble_body_particle_count() is always enough
 */
WobbleStatus wobble_body_particles_in_box(struct WobbleBody body,
                                          const struct WobbleBounds *bounds,
                                          uint32_t space,
                                          uint32_t *out_particles,
                                          uint32_t capacity,
                                          uint32_t *out_count);

/**
 * The particles in a sphere, its surface included, in ascending order.
 *
 * radius        metres, 0 to 1e9
 * space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
 * out_particles receives their numbers
 * capacity      numbers that fit; wobble_body_particle_count() is always enough
 */
WobbleStatus wobble_body_particles_in_sphere(struct WobbleBody body,
                                             const struct WobbleVec3 *centre,
                                             float radius,
                                             uint32_t space,
                                             uint32_t *out_particles,
                                             uint32_t capacity,
                                             uint32_t *out_count);

/**
 * The particle nearest to a point, whatever the distance. Refused if the body has no particles.
 *
 * space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
 */
WobbleStatus wobble_body_nearest_particle(struct WobbleBody body,
                                          const struct WobbleVec3 *point,
                                          uint32_t space,
                                          uint32_t *out_particle);

/**
 * The material of a body.
 */
WobbleStatus wobble_body_material(struct WobbleBody body, struct WobbleMaterial *out_material);

/**
 * Sets the material of a body. Can be done at any time, every frame if need be.
 */
WobbleStatus wobble_body_set_material(struct WobbleBody body, const struct WobbleMaterial *material);

/**
 * Sets material and level weights by name: see wobble_material_named().
 */
WobbleStatus wobble_body_set_preset(struct WobbleBody body, const char *name);

/**
 * Number of levels, finest first.
 */
WobbleStatus wobble_body_level_count(struct WobbleBody body, uint32_t *out_count);

/**
 * The weight of a level, 0 being the finest. The weights of all levels sum to 1.
 */
WobbleStatus wobble_body_level_weight(struct WobbleBody body, uint32_t level, float *out_weight);

/**
 * Sets the weights of all levels, finest first: 0 or more, not all 0. They are scaled to sum to 1.
 */
WobbleStatus wobble_body_set_level_weights(struct WobbleBody body, const float *weights, uint32_t count);

/**
 * Sets the weight of one level, from 0 to 1; the others keep their proportions and share the rest.
 */
WobbleStatus wobble_body_set_level_weight(struct WobbleBody body, uint32_t level, float weight);

/**
 * Sets the weights of all levels by a scheme:
 *
 * "uniform"                                all alike; a and b are not used
 * "linear_fine", "linear_coarse"           rising by equal steps; a is the lowest weight, the step being 1
 * "gaussian_fine", "gaussian_coarse"       falling off like a normal distribution
 * "polynomial_fine", "polynomial_coarse"   (1 + a s) to the power b
 *
 * _fine gives fine levels more: softer, with more detail. _coarse gives coarse levels more:
 * stiffer, returns sooner to its shape.
 */
WobbleStatus wobble_body_set_weighting(struct WobbleBody body, const char *name, float a, float b);

/**
 * What multiplies the stiffness of a level. Default 1.
 */
WobbleStatus wobble_body_level_stiffness(struct WobbleBody body, uint32_t level, float *out_multiplier);

/**
 * Multiplies the stiffness of a level.
 */
WobbleStatus wobble_body_set_level_stiffness(struct WobbleBody body, uint32_t level, float multiplier);

/**
 * What multiplies the damping of a level. Default 1.
 */
WobbleStatus wobble_body_level_damping(struct WobbleBody body, uint32_t level, float *out_multiplier);

/**
 * Multiplies the damping of a level.
 */
WobbleStatus wobble_body_set_level_damping(struct WobbleBody body, uint32_t level, float multiplier);

/**
 * Fills a struct with the defaults. size is sizeof(WobblePlasticity).
 */
WobbleStatus wobble_plasticity_init(struct WobblePlasticity *plasticity, uint32_t size);

/**
 * Lets the deformation of a body last; with null no more of it does, and what has lasted stays until
 * wobble_body_reset(). Not for bodies with quadratic goals. A step of such a body takes about a fifth longer, and up to
 * three times as long while much of it flows.
 */
WobbleStatus wobble_body_set_plasticity(struct WobbleBody body,
                                        const struct WobblePlasticity *plasticity);

/**
 * How the deformation of a body lasts; out_enabled gets 1 if it does, else 0, and then out_plasticity the defaults.
 */
WobbleStatus wobble_body_plasticity(struct WobbleBody body,
                                    struct WobblePlasticity *out_plasticity,
                                    uint32_t *out_enabled);

/**
 * What the flow of a level is multiplied by; 1 at first.
 */
WobbleStatus wobble_body_level_flow(struct WobbleBody body, uint32_t level, float *out_multiplier);

/**
 * Multiplies the flow of a level, 0 to 1. The finest level, 0, decides what lasts; a coarser nested one follows it by this
 * share. With 0 for the coarse levels a surface can be dented while the outline as a whole comes back.
 */
WobbleStatus wobble_body_set_level_flow(struct WobbleBody body,
                                        uint32_t level,
                                        float multiplier);

/**
 * The largest lasting strain of a finest cluster; 0 where nothing lasts.
 */
WobbleStatus wobble_body_lasting_strain(struct WobbleBody body, float *out_strain);

/**
 * Fills a struct with the defaults. size is sizeof(WobbleFracture).
 */
WobbleStatus wobble_fracture_init(struct WobbleFracture *fracture, uint32_t size);

/**
 * Lets a body break where it is stretched too far; null lets it be whole however far. Finds the body's
 * surface, so that a step in which it breaks need not.
 */
WobbleStatus wobble_body_set_fracture(struct WobbleBody body, const struct WobbleFracture *fracture);

/**
 * How a body breaks; out_enabled gets 1 if it does, else 0, and then out_fracture the defaults.
 */
WobbleStatus wobble_body_fracture(struct WobbleBody body,
                                  struct WobbleFracture *out_fracture,
                                  uint32_t *out_enabled);

/**
 * Multiplies the toughness about each particle, in creation order, 0.001 to 1e6; a cluster has the mean of its
 * members. A count of 0 makes it the same everywhere again.
 *
 * map     a number for each particle
 * count   0, or as many as the body has particles
 * stride  bytes from one to the next, 0 for tightly packed
 */
WobbleStatus wobble_body_paint_toughness(struct WobbleBody body,
                                         const float *map,
                                         uint32_t count,
                                         uint32_t stride);

/**
 * Cuts a body by a plane without end through point, square to normal. out_bodies gets how many bodies it is then, 1 if
 * it still hangs together; wobble_world_breaks() names them.
 */
WobbleStatus wobble_body_cut_plane(struct WobbleBody body,
                                   const struct WobbleVec3 *point,
                                   const struct WobbleVec3 *normal,
                                   uint32_t *out_bodies);

/**
 * Cuts a body by the area that a straight edge sweeps on its way from one place to another: from and to are
 * its two ends each. out_bodies gets how many bodies it is then, 1 if it still hangs together; wobble_world_breaks() names them.
 */
WobbleStatus wobble_body_cut_blade(struct WobbleBody body,
                                   const struct WobbleVec3 *from,
                                   const struct WobbleVec3 *to,
                                   uint32_t *out_bodies);

/**
 * The pieces of bodies that broke in the last step or were cut since, one for each piece, that which kept the handle included,
 * into out_breaks, which holds capacity of them. Nothing for bodies that cracked but still hang together.
 */
WobbleStatus wobble_world_breaks(struct WobbleWorld world,
                                 struct WobbleBreak *out_breaks,
                                 uint32_t capacity,
                                 uint32_t *out_count);

/**
 * Number of pieces that wobble_world_breaks() tells of, and of their particles.
 */
WobbleStatus wobble_world_break_count(struct WobbleWorld world, uint32_t *out_count, uint32_t *out_particles);

/**
 * For each particle of each piece that wobble_world_breaks() tells of, in the piece's creation order, which one it was of the
 * body that broke, in that one's.
 */
WobbleStatus wobble_world_broken_particles(struct WobbleWorld world,
                                           uint32_t *out_particles,
                                           uint32_t capacity,
                                           uint32_t *out_count);

/**
 * Bounds the cracks that open in a step, 0 to 1000; 16 at first. The least stretched wait for the next step.
 */
WobbleStatus wobble_world_set_most_fractures(struct WobbleWorld world, uint32_t most);

/**
 * The most cracks that open in a step.
 */
WobbleStatus wobble_world_most_fractures(struct WobbleWorld world, uint32_t *out_most);

/**
 * Where the vertices of a piece's mesh lie in the mesh that its body had before it broke, one for each vertex; none for a shape
 * that is no piece. The shape of a piece comes from wobble_body_shape(), its triangles from the functions for meshes.
 */
WobbleStatus wobble_shape_skin_sources(struct WobbleShape shape,
                                       struct WobbleSkinSource *out_sources,
                                       uint32_t capacity,
                                       uint32_t *out_count);

/**
 * Number of particles.
 */
WobbleStatus wobble_body_particle_count(struct WobbleBody body, uint32_t *out_count);

/**
 * Copies the particle positions, metres, world space. Does not allocate. Writes nothing on failure.
 *
 * out_positions receives 3 floats a particle, in the order the points were given in
 * stride        bytes from one particle to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      particles that fit; at least wobble_body_particle_count()
 */
WobbleStatus wobble_body_positions(struct WobbleBody body,
                                   float *out_positions,
                                   uint32_t stride,
                                   uint32_t capacity);

/**
 * Copies the particle velocities, m/s. Parameters as for wobble_body_positions().
 */
WobbleStatus wobble_body_velocities(struct WobbleBody body,
                                    float *out_velocities,
                                    uint32_t stride,
                                    uint32_t capacity);

/**
 * Copies the positions from before the last step, for interpolation. Parameters as for
 * wobble_body_positions().
 */
WobbleStatus wobble_body_previous_positions(struct WobbleBody body,
                                            float *out_positions,
                                            uint32_t stride,
                                            uint32_t capacity);

/**
 * Where one particle is, metres, world space.
 */
WobbleStatus wobble_body_position_of(struct WobbleBody body,
                                     uint32_t particle,
                                     struct WobbleVec3 *out_position);

/**
 * How fast one particle moves, m/s.
 */
WobbleStatus wobble_body_velocity_of(struct WobbleBody body,
                                     uint32_t particle,
                                     struct WobbleVec3 *out_velocity);

/**
 * The particle positions where the library keeps them, without a copy: 3 floats each, 16 bytes
 * apart, the fourth not for use. They are in an order of the library's own, which
 * wobble_shape_view_order() gives. Good until the next step of the world or change of the body.
 */
WobbleStatus wobble_body_view_positions(struct WobbleBody body, struct WobbleView *out_view);

/**
 * The particle velocities likewise.
 */
WobbleStatus wobble_body_view_velocities(struct WobbleBody body, struct WobbleView *out_view);

/**
 * Copies how the clusters of a level are placed and turned: bones to skin a mesh with, at the
 * scale of that level. Exact for the present positions; costs about a match of the levels up to
 * this one.
 *
 * out_transforms receives 7 floats a cluster: quaternion x, y, z, w, then position
 * stride        bytes from one to the next; a multiple of 4, at least 28; 0 for tightly packed
 * capacity      clusters that fit
 */
WobbleStatus wobble_body_cluster_transforms(struct WobbleBody body,
                                            uint32_t level,
                                            struct WobbleTransform *out_transforms,
                                            uint32_t stride,
                                            uint32_t capacity);

/**
 * The centre of mass, metres.
 */
WobbleStatus wobble_body_centre_of_mass(struct WobbleBody body, struct WobbleVec3 *out_centre);

/**
 * The momentum, kg m/s.
 */
WobbleStatus wobble_body_momentum(struct WobbleBody body, struct WobbleVec3 *out_momentum);

/**
 * The angular momentum about the centre of mass, kg m²/s.
 */
WobbleStatus wobble_body_angular_momentum(struct WobbleBody body, struct WobbleVec3 *out_momentum);

/**
 * The smallest box along the axes that holds all particles. An empty body has low = high = 0.
 */
WobbleStatus wobble_body_bounds(struct WobbleBody body, struct WobbleBounds *out_bounds);

/**
 * How far the body is from its rest shape: 0 when it is only moved and turned; the mean distance
 * of particles from there, as a share of the body's size.
 */
WobbleStatus wobble_body_shape_error(struct WobbleBody body, float *out_error);

/**
 * The present volume over that at rest: 1 at rest, 0.5 for a body pressed to half its height that
 * cannot bulge. Where parts are inside out they count as negative; a flat body counts by its area.
 * Costs about a match of the finest level.
 */
WobbleStatus wobble_body_volume(struct WobbleBody body, float *out_volume);

/**
 * The kinetic energy, joules.
 */
WobbleStatus wobble_body_kinetic_energy(struct WobbleBody body, float *out_energy);

/**
 * The energy held in deformation, joules, for substeps as long as the last one (1/240 s before the
 * first). Costs about a match of all levels.
 */
WobbleStatus wobble_body_elastic_energy(struct WobbleBody body, float *out_energy);

/**
 * 1 if the body takes part in steps, 0 if it was disabled.
 */
WobbleStatus wobble_body_is_enabled(struct WobbleBody body, uint32_t *out_enabled);

/**
 * 1 if the body went out of bounds in a step, was put back and is frozen until reset or teleported.
 */
WobbleStatus wobble_body_is_frozen(struct WobbleBody body, uint32_t *out_frozen);

/**
 * 1 if the particle is pinned.
 */
WobbleStatus wobble_body_is_pinned(struct WobbleBody body, uint32_t particle, uint32_t *out_pinned);

/**
 * Number of pinned particles.
 */
WobbleStatus wobble_body_pin_count(struct WobbleBody body, uint32_t *out_count);

/**
 * The pinned particles, in the order they were pinned in, into out_particles, which holds capacity
 * of them.
 */
WobbleStatus wobble_body_pins(struct WobbleBody body,
                              uint32_t *out_particles,
                              uint32_t capacity,
                              uint32_t *out_count);

/**
 * Fills the struct with null pointers and fraction = 1. size is sizeof(WobbleSkinBuffers).
 */
WobbleStatus wobble_skin_buffers_init(struct WobbleSkinBuffers *buffers, uint32_t size);

/**
 * Number of vertices of the mesh that bodies of this shape carry; 0 if it was not made from a mesh.
 */
WobbleStatus wobble_shape_vertex_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * The vertices at rest, metres about the shape's centre of mass, in the order of the mesh.
 *
 * out_positions receives 3 floats a vertex
 * stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      vertices that fit; at least wobble_shape_vertex_count()
 */
WobbleStatus wobble_shape_vertices(struct WobbleShape shape,
                                   float *out_positions,
                                   uint32_t stride,
                                   uint32_t capacity);

/**
 * The normals of the vertices at rest, of unit length.
 *
 * out_normals   receives 3 floats a vertex
 * stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      vertices that fit; at least wobble_shape_vertex_count()
 */
WobbleStatus wobble_shape_normals(struct WobbleShape shape,
                                  float *out_normals,
                                  uint32_t stride,
                                  uint32_t capacity);

/**
 * The tangents of the vertices at rest: a direction of unit length, and 1 or -1 for the side of the
 * bitangent. Refused if the mesh has none.
 *
 * out_tangents  receives 4 floats a vertex
 * stride        bytes from one to the next; a multiple of 4, at least 16; 0 for tightly packed
 * capacity      vertices that fit; at least wobble_shape_vertex_count()
 */
WobbleStatus wobble_shape_tangents(struct WobbleShape shape,
                                   float *out_tangents,
                                   uint32_t stride,
                                   uint32_t capacity);

/**
 * Number of indices of the mesh, three a triangle.
 */
WobbleStatus wobble_shape_index_count(struct WobbleShape shape, uint32_t *out_count);

/**
 * The indices of the mesh, three a triangle, into out_indices, which holds capacity of them.
 */
WobbleStatus wobble_shape_indices(struct WobbleShape shape,
                                  uint32_t *out_indices,
                                  uint32_t capacity,
                                  uint32_t *out_count);

/**
 * Which finest clusters carry each vertex and with what weight, for a host that skins on the GPU with
 * wobble_body_bones(). WOBBLE_INFLUENCES a vertex, largest weight first; weights of a vertex sum
 * to 1 and are multiples of 1/65535; those of 0 fill up.
 *
 * out_clusters  receives WOBBLE_INFLUENCES numbers a vertex
 * out_weights   receives WOBBLE_INFLUENCES floats a vertex
 * capacity      vertices that fit; at least wobble_shape_vertex_count()
 */
WobbleStatus wobble_shape_influences(struct WobbleShape shape,
                                     uint32_t *out_clusters,
                                     float *out_weights,
                                     uint32_t capacity);

/**
 * Writes the deformed mesh into the host's vertex buffer: any of positions, normals, tangents and
 * positions before the last step, now or between the last two steps. Spread over the world's threads. While a
 * step runs in the background, the state before it is read. The first read after a step matches the finest
 * clusters, later ones reuse that. Allocates at a body's first read only. Writes nothing on failure.
 *
 * buffers       what is wanted and where it goes
 * out_bounds    receives the smallest box along the axes that holds all vertices; or null
 *
 * WOBBLE_STATUS_INVALID_ARGUMENT  the shape was not made from a mesh, or tangents are asked of a mesh without
 * WOBBLE_STATUS_BUFFER_TOO_SMALL  buffers.capacity is too small
 */
WobbleStatus wobble_body_read_skin(struct WobbleBody body,
                                   const struct WobbleSkinBuffers *buffers,
                                   struct WobbleBounds *out_bounds);

/**
 * The same for many bodies of one world, several at a time on the world's threads: for hosts that draw many small bodies,
 * which gain nothing from threads one by one. Writes nothing on failure.
 *
 * bodies        count bodies of the world
 * buffers       one a body, one after the other, all with the first one's struct_size; no two may overlap
 * count         how many there are
 * out_bounds    receives the boxes that hold all vertices, one a body; or null
 *
 * WOBBLE_STATUS_INVALID_ARGUMENT  a body is another world's, and as for wobble_body_read_skin()
 * WOBBLE_STATUS_STALE_HANDLE      a body is not there
 * WOBBLE_STATUS_BUFFER_TOO_SMALL  a capacity is too small
 */
WobbleStatus wobble_world_read_skins(struct WobbleWorld world,
                                     const struct WobbleBody *bodies,
                                     const struct WobbleSkinBuffers *buffers,
                                     uint32_t count,
                                     struct WobbleBounds *out_bounds);

/**
 * Copies the 3x4 matrix of each finest cluster: what is at rest position r of wobble_shape_vertices()
 * goes to the sum over its influences of weight times matrix times (r, 1), world space. Normals go by
 * the inverse transpose of that sum. For a host that skins on the GPU.
 *
 * fraction      when, between the last two steps: 0 is before the last one, 1 is now
 * out_matrices  receives 12 floats a cluster: three rows of four
 * stride        bytes from one matrix to the next; a multiple of 4, at least 48; 0 for tightly packed
 * capacity      matrices that fit; at least as many as the finest level has clusters
 */
WobbleStatus wobble_body_bones(struct WobbleBody body,
                               float fraction,
                               float *out_matrices,
                               uint32_t stride,
                               uint32_t capacity);

/**
 * Copies the particle positions between the last two steps, metres, world space: for drawing more often
 * than stepping. What was teleported, reset or set in place does not slide there.
 *
 * fraction      0 is before the last step, 1 is now
 * out_positions receives 3 floats a particle, in the order the points were given in
 * stride        bytes from one particle to the next; a multiple of 4, at least 12; 0 for tightly packed
 * capacity      particles that fit; at least wobble_body_particle_count()
 */
WobbleStatus wobble_body_positions_at(struct WobbleBody body,
                                      float fraction,
                                      float *out_positions,
                                      uint32_t stride,
                                      uint32_t capacity);

/**
 * Lets bodies at rest fall asleep (1), or keeps all awake (0). A body falls asleep when it has been
 * moving, all its particles taken together, at no more than speed times the square root of its width,
 * in metres and seconds, for half a second, and so has every body that it touches or is joined to; these
 * sleep and wake together. speed is 0 to 1e6 m/s; 0.03 at first.
 *
 * One that sleeps costs next to nothing and stays where it is. It wakes when a body touches it, when a
 * collider near it comes, goes, changes or moves, and by every call that changes something about it.
 * Nothing is told of its contacts while it sleeps: they go on, and stay or end when it wakes. It pushes
 * nothing, so keep bodies awake whose weight your own rigid bodies are to carry.
 */
WobbleStatus wobble_world_set_sleeping(struct WobbleWorld world, uint32_t enabled, float speed);

/**
 * Whether bodies at rest fall asleep, 1 or 0, and what counts as rest for a body of 1 m, m/s.
 */
WobbleStatus wobble_world_sleeping(struct WobbleWorld world, uint32_t *out_enabled, float *out_speed);

/**
 * The handles of those bodies that fell asleep in the last step, or were put to sleep before it, into
 * out_bodies. There are at most wobble_world_body_count().
 */
WobbleStatus wobble_world_slept(struct WobbleWorld world,
                                struct WobbleBody *out_bodies,
                                uint32_t capacity,
                                uint32_t *out_count);

/**
 * The handles of those bodies that woke in the last step, or were woken before it, into out_bodies.
 * There are at most wobble_world_body_count().
 */
WobbleStatus wobble_world_woke(struct WobbleWorld world,
                               struct WobbleBody *out_bodies,
                               uint32_t capacity,
                               uint32_t *out_count);

/**
 * Wakes every body of a world.
 */
WobbleStatus wobble_world_wake_all(struct WobbleWorld world);

/**
 * Lets a body fall asleep once it is at rest (1), or keeps it awake (0).
 */
WobbleStatus wobble_body_set_can_sleep(struct WobbleBody body, uint32_t can_sleep);

/**
 * 1 if the body may fall asleep once it is at rest.
 */
WobbleStatus wobble_body_can_sleep(struct WobbleBody body, uint32_t *out_can_sleep);

/**
 * 1 if the body sleeps: steps pass over it, and it stays where it is.
 */
WobbleStatus wobble_body_is_sleeping(struct WobbleBody body, uint32_t *out_sleeping);

/**
 * Wakes a body; the next step wakes those that fell asleep with it. One that is awake begins to count
 * its time at rest anew.
 */
WobbleStatus wobble_body_wake(struct WobbleBody body);

/**
 * Puts a body to sleep where it is, whatever it does: its velocities and the forces on it are gone.
 * Whatever is awake and touches it or is joined to it wakes it again. Does nothing to a body that is
 * disabled or frozen.
 */
WobbleStatus wobble_body_put_to_sleep(struct WobbleBody body);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WOBBLE_H */
