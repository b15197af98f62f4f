/* The loop of a game in C, for benches/csharp/Loop.cs to race against: step, read back, write meshes. */
#include <string.h>
#include <wobble.h>

typedef struct {
    WobbleWorld world;
    const WobbleBody *bodies;
    uint32_t body_count, particle_count, vertex_count, frames;
    /* The host's arrays: particles, vertices, normals, and the mesh that both are written to. */
    float *particles, *vertices, *normals, *mesh_vertices, *mesh_normals;
} Loop;

/* The first status that is not WOBBLE_STATUS_OK, if any. */
WobbleStatus run_loop(const Loop *loop) {
    size_t bytes = loop->vertex_count * 3 * sizeof(float);
    WobbleSkinBuffers skin;
    WobbleBounds bounds;
    WobbleStatus status = wobble_skin_buffers_init(&skin, sizeof skin);
    skin.positions = loop->vertices;
    skin.normals = loop->normals;
    skin.capacity = loop->vertex_count;
    for (uint32_t frame = 0; frame < loop->frames && status == WOBBLE_STATUS_OK; frame++) {
        status = wobble_world_step(loop->world, 1.0f / 60.0f);
        for (uint32_t i = 0; i < loop->body_count && status == WOBBLE_STATUS_OK; i++) {
            WobbleBody body = loop->bodies[i];
            status = wobble_body_positions(body, loop->particles, 0, loop->particle_count);
            if (status == WOBBLE_STATUS_OK) status = wobble_body_read_skin(body, &skin, &bounds);
            memcpy(loop->mesh_vertices, loop->vertices, bytes);
            memcpy(loop->mesh_normals, loop->normals, bytes);
        }
    }
    return status;
}
