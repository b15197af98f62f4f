/* Shapes, worlds and bodies as bytes and back, and bytes that are not what they claim to be. */
#include "check.h"

struct Bytes {
    uint8_t *data;
    uint32_t size;
};

typedef WobbleStatus (*Save)(uint64_t bits, uint8_t *out_bytes, uint32_t capacity, uint32_t *out_size);

static WobbleStatus save_shape(uint64_t bits, uint8_t *out_bytes, uint32_t capacity, uint32_t *out_size) {
    WobbleShape shape = {bits};
    return wobble_shape_save(shape, out_bytes, capacity, out_size);
}

static WobbleStatus save_world(uint64_t bits, uint8_t *out_bytes, uint32_t capacity, uint32_t *out_size) {
    WobbleWorld world = {bits};
    return wobble_world_snapshot(world, out_bytes, capacity, out_size);
}

static WobbleStatus save_body(uint64_t bits, uint8_t *out_bytes, uint32_t capacity, uint32_t *out_size) {
    WobbleBody body = {bits};
    return wobble_body_snapshot(body, out_bytes, capacity, out_size);
}

/* All bytes of a thing; a buffer one byte too small is refused first and left as it was. */
static struct Bytes saved(Save save, uint64_t bits, uint32_t size) {
    struct Bytes bytes;
    uint32_t written;
    bytes.data = malloc(size + 16);
    bytes.size = size;
    CHECK(bytes.data != NULL && size > 0);
    mark(bytes.data, size + 16);
    mark(&written, sizeof written);
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "capacity", save(bits, bytes.data, size - 1, &written));
    REFUSED(WOBBLE_STATUS_BUFFER_TOO_SMALL, "capacity", save(bits, NULL, 0, &written));
    CHECK(is_untouched(bytes.data, size + 16) && is_untouched(&written, sizeof written));
    OK(save(bits, bytes.data, size + 16, &written));
    CHECK(written == size && is_untouched(bytes.data + size, 16));
    return bytes;
}

static struct Bytes saved_shape(WobbleShape shape) {
    uint32_t size;
    OK(wobble_shape_save_size(shape, &size));
    return saved(save_shape, shape.bits, size);
}

static struct Bytes saved_world(WobbleWorld world) {
    uint32_t size;
    OK(wobble_world_snapshot_size(world, &size));
    return saved(save_world, world.bits, size);
}

static struct Bytes saved_body(WobbleBody body) {
    uint32_t size;
    OK(wobble_body_snapshot_size(body, &size));
    return saved(save_body, body.bits, size);
}

typedef WobbleStatus (*Load)(const uint8_t *bytes, uint32_t size, void *user);

static WobbleStatus load_shape(const uint8_t *bytes, uint32_t size, void *user) {
    (void)user;
    WobbleShape shape;
    WobbleStatus status;
    mark(&shape, sizeof shape);
    status = wobble_shape_load(bytes, size, &shape);
    CHECK(status != WOBBLE_STATUS_OK && is_untouched(&shape, sizeof shape));
    return status;
}

static WobbleStatus restore_world(const uint8_t *bytes, uint32_t size, void *user) {
    return wobble_world_restore(*(WobbleWorld *)user, bytes, size, NULL, 0);
}

static WobbleStatus restore_body(const uint8_t *bytes, uint32_t size, void *user) {
    return wobble_body_restore(*(WobbleBody *)user, bytes, size);
}

static void is_refused(Load load, const uint8_t *bytes, uint32_t size, void *user) {
    WobbleStatus status = load(bytes, size, user);
    CHECK(status == WOBBLE_STATUS_CORRUPT || status == WOBBLE_STATUS_VERSION);
    CHECK(strchr(wobble_last_error(), ' ') != NULL);
}

/* Every load refuses bytes cut short, flipped, lengthened or of another kind. */
static void damaged_bytes_are_refused(Load load, struct Bytes good, struct Bytes other, void *user) {
    uint32_t step = small() ? good.size / 50 + 1 : good.size / 2000 + 1;
    /* Copies of the exact size, so that a tool sees a read past the end. */
    for (uint32_t size = 0; size < good.size; size += size < 64 ? 1 : step) {
        uint8_t *cut = malloc(size + 1);
        CHECK(cut != NULL);
        memcpy(cut, good.data, size);
        is_refused(load, cut, size, user);
        free(cut);
    }
    for (uint32_t at = 0; at < good.size; at += at < 64 ? 1 : step) {
        uint8_t bit = (uint8_t)(1u << at % 8);
        good.data[at] ^= bit;
        is_refused(load, good.data, good.size, user);
        good.data[at] ^= bit;
    }
    is_refused(load, good.data, good.size + 1, user);
    is_refused(load, other.data, other.size, user);
    is_refused(load, NULL, 0, user);
}

static void run(WobbleWorld world, int steps) {
    for (int i = 0; i < steps; i++) {
        OK(wobble_world_step(world, 1.0f / 60.0f));
    }
}

static WobbleWorld busy_world(WobbleShape shape, WobbleBody *first) {
    WobbleWorld world = calm_world();
    WobbleBodyDef def;
    WobbleBody body;
    WobbleCollider plane;
    OK(wobble_world_set_gravity(world, 0, -9.81f, 0));
    OK(wobble_collider_create(world, NULL, &plane));
    OK(wobble_body_def_init(&def, sizeof def));
    def.position.y = 1;
    OK(wobble_body_create(world, shape, &def, first));
    OK(wobble_body_set_preset(*first, "jelly"));
    OK(wobble_body_pin(*first, 3));
    def.position.x = 5;
    def.velocity.y = -3;
    OK(wobble_body_create(world, shape, &def, &body));
    OK(wobble_body_set_weighting(body, "gaussian_fine", 0, 0));
    return world;
}

static void a_loaded_shape_behaves_like_the_saved_one(void) {
    WobbleShape built = cube(), loaded;
    struct Bytes bytes = saved_shape(built);
    WobbleWorld one, two;
    WobbleBody body;
    uint64_t fingerprint, again;
    OK(wobble_shape_load(bytes.data, bytes.size, &loaded));
    CHECK(loaded.bits != built.bits);
    OK(wobble_shape_fingerprint(built, &fingerprint));
    OK(wobble_shape_fingerprint(loaded, &again));
    CHECK(fingerprint == again);
    one = busy_world(built, &body);
    two = busy_world(loaded, &body);
    run(one, 30);
    run(two, 30);
    CHECK(hash_of(one) == hash_of(two));
    OK(wobble_world_destroy(one));
    OK(wobble_world_destroy(two));
    OK(wobble_shape_release(built));
    OK(wobble_shape_release(loaded));
    free(bytes.data);
}

static void a_restored_world_goes_on_bit_for_bit(void) {
    WobbleShape shape = cube();
    WobbleBody body, later, bodies[4];
    WobbleWorld world = busy_world(shape, &body), fresh = calm_world();
    struct Bytes bytes;
    uint64_t then, end;
    uint32_t count;
    run(world, 20);
    bytes = saved_world(world);
    then = hash_of(world);
    run(world, 20);
    end = hash_of(world);
    OK(wobble_body_create(world, shape, NULL, &later));
    OK(wobble_world_restore(world, bytes.data, bytes.size, NULL, 0));
    CHECK(hash_of(world) == then);
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_reset(later));
    run(world, 20);
    CHECK(hash_of(world) == end);

    OK(wobble_body_destroy(body));
    REFUSED(WOBBLE_STATUS_STALE_HANDLE, "body", wobble_body_set_enabled(body, 1));
    OK(wobble_world_restore(world, bytes.data, bytes.size, NULL, 0));
    OK(wobble_body_set_enabled(body, 1));

    REFUSED(WOBBLE_STATUS_MISSING_SHAPE, "shape", wobble_world_restore(fresh, bytes.data, bytes.size, NULL, 0));
    OK(wobble_world_body_count(fresh, &count));
    CHECK(count == 0);
    OK(wobble_world_restore(fresh, bytes.data, bytes.size, &shape, 1));
    OK(wobble_world_bodies(fresh, bodies, 4, &count));
    CHECK(count == 2 && bodies[0].bits != body.bits);
    run(fresh, 20);
    OK(wobble_world_step_wait(fresh));
    CHECK(centre_of(bodies[1]).x > 4);
    CHECK(hash_of(fresh) == end);
    OK(wobble_world_destroy(world));
    OK(wobble_world_destroy(fresh));
    OK(wobble_shape_release(shape));
    free(bytes.data);
}

static void a_restored_body_goes_on_bit_for_bit(void) {
    WobbleShape shape = cube(), other_shape;
    WobbleBody body, other;
    WobbleWorld world = busy_world(shape, &body);
    struct Bytes bytes;
    uint64_t then;
    WobbleMaterial material;
    run(world, 20);
    bytes = saved_body(body);
    then = hash_of(world);
    OK(wobble_body_set_preset(body, "foam"));
    OK(wobble_body_unpin(body, 3));
    OK(wobble_body_reset(body));
    CHECK(hash_of(world) != then);
    OK(wobble_body_restore(body, bytes.data, bytes.size));
    CHECK(hash_of(world) == then);
    material.struct_size = sizeof material;
    OK(wobble_body_material(body, &material));
    OK(wobble_shape_create_from_points(cube_points(), COUNT - 1, 0, NULL, 0, NULL, &other_shape));
    OK(wobble_body_create(world, other_shape, NULL, &other));
    then = hash_of(world);
    REFUSED(WOBBLE_STATUS_MISSING_SHAPE, "shape", wobble_body_restore(other, bytes.data, bytes.size));
    CHECK(hash_of(world) == then);
    OK(wobble_world_destroy(world));
    OK(wobble_shape_release(shape));
    OK(wobble_shape_release(other_shape));
    free(bytes.data);
}

static void damage_is_found_wherever_it_is(void) {
    WobbleShape shape = cube();
    WobbleBody body;
    WobbleWorld world = busy_world(shape, &body);
    struct Bytes of_shape = saved_shape(shape), of_world = saved_world(world), of_body = saved_body(body);
    uint64_t hash = hash_of(world);
    damaged_bytes_are_refused(load_shape, of_shape, of_world, NULL);
    damaged_bytes_are_refused(restore_world, of_world, of_body, &world);
    damaged_bytes_are_refused(restore_body, of_body, of_shape, &body);
    CHECK(hash_of(world) == hash);
    OK(wobble_world_destroy(world));
    OK(wobble_shape_release(shape));
    free(of_shape.data);
    free(of_world.data);
    free(of_body.data);
}

int main(void) {
    a_loaded_shape_behaves_like_the_saved_one();
    a_restored_world_goes_on_bit_for_bit();
    a_restored_body_goes_on_bit_for_bit();
    damage_is_found_wherever_it_is();
    return 0;
}
