extends "res://tests/harness.gd"
## What bodies tell, and what holds, blows and picks them.


func test_contacts_begin_and_end_once_with_what_was_touched() -> void:
	var ground := add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 0.8, 0))
	var began := []
	var ended := []
	body.contact_began.connect(func(other: Node, point: Vector3, normal: Vector3, impulse: float) -> void:
		began.append([other, point, normal, impulse]))
	body.contact_ended.connect(func(other: Node) -> void: ended.append(other))
	await ticks(60)
	check(began.size() >= 1 and began[0][0] == ground, "it touched the floor: %s" % [began])
	if not began.is_empty():
		check(began[0][2].dot(Vector3.UP) > 0.9 and began[0][3] > 0.0, "from below, with an impulse")
		check_near(began[0][1].y, 0.0, 0.05, "where")
	body.teleport(Transform3D(Basis.IDENTITY, Vector3(0, 5, 0)))
	await ticks(5)
	check(ended.size() == began.size() and ended[-1] == ground, "and left it")


func test_both_soft_bodies_are_told_of_their_contact() -> void:
	add_floor()
	var lower: WobbleBody3D = add(soft_box(), Vector3(0, 0.5, 0))
	var upper: WobbleBody3D = add(soft_box(), Vector3(0, 1.7, 0))
	var told := []
	lower.contact_began.connect(func(other: Node, _p: Vector3, normal: Vector3, _i: float) -> void:
		if other == upper: told.append(normal))
	upper.contact_began.connect(func(other: Node, _p: Vector3, normal: Vector3, _i: float) -> void:
		if other == lower: told.append(normal))
	await ticks(60)
	check(told.size() >= 2, "both were told: %s" % [told])
	if told.size() >= 2:
		check(told[0].dot(told[1]) < 0.0, "with opposite normals")


func test_a_body_at_rest_falls_asleep_and_wakes_when_it_is_pushed() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 0.52, 0))
	var told := []
	body.slept.connect(func() -> void: told.append("slept"))
	body.woke.connect(func() -> void: told.append("woke"))
	await ticks(300)
	check(body.is_sleeping() and told == ["slept"], "it sleeps: %s" % [told])
	body.apply_impulse(Vector3(0, 200, 0))
	await ticks(3)
	check(not body.is_sleeping() and told == ["slept", "woke"], "it woke: %s" % [told])


func test_pins_hold_by_box_by_path_and_by_group() -> void:
	var body := soft_box()
	body.pin_box = AABB(Vector3(-1, 0.4, -1), Vector3(2, 1, 2))
	add(body, Vector3(0, 3, 0))
	var marker: Marker3D = add(Marker3D.new(), Vector3(5, 3.5, 0))
	var by_path := soft_box()
	by_path.pin_paths = [marker.get_path()]
	by_path.pin_radius = 0.4
	add(by_path, Vector3(5, 3, 0))
	var grouped: Marker3D = add(Marker3D.new(), Vector3(10, 3.5, 0))
	grouped.add_to_group(&"hooks")
	var by_group := soft_box()
	by_group.pin_group = &"hooks"
	by_group.pin_radius = 0.4
	add(by_group, Vector3(10, 3, 0))
	await ticks(120)
	for hung: WobbleBody3D in [body, by_path, by_group]:
		check(hung.global_position.y > 2.3, "%s hangs at %s" % [hung, hung.global_position])
	check(body.get_pinned_particles().size() > 5, "the box pins particles")
	for i in 60:
		marker.position.x += 1.0 / 60.0
		await physics_frame
	await ticks(60)
	check_near(by_path.global_position.x, 6.0, 0.3, "it went along with the node")
	marker.queue_free()
	await ticks(30)
	check(by_path.global_position.y < 2.0, "it falls once the node is gone")


func test_an_attachment_holds_breaks_and_lets_go() -> void:
	var body := soft_box()
	body.mass = 2.0
	add(body, Vector3(0, 3, 0))
	var holder := WobbleAttachment3D.new()
	holder.radius = 0.4
	add(holder, Vector3(0, 3.5, 0))
	holder.body = body.get_path()
	await ticks(60)
	check(holder.is_holding() and body.global_position.y > 2.5, "it holds")
	for i in 60:
		holder.position.x += 1.0 / 60.0
		await physics_frame
	await ticks(120)
	check_near(body.global_position.x, 1.0, 0.3, "where it was taken")
	holder.let_go()
	var weak := WobbleAttachment3D.new()
	weak.break_force = 5.0
	var broke := []
	weak.broke.connect(func() -> void: broke.append(true))
	add(weak, body.global_position)
	weak.body = body.get_path()
	await ticks(20)
	check(broke.size() == 1 and not weak.is_holding(), "a weak one breaks under 20 N")


## Moves nodes when all that has no priority of its own was processed.
class Mover extends Node:
	var nodes: Array[Node3D]
	var way: Vector3

	func _ready() -> void:
		process_physics_priority = 100

	func _physics_process(_delta: float) -> void:
		for node in nodes:
			node.global_position += way
		nodes.clear()


## The highest speed of a body after the character that it hangs from by two nodes is put elsewhere, m/s. The body is a
## child of the character, or beside it and moved along by the scene, or left to follow.
func _speed_after_a_jump(way: Vector3, kind: String, holder: Callable) -> float:
	var character: Node3D = add(Node3D.new())
	var body := soft_box()
	body.mass = 2.0
	body.pin_radius = 0.3
	for i in 2:
		var node: Node3D = holder.call()
		node.position = Vector3(0.8 * i - 0.4, 0.5, 0.4)
		character.add_child(node)
		if node is WobbleAttachment3D:
			node.radius = 0.3
		else:
			body.pin_paths.append(node.get_path())
	add(body, Vector3.ZERO, character if kind == "child" else root)
	for node in character.get_children():
		if node is WobbleAttachment3D:
			node.body = body.get_path()
	await ticks(120)
	var mover := Mover.new()
	mover.nodes = [character]
	if kind == "moved":
		mover.nodes.append(body)
	mover.way = way
	add(mover)
	if kind == "told":
		for node: WobbleAttachment3D in character.get_children():
			node.jump()
	var fastest := await fastest_of(body, 30)
	check(body.get_center_of_mass().distance_to(character.position) < 1.0, "the body is with its character")
	await clear()
	return fastest


func test_a_character_jumps_with_what_hangs_from_it() -> void:
	var holders := {"attached": WobbleAttachment3D.new, "pinned": Marker3D.new}
	for held: String in holders:
		for kind: String in ["child", "moved", "left"]:
			var speed := await _speed_after_a_jump(Vector3(1000, 20, -300), kind, holders[held])
			check(speed < 0.5, "a body %s to a character, %s, flies at %s m/s" % [held, kind, speed])
	var near := await _speed_after_a_jump(Vector3(1, 0, 0), "told", WobbleAttachment3D.new)
	check(near < 0.5, "after a short jump that was told it flies at %s m/s" % near)


func test_what_the_mouse_holds_jumps_with_its_body() -> void:
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 3, 0))
	body.soft_material = WobbleMaterial.new()
	body.soft_material.gravity_scale = 0.0
	await ticks(5)
	var grab := body.grab(Vector3(0, 3.4, 0))
	await ticks(30)
	body.global_position += Vector3(50, 0, 0)
	body.jump_grab(grab, Vector3(50, 3.4, 0))
	var fastest := await fastest_of(body, 30)
	check(fastest < 0.5, "it flies at %s m/s" % fastest)
	check_near(body.global_position.x, 50.0, 0.1, "its place")


func test_a_rigid_body_that_holds_by_a_spring_is_pulled_down() -> void:
	var rigid: RigidBody3D = with_shape(RigidBody3D.new(), SphereShape3D.new())
	rigid.gravity_scale = 0.0
	rigid.mass = 5.0
	rigid.collision_layer = 2
	add(rigid, Vector3(0, 4, 0))
	var body := soft_box()
	body.mass = 2.0
	add(body, Vector3(0, 3, 0))
	var holder := WobbleAttachment3D.new()
	holder.spring = true
	holder.radius = 0.4
	holder.hold_to = rigid.get_path()
	add(holder, Vector3(0, 3.5, 0))
	holder.body = body.get_path()
	await ticks(90)
	check(rigid.linear_velocity.y < -0.5, "the rigid body falls at %s" % rigid.linear_velocity)


func test_fields_blow_pull_and_lift() -> void:
	var wind := WobbleForceField3D.new()
	wind.velocity = Vector3(5, 0, 0)
	add(wind)
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 5, 0))
	await ticks(60)
	check(body.get_linear_velocity().x > 1.5, "wind blows it at %s" % body.get_linear_velocity())
	wind.queue_free()
	var water := WobbleForceField3D.new()
	water.kind = WobbleForceField3D.KIND_BUOYANCY
	water.velocity = Vector3.ZERO
	water.drag = 2.0
	add(water)
	await ticks(600)
	check_near(body.get_center_of_mass().y, 0.0, 0.3, "it floats half in water of twice its density; the centre")
	water.queue_free()
	var star := WobbleForceField3D.new()
	star.kind = WobbleForceField3D.KIND_ATTRACTOR
	star.strength = 60.0
	add(star, body.get_center_of_mass() + Vector3(0, 2, 0))
	await ticks(30)
	check(body.get_linear_velocity().y > 0.5, "the attractor lifts it at %s" % body.get_linear_velocity())


func test_explosions_push_and_rays_hit() -> void:
	add_floor()
	var body: WobbleBody3D = add(soft_box(), Vector3(0, 0.5, 0))
	await ticks(2)
	var hit := world().cast_ray(Vector3(0, 5, 0), Vector3.DOWN)
	check(hit.get("node") == body and absf(hit.distance - 4.0) < 0.05, "the ray hit %s" % hit)
	hit = world().cast_ray(Vector3(4, 5, 0), Vector3.DOWN)
	check(hit.get("node") is StaticBody3D, "beside it the floor: %s" % hit)
	check(world().cast_ray(Vector3(4, 5, 0), Vector3.UP).is_empty(), "above nothing")
	world().explode(Vector3(-1, 0.5, 0), 4.0, 10.0)
	check(body.get_linear_velocity().x > 1.0, "the explosion pushed it at %s" % body.get_linear_velocity())


func test_the_mouse_picks_and_drags() -> void:
	var camera := Camera3D.new()
	add(camera, Vector3(0, 0, 5))
	camera.current = true
	var body := soft_box()
	body.soft_material = WobbleMaterial.new()
	body.soft_material.gravity_scale = 0.0
	add(body)
	var picker := WobblePicker.new()
	add(picker)
	await ticks(2)
	var middle := camera.unproject_position(Vector3.ZERO)
	check(picker.pick(middle), "the body is picked")
	picker.drag(camera.unproject_position(Vector3(1.5, 0, 0)))
	await ticks(60)
	check(body.global_position.x > 0.5, "and dragged to %s" % body.global_position)
	picker.release()
	check(not picker.pick(Vector2(1, 1)), "nothing is in the corner")


func test_the_same_scene_gives_the_same_bits_whatever_the_threads() -> void:
	var hashes := []
	for threads in [1, 2, 4]:
		var here := WobbleWorld.new()
		here.threads = threads
		add(here)
		add_floor()
		for i in 4:
			add(soft_box(), Vector3(0.1 * i, 1.2 + 1.3 * i, 0.05 * i))
		await ticks(90)
		hashes.append(here.get_state_hash())
		await clear()
	check(hashes[0] == hashes[1] and hashes[1] == hashes[2], "the hashes are %s" % [hashes])


func test_a_budget_saves_substeps() -> void:
	var here := WobbleWorld.new()
	here.budget = 0.001
	add(here)
	add(soft_box(), Vector3(0, 5, 0))
	await ticks(20)
	check(here.get_substeps_made() == 1, "%d substeps" % here.get_substeps_made())
	here.budget = 0.0
	await ticks(3)
	check(here.get_substeps_made() == 4, "%d substeps" % here.get_substeps_made())


func test_gravity_is_that_of_the_project_or_of_the_world() -> void:
	var here := WobbleWorld.new()
	here.use_project_gravity = false
	here.gravity = Vector3(2, 0, 0)
	add(here)
	var body: WobbleBody3D = add(soft_box(), Vector3.ZERO, here)
	await ticks(60)
	check_near(body.get_linear_velocity().x, 2.0, 0.1, "the velocity after a second")
	here.use_project_gravity = true
	here.debug_draw = true
	await ticks(60)
	check_near(body.get_linear_velocity().y, -9.8, 0.3, "the velocity after another")
