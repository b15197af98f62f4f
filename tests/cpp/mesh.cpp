// Tests that meshes go in and come out through wobble.hpp.

#include <array>

#include "check.hpp"

namespace {

struct Vertex {
    Vec3 place, normal;
    Vec4 tangent;
};

// A box of 1 m about (0, 3, 0), four vertices to a face.
std::vector<Vertex> vertices() {
    std::vector<Vertex> all;
    for (int face = 0; face < 6; face++)
        for (int corner = 0; corner < 4; corner++) {
            int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
            float side = face % 2 ? 0.5f : -0.5f, p[3] = {0, 0, 0}, n[3] = {0, 0, 0}, t[3] = {0, 0, 0};
            p[axis] = side;
            p[u] = corner & 1 ? 0.5f : -0.5f;
            p[v] = corner & 2 ? 0.5f : -0.5f;
            n[axis] = 2.0f * side;
            t[u] = 1.0f;
            all.push_back({{p[0], p[1] + 3.0f, p[2]}, {n[0], n[1], n[2]}, {t[0], t[1], t[2], 1.0f}});
        }
    return all;
}

template <class Index>
std::vector<Index> indices() {
    std::vector<Index> all;
    for (int face = 0; face < 6; face++)
        for (int corner : face % 2 ? std::array<int, 6>{0, 1, 2, 2, 1, 3} : std::array<int, 6>{0, 2, 1, 1, 2, 3})
            all.push_back(Index(4 * face + corner));
    return all;
}

Mesh mesh_of(const std::vector<Vertex>& all, const std::vector<uint32_t>& corners) {
    Mesh mesh(view<const Vec3>(&all[0].place, all.size(), sizeof(Vertex)), corners);
    mesh.with_normals(view<const Vec3>(&all[0].normal, all.size(), sizeof(Vertex)));
    return mesh.with_tangents(view<const Vec4>(&all[0].tangent, all.size(), sizeof(Vertex)));
}

SamplingDef few() {
    SamplingDef def;
    def.count = 200;
    def.pattern = WOBBLE_PATTERN_GRID;
    return def;
}

void a_mesh_goes_in_and_comes_out_where_it_is() {
    std::vector<Vertex> all = vertices();
    std::vector<uint32_t> corners = indices<uint32_t>();
    Shape shape = GET(Shape::from_mesh(mesh_of(all, corners), few()));
    CHECK(GET(shape.vertex_count()) == 24 && GET(shape.indices()) == corners);
    Vec3 centre = GET(shape.centre());
    CHECK(std::fabs(centre.y - 3.0f) < 0.02f && near(GET(shape.vertices())[0].y, all[0].place.y - centre.y));
    World world = calm_world();
    OK(world.set_gravity({0.0f, 0.0f, 0.0f}));
    BodyDef def;
    def.position = {1.0f, 2.0f, 3.0f};
    Body body = GET(world.create_body(shape, def));
    std::vector<Vertex> out = all;
    std::vector<Vec3> previous(24);
    SkinBuffers skin;
    skin.to_positions(view<Vec3>(&out[0].place, out.size(), sizeof(Vertex)));
    skin.to_normals(view<Vec3>(&out[0].normal, out.size(), sizeof(Vertex)));
    skin.to_tangents(view<Vec4>(&out[0].tangent, out.size(), sizeof(Vertex))).to_previous(previous);
    Bounds bounds = GET(body.read_skin(skin));
    CHECK(near(bounds.low.y, 2.5f - centre.y + 2.0f) && near(bounds.high.z, 0.5f - centre.z + 3.0f));
    CHECK(near(out[3].place.x, all[3].place.x - centre.x + 1.0f) && near(out[3].normal.x, all[3].normal.x));
    CHECK(near(out[9].tangent.x, all[9].tangent.x) && out[9].tangent.w == 1.0f && near(previous[3].y, out[3].place.y));
    const Matrix node = {{{1, 0, 0, -1}, {0, 1, 0, -2}, {0, 0, 1, -3}}};
    OK(body.read_skin(SkinBuffers(skin).in(node)));
    CHECK(near(out[3].place.x, all[3].place.x - centre.x));
    OK(body.set_velocity({1.0f, 0.0f, 0.0f}));
    OK(world.step(0.1f));
    OK(body.read_skin(skin.at(0.5f)));
    CHECK(near(out[3].place.x, all[3].place.x - centre.x + 1.05f));
    CHECK(near(GET(body.positions_at(0.0f))[0].x + 0.1f, GET(body.positions_at(1.0f))[0].x));
}

void many_meshes_are_read_at_once() {
    std::vector<Vertex> all = vertices();
    std::vector<uint32_t> corners = indices<uint32_t>();
    Shape shape = GET(Shape::from_mesh(mesh_of(all, corners), few()));
    Shape tall = GET(shape.scaled({1.0f, 2.0f, 1.0f}));
    CHECK(near(GET(tall.mass()), 2.0f * GET(shape.mass())));
    CHECK(near(GET(GET(shape.scaled({1.0f, 2.0f, 1.0f}, 0.5f)).mass()), 0.5f));
    World world = calm_world();
    Body first = GET(world.create_body(shape)), second = GET(world.create_body(tall));
    std::vector<Vec3> one(24), other(24);
    const BodyRef bodies[] = {first, second};
    const WobbleSkinBuffers buffers[] = {SkinBuffers().to_positions(one), SkinBuffers().to_positions(other)};
    std::vector<Bounds> bounds = GET(world.read_skins(bodies, buffers));
    CHECK(bounds.size() == 2 && near(bounds[1].high.y, 2.0f * bounds[0].high.y));
    CHECK(near(other[3].y, 2.0f * one[3].y) && near(other[3].x, one[3].x));
    REFUSED(invalid_argument, world.read_skins(bodies, span<const WobbleSkinBuffers>(buffers, 1)));
}

void a_host_gets_what_a_gpu_needs() {
    std::vector<Vertex> all = vertices();
    std::vector<uint32_t> corners = indices<uint32_t>();
    Shape shape = GET(Shape::from_mesh(mesh_of(all, corners), few()));
    std::vector<Influences> carried = GET(shape.influences());
    World world = calm_world();
    Body body = GET(world.create_body(shape));
    std::vector<Matrix> bones = GET(body.bones());
    CHECK(carried.size() == 24 && bones.size() == GET(shape.level_report(0)).clusters);
    float sum = 0.0f;
    for (float weight : carried[5].weights) sum += weight;
    CHECK(near(sum, 1.0f) && carried[5].clusters[0] < bones.size());
    CHECK(near(bones[0].rows[0][0], 1.0f) && near(bones[0].rows[1][0], 0.0f));
}

void what_does_not_fit_is_refused() {
    std::vector<Vertex> all = vertices();
    std::vector<uint32_t> corners = indices<uint32_t>();
    std::vector<uint16_t> short_corners = indices<uint16_t>();
    std::vector<Vec3> places;
    for (const Vertex& v : all) places.push_back(v.place);
    Mesh bare(places, short_corners);
    Shape shape = GET(Shape::from_mesh(bare, few()));
    World world = calm_world();
    Body body = GET(world.create_body(shape));
    std::vector<Vec4> tangents(24);
    std::vector<Vec3> short_list(23);
    REFUSED(invalid_argument, body.read_skin(SkinBuffers().to_tangents(tangents)));
    REFUSED(buffer_too_small, body.read_skin(SkinBuffers().to_positions(short_list)));
    REFUSED(invalid_argument, body.bones(2.0f));
    REFUSED(invalid_argument, Shape::from_mesh(Mesh(places, short_corners).with_normals(short_list), few()));
    corners[3] = 24;
    REFUSED(invalid_argument, Shape::from_mesh(Mesh(places, corners), few()));
    REFUSED(invalid_argument, Shape::from_mesh(Mesh(), few()));
    float seen = 0.0f;
    OK(Shape::from_mesh(bare, few(), ShapeDef(), [&](float fraction) { seen = fraction; }));
    CHECK(seen > 0.0f);
    REFUSED(cancelled, Shape::from_mesh(bare, few(), ShapeDef(), [](float) { return false; }));
}

}  // namespace

int main() {
    a_mesh_goes_in_and_comes_out_where_it_is();
    many_meshes_are_read_at_once();
    a_host_gets_what_a_gpu_needs();
    what_does_not_fit_is_refused();
    return verdict();
}
