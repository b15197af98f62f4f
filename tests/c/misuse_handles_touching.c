/* Wrong handles for every function about attachments, force fields, queries and what is read back. */
#include "check.h"

static union {
    uint32_t numbers[COUNT];
    float floats[COUNT * 4];
    WobbleVec3 vectors[2];
    WobbleHit hit;
    WobblePartner partners[4];
    WobbleAttachment attachments[4];
    WobbleCollider colliders[4];
    WobbleField fields[4];
    WobbleContact contact;
} out;
static uint32_t out_count;
static float out_float;
static WobbleVec3 vector, half = {1, 1, 1};
static WobbleQuat turn = {0, 0, 0, 1};
static WobbleBounds bounds;
static WobbleAttachmentDef attachment_def;
static WobbleJointDef joint_def;
static WobbleDragDef drag_def;
static WobbleFieldDef field_def, out_field_def;
static WobbleColliderDef out_collider_def;
static WobbleBody live;

static WobbleStatus call_world(int which, WobbleWorld w) {
    switch (which) {
    case 0: return wobble_world_attachment_count(w, out.numbers);
    case 1: return wobble_world_attachments(w, out.attachments, 4, &out_count);
    case 2: return wobble_world_broken_attachment_count(w, out.numbers);
    case 3: return wobble_world_broken_attachments(w, out.attachments, 4, &out_count);
    case 4: return wobble_field_create(w, &field_def, out.fields);
    case 5: return wobble_world_field_count(w, out.numbers);
    case 6: return wobble_world_fields(w, out.fields, 4, &out_count);
    case 7: return wobble_world_explode(w, &vector, 1, 1, 1);
    case 8: return wobble_world_cast_ray(w, &vector, &half, 1, 1, 1, &out.hit);
    case 9: return wobble_world_closest_point(w, &vector, 1, 1, 1, &out.hit);
    case 10: return wobble_world_overlap_sphere(w, &vector, 1, 1, 1, out.partners, 4, &out_count);
    case 11: return wobble_world_overlap_box(w, &vector, &half, &turn, 1, 1, out.partners, 4, &out_count);
    case 12: return wobble_world_contact_reporting(w, &out_float, out.numbers);
    case 13: return wobble_world_collider_count(w, out.numbers);
    case 14: return wobble_world_colliders(w, out.colliders, 4, &out_count);
    default: return -1;
    }
}

static WobbleStatus call_body(int which, WobbleBody b) {
    static const uint32_t particle = 3;
    switch (which) {
    case 0: return wobble_body_attach(b, &particle, 1, &attachment_def, out.attachments);
    case 1: return wobble_body_join(b, live, &joint_def, out.attachments);
    case 2: return wobble_body_join(live, b, &joint_def, out.attachments);
    case 3: return wobble_body_drag(b, &drag_def, out.attachments);
    case 4: return wobble_body_particles_in_box(b, &bounds, 0, out.numbers, COUNT, &out_count);
    case 5: return wobble_body_particles_in_sphere(b, &vector, 1, 0, out.numbers, COUNT, &out_count);
    case 6: return wobble_body_nearest_particle(b, &vector, 0, out.numbers);
    case 7: return wobble_body_surface(b, out.floats, out.floats + 1, out.numbers + 2);
    case 8: return wobble_body_groups(b, out.numbers, out.numbers + 1);
    case 9: return wobble_body_particle_radius(b, out.floats);
    case 10: return wobble_body_is_touching(b, out.numbers);
    case 11: return wobble_body_position_of(b, 0, out.vectors);
    case 12: return wobble_body_velocity_of(b, 0, out.vectors);
    default: return -1;
    }
}

static WobbleStatus call_attachment(int which, WobbleAttachment a) {
    switch (which) {
    case 0: return wobble_attachment_move(a, &vector, &turn);
    case 1: return wobble_attachment_set_pose(a, &vector, &turn);
    case 2: return wobble_attachment_impulse(a, out.vectors, out.vectors + 1);
    case 3: return wobble_attachment_destroy(a);
    default: return -1;
    }
}

static WobbleStatus call_field(int which, WobbleField f) {
    switch (which) {
    case 0: return wobble_field_definition(f, &out_field_def);
    case 1: return wobble_field_set_definition(f, &field_def);
    case 2: return wobble_field_destroy(f);
    default: return -1;
    }
}

static WobbleStatus call_shape(int which, WobbleShape s) {
    switch (which) {
    case 0: return wobble_shape_spacing(s, out.floats);
    case 1: return wobble_shape_pin_count(s, out.numbers);
    case 2: return wobble_shape_pins(s, out.numbers, COUNT, &out_count);
    case 3: return wobble_shape_normals(s, out.floats, 0, COUNT);
    case 4: return wobble_shape_tangents(s, out.floats, 0, COUNT);
    default: return -1;
    }
}

typedef struct Bits {
    uint64_t world, body, attachment, field, shape, collider;
} Bits;

static void all_refuse(Bits bits, WobbleStatus wanted) {
    mark(&out, sizeof out);
    for (int i = 0; i < 15; i++) {
        WobbleWorld w = {bits.world};
        REFUSED(wanted, wanted == WOBBLE_STATUS_STALE_HANDLE ? "world" : "handle", call_world(i, w));
    }
    for (int i = 0; i < 13; i++) {
        WobbleBody b = {bits.body};
        REFUSED(wanted, "handle", call_body(i, b));
    }
    for (int i = 0; i < 4; i++) {
        WobbleAttachment a = {bits.attachment};
        REFUSED(wanted, "attachment", call_attachment(i, a));
    }
    for (int i = 0; i < 3; i++) {
        WobbleField f = {bits.field};
        REFUSED(wanted, "field", call_field(i, f));
    }
    for (int i = 0; i < 5; i++) {
        WobbleShape s = {bits.shape};
        REFUSED(wanted, "shape", call_shape(i, s));
    }
    WobbleCollider c = {bits.collider};
    REFUSED(wanted, "collider", wobble_collider_definition(c, &out_collider_def));
    REFUSED(wanted, "collider", wobble_collider_is_solid(c, out.numbers));
    CHECK(is_untouched(&out, sizeof out));
}

static void bodies_of_other_worlds_are_refused(WobbleWorld world) {
    WobbleWorld elsewhere = calm_world();
    WobbleBody foreign = add_cube(elsewhere), stale = add_cube(world);
    WobbleFieldDef def = field_def;
    WobbleField field;
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "other", wobble_body_join(live, foreign, &joint_def, out.attachments));
    def.body = foreign;
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "body", wobble_field_create(world, &def, &field));
    OK(wobble_field_create(world, &field_def, &field));
    REFUSED(WOBBLE_STATUS_INVALID_ARGUMENT, "body", wobble_field_set_definition(field, &def));
    OK(wobble_body_destroy(stale));
    def.body = stale;
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_field_create(world, &def, &field));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_field_set_definition(field, &def));
    def.body.bits = world.bits;
    REFUSED(WOBBLE_STATUS_INVALID_HANDLE, "body", wobble_field_create(world, &def, &field));
    OK(wobble_field_destroy(field));
    OK(wobble_world_destroy(elsewhere));
}

int main(void) {
    WobbleWorld world = calm_world(), gone = calm_world();
    WobbleBody stale_body = add_cube(world);
    WobbleAttachment attachment, stale_attachment;
    WobbleField field, stale_field;
    WobbleCollider collider, stale_collider;
    WobbleShape shape = cube(), stale_shape = cube();
    const uint32_t particle = 0;
    Bits bits = {0, 0, 0, 0, 0, 0};
    live = add_cube(world);
    OK(wobble_attachment_def_init(&attachment_def, sizeof attachment_def));
    OK(wobble_joint_def_init(&joint_def, sizeof joint_def));
    OK(wobble_drag_def_init(&drag_def, sizeof drag_def));
    OK(wobble_field_def_init(&field_def, sizeof field_def));
    OK(wobble_field_def_init(&out_field_def, sizeof out_field_def));
    OK(wobble_collider_def_init(&out_collider_def, sizeof out_collider_def));
    OK(wobble_body_attach(live, &particle, 1, NULL, &attachment));
    OK(wobble_body_attach(live, &particle, 1, NULL, &stale_attachment));
    OK(wobble_attachment_destroy(stale_attachment));
    OK(wobble_field_create(world, &field_def, &field));
    OK(wobble_field_create(world, &field_def, &stale_field));
    OK(wobble_field_destroy(stale_field));
    OK(wobble_collider_create(world, NULL, &collider));
    OK(wobble_collider_create(world, NULL, &stale_collider));
    OK(wobble_collider_destroy(stale_collider));
    OK(wobble_body_destroy(stale_body));
    OK(wobble_world_destroy(gone));
    OK(wobble_shape_release(stale_shape));
    all_refuse(bits, WOBBLE_STATUS_NULL_HANDLE);
    bits.world = live.bits;
    bits.body = attachment.bits;
    bits.attachment = field.bits;
    bits.field = attachment.bits;
    bits.shape = field.bits;
    bits.collider = world.bits;
    all_refuse(bits, WOBBLE_STATUS_INVALID_HANDLE);
    bits.world = gone.bits;
    bits.body = stale_body.bits;
    bits.attachment = stale_attachment.bits;
    bits.field = stale_field.bits;
    bits.shape = stale_shape.bits;
    bits.collider = stale_collider.bits;
    all_refuse(bits, WOBBLE_STATUS_STALE_HANDLE);
    /* Numbers that were not given out yet, or cannot be. */
    bits.attachment = attachment.bits + 1000;
    bits.field = field.bits + 1000;
    all_refuse(bits, WOBBLE_STATUS_STALE_HANDLE);
    bits.attachment = attachment.bits + ((uint64_t)1 << 32);
    bits.field = field.bits + ((uint64_t)1 << 40);
    all_refuse(bits, WOBBLE_STATUS_STALE_HANDLE);
    bodies_of_other_worlds_are_refused(world);
    /* A field is no attachment, though they share their numbers. */
    attachment.bits = (attachment.bits & ~(uint64_t)0xffffffff) | (field.bits & 0xffffffff);
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "attachment", wobble_attachment_destroy(attachment));
    OK(wobble_shape_release(shape));
    OK(wobble_world_destroy(world));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "field", wobble_field_destroy(field));
    return 0;
}
