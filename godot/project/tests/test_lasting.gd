extends "res://tests/harness.gd"
## Bodies that dent, are cut and break.


## How high a box is that was thrown on the floor and came to rest.
func _height_after_a_fall(is_plastic: bool) -> float:
	add_floor()
	var body := soft_box()
	body.soft_material = WobbleMaterial.new()
	body.soft_material.stiffness = 15.0
	body.soft_material.plasticity = is_plastic
	body.soft_material.plastic_yield = 0.02
	add(body, Vector3(0, 0.6, 0))
	body.set_linear_velocity(Vector3(0, -14, 0))
	await ticks(240)
	var height := body.get_bounds().size.y
	var strain := body.get_lasting_strain()
	check((strain > 0.05) == is_plastic, "a lasting strain of %s" % strain)
	body.reset()
	check_near(body.get_bounds().size.y, 1.0, 0.01, "the height after a reset")
	check(body.get_lasting_strain() == 0.0, "nothing lasts after a reset")
	await clear()
	return height


func test_a_dent_lasts_where_the_material_is_plastic_and_only_there() -> void:
	var elastic := await _height_after_a_fall(false)
	var dented := await _height_after_a_fall(true)
	check_near(elastic, 1.0, 0.05, "the height without plasticity")
	check(dented < elastic - 0.1, "with plasticity it stays flatter: %s" % dented)


func test_plasticity_can_be_switched_on_while_the_game_runs() -> void:
	add_floor()
	var body := soft_box()
	body.soft_material = WobbleMaterial.new()
	body.soft_material.stiffness = 12.0
	add(body, Vector3(0, 2, 0))
	await ticks(60)
	check(body.get_lasting_strain() == 0.0, "nothing lasts before")
	body.soft_material.plasticity = true
	body.soft_material.plastic_yield = 0.01
	body.soft_material.plastic_level_flow = [1.0, 0.5]
	body.teleport(Transform3D(Basis.IDENTITY, Vector3(0, 0.6, 0)))
	body.set_linear_velocity(Vector3(0, -12, 0))
	await ticks(30)
	check(body.get_lasting_strain() > 0.0, "then it does")


func test_a_cut_gives_pieces_that_fall_apart() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(400), Vector3(0, 3, 0))
	body.name = "Loaf"
	body.soft_material = WobbleMaterial.new()
	body.collision_layer = 3
	await ticks(2)
	var mass := body.get_body_mass()
	var told := []
	body.fractured.connect(func(pieces: Array[WobbleBody3D]) -> void:
		told.append(pieces)
		for piece in pieces:
			check(piece.is_inside_tree() and piece.get_parent() == body.get_parent(), "a piece is beside the body"))
	var centre := body.get_center_of_mass()
	check(body.cut(Plane(Vector3.RIGHT, centre.x)) == 2, "two bodies")
	await ticks(1)
	check(told.size() == 1 and told[0].size() == 1, "told once, of one piece: %s" % [told])
	if told.is_empty():
		return
	var piece: WobbleBody3D = told[0][0]
	check(piece.is_piece() and piece.is_simulated() and not body.is_piece(), "the piece is one")
	check(piece.soft_material == body.soft_material and piece.collision_layer == 3, "set as the whole")
	check(str(piece.name).begins_with("Loaf"), "its name is %s" % piece.name)
	check_near(piece.get_body_mass() + body.get_body_mass(), mass, 1e-3 * mass, "the mass of both")
	for part: WobbleBody3D in [body, piece]:
		var box := AABB(part.get_vertex_positions()[0], Vector3.ZERO)
		for vertex in part.get_vertex_positions():
			box = box.expand(vertex)
		var bounds := part.get_bounds()
		check(box.get_center().distance_to(bounds.get_center()) < 0.1, "the mesh %s is about %s" % [box, bounds])
		check(box.size.x < 0.7, "and half as wide: %s" % box.size)
		check_near(part.get_moving_mesh().surface_get_arrays(0)[Mesh.ARRAY_TEX_UV].size(),
			part.get_vertex_positions().size(), 0, "texture coordinates")
	var side := signf(piece.get_center_of_mass().x - body.get_center_of_mass().x)
	piece.set_linear_velocity(Vector3(2 * side, 0, 0))
	body.set_linear_velocity(Vector3(-2 * side, 0, 0))
	await ticks(120)
	var apart := absf(piece.get_center_of_mass().x - body.get_center_of_mass().x)
	check(apart > 1.2, "they are %s m apart" % apart)
	check(piece.global_position.distance_to(body.global_position) > 0.7, "and so are the nodes")
	check(piece.get_bounds().position.y > -0.05, "the piece lies on the floor")


func test_a_cut_before_the_tick_of_the_same_frame_loses_no_time() -> void:
	var body: WobbleBody3D = add(soft_box(400), Vector3(0, 3, 0))
	await ticks(10)
	# Emitted before the world steps, so pieces are not yet in the tree in that step.
	await physics_frame
	check(body.cut(Plane(Vector3.UP, body.get_center_of_mass().y)) == 2, "two bodies")
	await ticks(20)
	var parts := root.find_children("*", "WobbleBody3D", true, false)
	check(parts.size() == 2, "%s" % [parts])
	check_near(parts[0].get_linear_velocity().y, parts[1].get_linear_velocity().y, 0.01, "both fall alike")


func test_a_blade_cuts_as_far_as_it_reaches() -> void:
	var body: WobbleBody3D = add(soft_box(400))
	await ticks(1)
	var at := body.get_center_of_mass()
	var near := at + Vector3(0, 0, 2)
	var far := at - Vector3(0, 0, 2)
	var high := Vector3(0, 2, 0)
	check(body.cut_with_blade(near + 2 * high, far + 2 * high, near + high, far + high) == 1, "above it: nothing")
	check(body.cut_with_blade(near + high, far + high, near - high, far - high) == 2, "through it: two")
	await ticks(1)


func test_a_body_that_is_stretched_breaks_and_reset_mends_it() -> void:
	var here: WobbleWorld = add(WobbleWorld.new())
	here.use_project_gravity = false
	here.gravity = Vector3.ZERO
	var body := soft_box(400)
	body.soft_material = WobbleMaterial.new()
	body.soft_material.stiffness = 12.0
	body.soft_material.breakable = true
	body.soft_material.toughness = 0.1
	here.add_child(body)
	var told := []
	body.fractured.connect(func(pieces: Array[WobbleBody3D]) -> void: told.append_array(pieces))
	var mass := body.get_body_mass()
	for i in 60:
		if told.is_empty():
			for side: float in [-1.0, 1.0]:
				body.apply_force_at(Vector3(0.5 * side, 0, 0), Vector3(side * 40000.0, 0, 0), 0.4)
			await ticks(1)
	check(not told.is_empty(), "it broke")
	await ticks(2)
	body.reset()
	await ticks(2)
	check_near(body.get_body_mass(), mass, 1e-3, "the mass of what was mended")
	check(here.get_body_count() == 1, "%d bodies" % here.get_body_count())
	check(told.all(func(piece: Variant) -> bool: return not is_instance_valid(piece)), "the pieces are gone")
	check_near(body.get_bounds().size.x, 1.0, 0.05, "the width")
	var vertices: PackedVector3Array = box_mesh().get_mesh_arrays()[Mesh.ARRAY_VERTEX]
	check(body.get_vertex_positions().size() == vertices.size(), "its mesh is its own again")
	check(body.cut(Plane(Vector3.RIGHT, body.get_center_of_mass().x)) == 2, "and can be cut again")
	await ticks(1)


func test_toughness_is_painted_on_the_mesh() -> void:
	var here: WobbleWorld = add(WobbleWorld.new())
	here.use_project_gravity = false
	here.gravity = Vector3.ZERO
	for painted: bool in [false, true]:
		var arrays: Array = box_mesh().get_mesh_arrays()
		var colours := PackedColorArray()
		colours.resize(arrays[Mesh.ARRAY_VERTEX].size())
		colours.fill(Color(1.0, 1.0, 0.01))
		arrays[Mesh.ARRAY_COLOR] = colours
		var mesh := ArrayMesh.new()
		mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
		var body := WobbleBody3D.new()
		body.mesh = mesh
		body.shape = WobbleShape.new()
		body.shape.mesh = mesh
		body.shape.particles = 300
		if painted:
			body.shape.toughness_from = WobbleShape.CHANNEL_BLUE
		body.soft_material = WobbleMaterial.new()
		body.soft_material.stiffness = 12.0
		body.soft_material.breakable = true
		body.soft_material.toughness = 10.0
		here.add_child(body)
		var told := []
		body.fractured.connect(func(pieces: Array[WobbleBody3D]) -> void: told.append_array(pieces))
		for i in 60:
			if told.is_empty():
				for side: float in [-1.0, 1.0]:
					body.apply_force_at(Vector3(0.5 * side, 0, 0), Vector3(side * 40000.0, 0, 0), 0.4)
				await ticks(1)
		check(told.is_empty() != painted, "painted %s: %d pieces" % [painted, told.size()])
		body.queue_free()
		for piece: WobbleBody3D in told:
			piece.queue_free()
		await ticks(2)


func test_pieces_can_be_cut_again_and_outlive_the_body() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(400), Vector3(0, 1, 0))
	await ticks(1)
	var mass := body.get_body_mass()
	for normal: Vector3 in [Vector3.RIGHT, Vector3.UP, Vector3.BACK]:
		for part: WobbleBody3D in root.find_children("*", "WobbleBody3D", true, false):
			part.cut(Plane(normal, normal.dot(part.get_center_of_mass())))
		await ticks(2)
	var parts := root.find_children("*", "WobbleBody3D", true, false)
	check(parts.size() >= 8, "%d pieces" % parts.size())
	var sum := 0.0
	for part: WobbleBody3D in parts:
		sum += part.get_body_mass()
	check_near(sum, mass, 1e-3 * mass, "the mass of all")
	body.free()
	await ticks(60)
	check(world().get_body_count() == parts.size() - 1, "%d bodies" % world().get_body_count())
	for part: Variant in parts:
		if is_instance_valid(part):
			check(part.get_center_of_mass().is_finite() and part.get_center_of_mass().y > 0.0, "one is lost")


func test_manual_weights_of_a_piece_follow_the_levels_it_has() -> void:
	var body := soft_box(400)
	body.level_weights = [0.5, 0.3, 0.2]
	body.soft_material = WobbleMaterial.new()
	add(body)
	await ticks(1)
	body.cut(Plane(Vector3.RIGHT, 0.35))
	await ticks(1)
	body.soft_material.stiffness = 15.0
	await ticks(2)
	for part: WobbleBody3D in root.find_children("*", "WobbleBody3D", true, false):
		var weights := part.get_effective_level_weights()
		check_near(Array(weights).reduce(func(a: float, b: float) -> float: return a + b), 1.0, 1e-3, "the sum of %s" % weights)


func test_cutting_what_is_not_there_is_refused() -> void:
	var empty: WobbleBody3D = add(WobbleBody3D.new())
	check(empty.cut(Plane(Vector3.UP, 0.0)) == 0, "no body, no cut")
	empty.reset()
	var outside := soft_box()
	check(outside.cut(Plane(Vector3.UP, 0.0)) == 0, "nor outside the tree")
	add(outside)
	await ticks(1)
	check(outside.cut(Plane(Vector3.ZERO, 0.0)) == 0, "nor without a direction")
	check(outside.cut(Plane(Vector3(NAN, 0, 0), 0.0)) == 0, "nor with one that is not a number")
	check(outside.cut_with_blade(Vector3.ZERO, Vector3.ZERO, Vector3.ZERO, Vector3.ZERO) == 0, "nor by a point")
	check(outside.cut(Plane(Vector3.UP, 50.0)) == 1, "a plane beside it leaves it whole")
	root.remove_child(outside)
	check(outside.cut(Plane(Vector3.UP, 0.0)) == 0, "nor when it was taken out")
	outside.free()
	empty.soft_material = WobbleMaterial.new()
	var body := soft_box()
	body.soft_material = WobbleMaterial.new()
	body.soft_material.plasticity = true
	body.soft_material.plastic_yield = NAN
	body.soft_material.plastic_level_flow = [-3.0]
	body.soft_material.breakable = true
	body.soft_material.toughness = -1.0
	add(body)
	await ticks(5)
	check(body.get_center_of_mass().is_finite(), "materials out of range are refused, and it goes on")


func test_nodes_may_go_while_a_body_breaks() -> void:
	for what in 5:
		var parent: Node3D = add(Node3D.new())
		var body := soft_box(400)
		parent.add_child(body)
		await ticks(1)
		var freed := func(pieces: Array[WobbleBody3D]) -> void:
			match what:
				0: body.queue_free()
				1: pieces[0].free()
				2: parent.queue_free()
				3: body.reset()
				4: body.cut(Plane(Vector3.UP, body.get_center_of_mass().y))
		body.fractured.connect(freed, CONNECT_ONE_SHOT)
		body.cut(Plane(Vector3.RIGHT, body.get_center_of_mass().x))
		await ticks(3)
		var left := root.find_children("*", "WobbleBody3D", true, false).size()
		check(left == [1, 1, 0, 1, 3][what], "%d nodes are left of case %d" % [left, what])
		check(world().get_body_count() == left if left > 0 else true, "as many bodies")
		await clear()


func test_nodes_may_go_before_pieces_are_in_the_tree() -> void:
	for what in 4:
		var parent: Node3D = add(Node3D.new())
		var body := soft_box(400)
		parent.add_child(body)
		await ticks(1)
		body.cut(Plane(Vector3.RIGHT, body.get_center_of_mass().x))
		match what:
			0: body.free()
			1: parent.free()
			2: body.reset()
			3: parent.remove_child(body)
		await ticks(3)
		var left := root.find_children("*", "WobbleBody3D", true, false).size()
		check(left == [1, 0, 1, 1][what], "%d nodes are left of case %d" % [left, what])
		if what == 3:
			body.free()
		await clear()


func test_a_piece_keeps_its_size_and_can_be_moved() -> void:
	var body: WobbleBody3D = add(soft_box(400))
	await ticks(1)
	body.cut(Plane(Vector3.RIGHT, body.get_center_of_mass().x))
	await ticks(1)
	var piece: WobbleBody3D = root.find_children("*", "WobbleBody3D", true, false).filter(
		func(part: WobbleBody3D) -> bool: return part.is_piece())[0]
	piece.scale = Vector3.ONE * 2.0
	await ticks(2)
	check(piece.is_simulated() and piece.get_bounds().size.y < 1.2, "it is as large as it was")
	piece.global_position += Vector3(5, 0, 0)
	await ticks(2)
	check(piece.get_center_of_mass().x > 4.0, "it went along: %s" % piece.get_center_of_mass())
	piece.teleport(Transform3D(Basis.IDENTITY, Vector3(-7, 0, 0)))
	check(piece.get_center_of_mass().x < -6.0, "and elsewhere: %s" % piece.get_center_of_mass())


func test_what_holds_a_body_holds_the_piece_there_and_takes_hold_again_after_a_reset() -> void:
	var marker: Marker3D = add(Marker3D.new(), Vector3(0, 3.5, 0))
	var body := soft_box(400)
	body.pin_paths = [marker.get_path()]
	body.pin_radius = 0.4
	add(body, Vector3(0, 3, 0))
	var holder := WobbleAttachment3D.new()
	add(holder, Vector3(0, 3.5, 0.4))
	holder.body = body.get_path()
	await ticks(3)
	check(body.cut(Plane(Vector3.UP, 3.0)) == 2, "two bodies")
	await ticks(60)
	var heights := root.find_children("*", "WobbleBody3D", true, false).map(
		func(part: WobbleBody3D) -> float: return part.get_center_of_mass().y)
	check(heights.max() > 2.5 and heights.min() < 1.0, "the upper half hangs, the lower one fell: %s" % [heights])
	body.reset()
	var height := body.get_center_of_mass().y
	await ticks(60)
	check(world().get_body_count() == 1, "%d bodies" % world().get_body_count())
	check_near(body.get_center_of_mass().y, height, 1.0, "the height after a second")
	holder.free()
	marker.free()
	await ticks(5)
	check(body.get_center_of_mass().is_finite(), "and goes on")


func test_debris_goes_on_and_is_mended() -> void:
	add_floor()
	for smallest: int in [150, 1000]:
		var body := soft_box(400)
		body.soft_material = WobbleMaterial.new()
		body.soft_material.breakable = true
		body.soft_material.toughness = 10.0
		body.soft_material.smallest_piece = smallest
		add(body, Vector3(0, 1, 0))
		await ticks(1)
		var count := body.get_particle_count()
		body.cut(Plane(Vector3.RIGHT, 0.25))
		await ticks(30)
		var parts := root.find_children("*", "WobbleBody3D", true, false)
		var sum := 0
		for part: WobbleBody3D in parts:
			sum += part.get_particle_count()
			check(part.get_center_of_mass().is_finite() and part.global_position.is_finite(), "a part is lost")
			check(part.global_position.y < 0.95, "a node stayed behind: %s" % part.global_position)
		check(sum == count, "%d particles of %d in %d parts" % [sum, count, parts.size()])
		if smallest == 150:
			check(parts.any(func(part: WobbleBody3D) -> bool: return part.is_debris()), "one is debris")
		body.reset()
		await ticks(2)
		check(body.get_particle_count() == count, "it is whole again")
		body.free()
