extends "res://tests/harness.gd"
## A body falls, lies, draws its mesh, and behaves as a node.


func test_a_box_falls_on_the_floor_and_keeps_its_shape_and_volume() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 2, 0))
	check(body.is_simulated(), "there is a body")
	await ticks(240)
	var bounds := body.get_bounds()
	check_near(bounds.position.y, 0.0, 0.02, "the lowest particle")
	check_near(bounds.size.y, 1.0, 0.05, "the height")
	check(body.get_shape_error() < 0.05, "shape error %s" % body.get_shape_error())
	check_near(body.global_position.y, 0.5, 0.03, "the node")


func test_a_mesh_alone_makes_a_body() -> void:
	add_floor()
	var body := WobbleBody3D.new()
	body.mesh = box_mesh()
	add(body, Vector3(0, 1, 0))
	await ticks(30)
	check(body.get_particle_count() > 500, "%d particles" % body.get_particle_count())
	check(body.global_position.y < 1.0, "it fell")


func test_a_shape_alone_makes_a_body_that_can_be_seen() -> void:
	var shape := WobbleShape.new()
	shape.source = WobbleShape.SOURCE_GUMMY_BEAR
	shape.particles = 200
	check(shape.bake(), "the bear was baked")
	var body := WobbleBody3D.new()
	body.shape = shape
	add(body, Vector3(0, 2, 0))
	await ticks(10)
	check(body.get_moving_mesh() != null and body.get_vertex_positions().size() > 100, "it has a mesh")


func test_drawn_vertices_lie_where_the_body_is_whatever_the_transform() -> void:
	var body := soft_box()
	body.rotation = Vector3(0.3, 1.0, -0.5)
	add(body, Vector3(3, 5, 1))
	await ticks(20)
	var box := AABB(body.get_vertex_positions()[0], Vector3.ZERO)
	for vertex in body.get_vertex_positions():
		box = box.expand(vertex)
	var bounds := body.get_bounds()
	check(box.get_center().distance_to(bounds.get_center()) < 0.05, "%s is about %s" % [box, bounds])
	var bytes := body.get_surface_bytes(0)
	var local := AABB()
	for i in body.get_vertex_positions().size():
		var at := 12 * i
		local = local.expand(Vector3(bytes.decode_float(at), bytes.decode_float(at + 4), bytes.decode_float(at + 8)))
	check_near(local.get_longest_axis_size(), 1.0, 0.1, "the mesh in the node's own space")


func test_the_renderer_gets_what_its_own_encoding_gives() -> void:
	var body: WobbleBody3D = add(soft_box())
	var surface := RenderingServer.mesh_get_surface(body.get_moving_mesh().get_rid(), 0)
	var wanted: PackedByteArray = surface.vertex_data
	var found: PackedByteArray = body.get_surface_bytes(0)
	check(found.size() == wanted.size() and found.size() > 0, "%d bytes, not %d" % [found.size(), wanted.size()])
	var count := body.get_vertex_positions().size()
	var furthest := 0.0
	for i in 3 * count:
		furthest = maxf(furthest, absf(found.decode_float(4 * i) - wanted.decode_float(4 * i)))
	check(furthest < 1e-4, "positions differ by %s" % furthest)
	var worst := 1.0
	for at in range(12 * count, found.size(), 8):
		worst = minf(worst, _direction(found, at).dot(_direction(wanted, at)))
		var side := [found.decode_u16(at + 6) >= 32768, wanted.decode_u16(at + 6) >= 32768]
		check(side[0] == side[1], "the side of a bitangent")
		worst = minf(worst, _tangent(found, at + 4).dot(_tangent(wanted, at + 4)))
	check(worst > 0.9999, "directions differ by an angle whose cosine is %s" % worst)


func _direction(bytes: PackedByteArray, at: int) -> Vector3:
	return Vector3.octahedron_decode(Vector2(bytes.decode_u16(at), bytes.decode_u16(at + 2)) / 65535.0)


func _tangent(bytes: PackedByteArray, at: int) -> Vector3:
	var found := Vector2(bytes.decode_u16(at), bytes.decode_u16(at + 2)) / 65535.0
	return Vector3.octahedron_decode(Vector2(found.x, absf(found.y * 2.0 - 1.0)))


func test_a_body_is_scaled_with_its_node() -> void:
	add_floor()
	var body := soft_box()
	body.scale = Vector3(2, 1, 1)
	add(body, Vector3(0, 1, 0))
	check_near(body.get_bounds().size.x, 2.0, 0.05, "the width")
	check_near(body.get_body_mass(), 2.0 * body.shape.get_mass(), 1.0, "the mass")
	await ticks(120)
	check_near(body.scale.x, 2.0, 0.001, "the scale of the node")
	body.scale = Vector3(1, 1, 1)
	await ticks(2)
	check_near(body.get_bounds().size.x, 1.0, 0.1, "the width afterwards")


func test_moving_the_node_moves_the_body_as_it_is() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 5, 0))
	await ticks(30)
	var velocity := body.get_linear_velocity()
	check(velocity.y < -4.0, "it falls")
	body.global_position += Vector3(7, 0, 0)
	await ticks(1)
	check_near(body.get_center_of_mass().x, 7.0, 0.01, "the centre")
	check_near(body.get_linear_velocity().y, velocity.y - 9.8 / 60.0, 0.02, "the velocity")
	check_near(body.global_position.x, 7.0, 0.01, "the node")


func test_teleporting_leaves_it_still() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 5, 0))
	await ticks(30)
	body.teleport(Transform3D(Basis(Vector3.UP, 1.0), Vector3(1, 2, 3)))
	check(body.get_linear_velocity().is_zero_approx(), "it is still")
	check(body.global_position.is_equal_approx(Vector3(1, 2, 3)), "the node is at %s" % body.global_position)
	await ticks(1)
	check_near(body.global_basis.get_euler().y, 1.0, 0.01, "its turn")


func test_forces_and_impulses_move_it() -> void:
	var body := soft_box()
	body.mass = 2.0
	add(body)
	var still := WobbleMaterial.new()
	still.gravity_scale = 0.0
	body.soft_material = still
	await ticks(2)
	body.set_linear_velocity(Vector3.ZERO)
	body.apply_impulse(Vector3(4, 0, 0))
	check_near(body.get_linear_velocity().x, 2.0, 0.01, "the velocity after an impulse of 4 N s on 2 kg")
	body.set_linear_velocity(Vector3.ZERO)
	body.apply_force(Vector3(0, 120, 0))
	await ticks(1)
	check_near(body.get_linear_velocity().y, 1.0, 0.05, "the velocity after 120 N on 2 kg in a tick")
	body.apply_impulse_at(Vector3(0.5, 0, 0), Vector3(0, 1, 0), 0.5)
	body.apply_force_at(Vector3(0.5, 0, 0), Vector3(0, 10, 0))
	body.apply_torque_impulse(Vector3(0, 0, 0.1))
	await ticks(30)
	check(absf(body.global_rotation.z) > 0.01, "a push at the side turns it")
	body.reset()
	check(body.get_shape_error() < 1e-4, "reset takes the rest shape")


func test_level_weights_change_live_by_hand_and_by_preset() -> void:
	var body: WobbleBody3D = add(soft_box(400))
	check(body.get_effective_level_weights().size() == body.shape.get_level_count(), "a weight for each level")
	body.level_weights = [3.0, 1.0] if body.shape.get_level_count() == 2 else [3.0, 1.0, 0.0]
	check(body.weighting == WobbleBody3D.WEIGHTING_MANUAL, "weights by hand are manual")
	await ticks(1)
	check_near(body.get_effective_level_weights()[0], 0.75, 1e-5, "the finest weight")
	body.weighting = WobbleBody3D.WEIGHTING_UNIFORM
	await ticks(1)
	check_near(body.get_effective_level_weights()[0], 1.0 / body.shape.get_level_count(), 1e-5, "the uniform weight")


func test_pausing_and_disabling_stop_it() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 5, 0))
	await ticks(10)
	paused = true
	var height := body.global_position.y
	await ticks(10)
	check_near(body.global_position.y, height, 1e-6, "the height while paused")
	paused = false
	await ticks(5)
	check(body.global_position.y < height, "it falls again")
	body.process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(1)
	height = body.global_position.y
	await ticks(10)
	check_near(body.global_position.y, height, 1e-6, "the height while disabled")


func test_reparenting_keeps_it_going() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 9, 0))
	var parent: Node3D = add(Node3D.new(), Vector3(4, 0, 0))
	await ticks(20)
	var velocity := body.get_linear_velocity().y
	body.reparent(parent)
	await ticks(2)
	check(body.get_linear_velocity().y <= velocity, "it goes on to fall")
	check_near(body.global_position.x, 0.0, 0.01, "its place")
	check(world().get_body_count() == 1, "there is one body")


func test_meshes_of_several_surfaces_keep_them_all() -> void:
	var mesh := ArrayMesh.new()
	var colours := [Color.RED, Color.BLUE]
	for i in 2:
		var part := BoxMesh.new()
		part.subdivide_width = 3
		part.size = Vector3(0.5, 1, 1)
		var arrays := part.get_mesh_arrays()
		for k in arrays[Mesh.ARRAY_VERTEX].size():
			arrays[Mesh.ARRAY_VERTEX][k].x += 0.5 * i
		if i == 1:
			arrays[Mesh.ARRAY_TANGENT] = null
		mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
		var material := StandardMaterial3D.new()
		material.albedo_color = colours[i]
		mesh.surface_set_material(i, material)
	var body := WobbleBody3D.new()
	body.mesh = mesh
	add(body, Vector3(0, 5, 0))
	await ticks(20)
	var moving := body.get_moving_mesh()
	check(moving.get_surface_count() == 2, "both are there")
	check(moving.surface_get_material(1).albedo_color == Color.BLUE, "with their materials")
	var box := AABB(body.get_vertex_positions()[0], Vector3.ZERO)
	for vertex in body.get_vertex_positions():
		box = box.expand(vertex)
	check_near(box.size.x, 1.0, 0.05, "the width of both")
	check(box.get_center().distance_to(body.get_bounds().get_center()) < 0.05, "where the body is")


func test_another_node_can_show_the_body() -> void:
	var shown: MeshInstance3D = add(MeshInstance3D.new(), Vector3(3, 0, 0))
	shown.rotation.y = 1.0
	var body := soft_box()
	body.render_to = shown.get_path()
	add(body, Vector3(0, 5, 0))
	await ticks(20)
	check(shown.mesh == body.get_moving_mesh(), "it has the mesh")
	var middle := Vector3.ZERO
	for vertex in body.get_vertex_positions():
		middle += vertex / body.get_vertex_positions().size()
	check(middle.distance_to(body.get_center_of_mass()) < 0.05, "drawn at %s" % middle)


func test_a_new_mesh_or_shape_makes_another_body() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 5, 0))
	await ticks(10)
	var speed := body.get_linear_velocity().y
	body.shape = box_shape(400)
	await ticks(2)
	check(body.get_particle_count() > 350, "%d particles" % body.get_particle_count())
	check(body.get_linear_velocity().y < speed, "it goes on to fall")
	var ball := SphereMesh.new()
	body.shape = null
	body.mesh = ball
	await ticks(2)
	check(body.get_vertex_positions().size() == ball.get_mesh_arrays()[Mesh.ARRAY_VERTEX].size(), "another mesh")
	body.mesh = null
	await ticks(2)
	check(not body.is_simulated(), "no mesh, no body")


func test_meshes_are_drawn_between_ticks_where_the_project_asks_for_it() -> void:
	physics_interpolation = true
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 50, 0))
	await ticks(60)
	# Timers come after nodes have been processed, and drawn.
	await create_timer(0.0).timeout
	var fraction := Engine.get_physics_interpolation_fraction()
	var middle := Vector3.ZERO
	for vertex in body.get_vertex_positions():
		middle += vertex / body.get_vertex_positions().size()
	physics_interpolation = false
	var fallen := -body.get_linear_velocity().y / 60.0
	var wanted := body.get_center_of_mass().y + (1.0 - fraction) * fallen
	check_near(middle.y, wanted, 0.02, "the middle at %s of the way" % fraction)
	check(fallen > 0.1, "it falls by %s in a tick" % fallen)
