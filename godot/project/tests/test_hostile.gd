extends "res://tests/harness.gd"
## What should not be done does no harm.


func test_a_body_without_a_mesh_says_so() -> void:
	var body := WobbleBody3D.new()
	add(body)
	await ticks(5)
	check(not body.is_simulated(), "there is no body")
	check(body.get_problems().size() > 0, "the editor warns")
	body.apply_impulse(Vector3.UP)
	body.teleport(Transform3D.IDENTITY)
	body.reset()
	check(body.get_particle_positions().is_empty() and body.grab(Vector3.ZERO) == 0, "nothing to read")
	body.mesh = ArrayMesh.new()
	await ticks(5)
	check(not body.is_simulated(), "nor of an empty mesh")


func test_zero_and_mirrored_scales_make_no_body() -> void:
	for scale: Vector3 in [Vector3(0, 1, 1), Vector3(-1, 1, 1), Vector3.ZERO]:
		var body := soft_box()
		body.scale = scale
		add(body)
		await ticks(3)
		check(not body.is_simulated(), "no body of scale %s" % scale)
		await clear()
	var alive: WobbleBody3D = add(soft_box())
	await ticks(3)
	alive.scale = Vector3(1, 0, 1)
	await ticks(3)
	check(alive.is_simulated() and alive.get_bounds().size.y > 0.9, "one that is there stays as it was")


func test_a_transform_that_is_not_finite_is_refused() -> void:
	expect_error("!v.is_finite()")
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 3, 0))
	await ticks(5)
	for bad: float in [NAN, INF]:
		body.position = Vector3(bad, 0, 0)
		await ticks(2)
		check(body.global_position.is_finite(), "the node is at %s" % body.global_position)
		check(body.get_center_of_mass().is_finite(), "the body is at %s" % body.get_center_of_mass())
	body.teleport(Transform3D(Basis.IDENTITY, Vector3(NAN, 0, 0)))
	body.apply_impulse(Vector3(NAN, 0, 0))
	body.set_linear_velocity(Vector3(0, INF, 0))
	body.apply_impulse_at(Vector3.ZERO, Vector3.UP, -1.0)
	await ticks(5)
	check(body.get_center_of_mass().is_finite() and not body.is_frozen(), "it goes on")


func test_materials_out_of_range_are_refused() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 3, 0))
	body.soft_material = WobbleMaterial.new()
	body.soft_material.stiffness = -5.0
	body.level_weights = [-1.0, NAN]
	body.mass = -3.0
	await ticks(5)
	check(body.get_center_of_mass().is_finite(), "it goes on")
	check(body.get_problems().size() > 0, "the editor warns")


func test_a_node_may_be_freed_in_its_own_signal() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 0.6, 0))
	var seen := [0]
	body.contact_began.connect(func(_o: Node, _p: Vector3, _n: Vector3, _i: float) -> void:
		seen[0] += 1
		body.queue_free())
	await ticks(30)
	check(seen[0] == 1 and not is_instance_valid(body), "it is gone after its first contact")
	check(world().get_body_count() == 0, "no body is left")
	# At once is too early for any node of Godot's that calls: it says so and leaves the node.
	expect_error("Object is locked and can't be freed")
	expect_error("Attempted to free a locked object")
	var eager: WobbleBody3D = add(soft_box(), Vector3(0, 0.6, 0))
	eager.contact_began.connect(func(_o: Node, _p: Vector3, _n: Vector3, _i: float) -> void: eager.free(),
		CONNECT_ONE_SHOT)
	await ticks(30)
	check(is_instance_valid(eager) and eager.get_center_of_mass().is_finite(), "it goes on")


func test_the_partner_and_the_world_may_be_freed_in_a_signal() -> void:
	var ground := add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 0.6, 0))
	body.contact_began.connect(func(other: Node, _p: Vector3, _n: Vector3, _i: float) -> void:
		if is_instance_valid(ground):
			other.queue_free()
			world().queue_free())
	await ticks(60)
	check(not is_instance_valid(ground), "the floor is gone")


func test_scenes_may_change_in_a_signal() -> void:
	var packed := PackedScene.new()
	var scene := Node3D.new()
	var body := soft_box()
	scene.add_child(body)
	body.owner = scene
	body.position = Vector3(0, 0.8, 0)
	packed.pack(scene)
	scene.free()
	check(ResourceSaver.save(packed, "user://scene.tscn") == OK, "the scene is saved")
	add_floor()
	change_scene_to_file("user://scene.tscn")
	await ticks(2)
	for round in 3:
		var here: WobbleBody3D = current_scene.get_child(0)
		var changed := [false]
		here.contact_began.connect(func(_o: Node, _p: Vector3, _n: Vector3, _i: float) -> void:
			changed[0] = true
			change_scene_to_file("user://scene.tscn"), CONNECT_ONE_SHOT)
		for i in 60:
			if not changed[0]:
				await physics_frame
		await ticks(2)
		check(changed[0] and not is_instance_valid(here), "scene %d was changed" % round)
	reload_current_scene()
	await ticks(10)
	check(world().get_body_count() == 1, "%d bodies" % world().get_body_count())


func test_everything_may_go_in_any_order() -> void:
	for order in 4:
		var here := WobbleWorld.new()
		add(here)
		var body: WobbleBody3D = add(soft_box(), Vector3(0, 1, 0))
		var holder := WobbleAttachment3D.new()
		add(holder, Vector3(0, 1.5, 0))
		holder.body = body.get_path()
		var wind: WobbleForceField3D = add(WobbleForceField3D.new())
		wind.body = body.get_path()
		add_floor()
		await ticks(5)
		var nodes: Array[Node] = [here, body, holder, wind]
		for k in 4:
			nodes[(k + order) % 4].free()
			await ticks(2)
		await clear()
	check(true, "")


func test_bad_files_and_bytes_are_refused() -> void:
	var shape := WobbleShape.new()
	check(not shape.load_file("res://project.godot"), "a text is no shape")
	check(not shape.load_file("res://nowhere.wobble"), "nor is nothing")
	check(not shape.bake(), "nothing to bake")
	shape.data = PackedByteArray([1, 2, 3])
	check(shape.get_particle_count() == 0, "nor are three bytes")
	shape.source = WobbleShape.SOURCE_BALL
	shape.particles = -5
	check(not shape.bake(), "nor can it have fewer particles than none")
	var body := WobbleBody3D.new()
	body.mesh = BoxMesh.new()
	body.shape = box_shape()
	add(body)
	await ticks(2)
	check(not body.is_simulated(), "a shape of another mesh makes no body")


func test_shapes_bake_in_the_background_and_can_be_cancelled() -> void:
	var shape := WobbleShape.new()
	shape.source = WobbleShape.SOURCE_TORUS
	shape.size = Vector3(2, 0.5, 0)
	shape.particles = 600
	check(shape.bake_begin(), "it begins")
	var seen := []
	while shape.bake_progress() >= 0.0:
		seen.append(shape.bake_progress())
		await process_frame
		if seen.size() > 100000:
			break
	check(shape.is_baked() and shape.get_particle_count() > 500, "%d particles" % shape.get_particle_count())
	check(ResourceSaver.save(shape, "user://shape.res") == OK, "it is saved")
	var loaded: WobbleShape = ResourceLoader.load("user://shape.res", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.data == shape.data and loaded.get_level_count() == shape.get_level_count(), "and loaded")
	shape.particles = 20000
	shape.bake_begin()
	shape.bake_cancel()
	check(shape.bake_progress() < 0.0 and shape.get_particle_count() < 1000, "a bake that is cancelled changes nothing")
