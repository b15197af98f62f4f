extends "res://tests/harness.gd"
## Bodies meet Godot's own colliders, and push its rigid bodies.


func _ground(shape: Shape3D, top: float, name: String) -> void:
	var body := StaticBody3D.new()
	add(with_shape(body, shape), Vector3(0, -top, 0))
	var soft: WobbleBody3D = add(soft_box(), Vector3(0, 0.7, 0))
	await ticks(150)
	check_near(soft.get_bounds().position.y, 0.0, 0.04, "the lowest particle on a %s" % name)
	await clear()


func test_every_kind_of_shape_carries_a_body() -> void:
	var box := BoxShape3D.new()
	box.size = Vector3(6, 2, 6)
	await _ground(box, 1.0, "box")
	var cylinder := CylinderShape3D.new()
	cylinder.radius = 4
	cylinder.height = 2
	await _ground(cylinder, 1.0, "cylinder")
	var convex := ConvexPolygonShape3D.new()
	convex.points = [Vector3(-4, 0, -4), Vector3(4, 0, -4), Vector3(-4, 0, 4), Vector3(4, 0, 4), Vector3(0, -3, 0)]
	await _ground(convex, 0.0, "convex shape")
	var concave := ConcavePolygonShape3D.new()
	concave.set_faces([Vector3(-5, 0, -5), Vector3(5, 0, -5), Vector3(5, 0, 5), Vector3(-5, 0, -5), Vector3(5, 0, 5),
		Vector3(-5, 0, 5)])
	await _ground(concave, 0.0, "concave shape")
	var map := HeightMapShape3D.new()
	map.map_width = 9
	map.map_depth = 9
	await _ground(map, 0.0, "height map")
	await _ground(WorldBoundaryShape3D.new(), 0.0, "world boundary")


func test_round_shapes_are_round() -> void:
	var ball := SphereShape3D.new()
	ball.radius = 1.0
	var capsule := CapsuleShape3D.new()
	capsule.radius = 1.0
	capsule.height = 4.0
	for shape: Shape3D in [ball, capsule]:
		add(with_shape(StaticBody3D.new(), shape))
		var reach := 2.0 if shape is CapsuleShape3D else 1.0
		var soft: WobbleBody3D = add(soft_box(), Vector3(0, reach + 0.6, 0))
		await ticks(20)
		for place in soft.get_particle_positions():
			var from := Vector3(0, clampf(place.y, 1 - reach, reach - 1), 0)
			check(place.distance_to(from) > 0.98, "a particle is %s from the middle" % place.distance_to(from))
		await clear()


func test_a_body_in_a_closed_room_lies_on_its_floor() -> void:
	var mesh := BoxMesh.new()
	mesh.size = Vector3(4, 4, 4)
	add(with_shape(StaticBody3D.new(), mesh.create_trimesh_shape()))
	var soft: WobbleBody3D = add(soft_box())
	await ticks(180)
	check_near(soft.get_bounds().position.y, -2.0, 0.03, "the lowest particle")


func test_masks_layers_and_switches_count() -> void:
	var ground := add_floor()
	ground.collision_layer = 2
	var through: WobbleBody3D = add(soft_box(), Vector3(0, 1, 0))
	var stopped := soft_box()
	stopped.collision_mask = 3
	add(stopped, Vector3(3, 1, 0))
	await ticks(90)
	check(through.global_position.y < -1.0, "layer 2 lets a body of mask 1 through")
	check(stopped.global_position.y > 0.4, "and stops one of mask 3")
	(ground.get_child(0) as CollisionShape3D).disabled = true
	await ticks(60)
	check(stopped.global_position.y < 0.0, "a shape that is switched off stops nothing")


func test_shapes_that_change_and_move_are_followed() -> void:
	var ground := add_floor()
	var soft: WobbleBody3D = add(soft_box(), Vector3(0, 0.55, 0))
	await ticks(60)
	((ground.get_child(0) as CollisionShape3D).shape as BoxShape3D).size.y = 0.5
	await ticks(60)
	check_near(soft.get_bounds().position.y, -0.25, 0.03, "the lowest particle on a thinner floor")
	ground.position.y -= 1.0
	await ticks(90)
	check_near(soft.get_bounds().position.y, -1.25, 0.03, "the lowest particle on a lower floor")
	ground.queue_free()
	await ticks(60)
	check(soft.global_position.y < -2.0, "it falls once the floor is gone")


func test_an_animatable_body_carries_along_what_lies_on_it() -> void:
	var shape := BoxShape3D.new()
	shape.size = Vector3(4, 0.5, 4)
	var lift: AnimatableBody3D = with_shape(AnimatableBody3D.new(), shape)
	lift.sync_to_physics = false
	add(lift, Vector3(0, -0.25, 0))
	var soft: WobbleBody3D = add(soft_box(), Vector3(0, 0.55, 0))
	await ticks(60)
	for i in 90:
		lift.position += Vector3(1.0, 0.5, 0) / 60.0
		await physics_frame
	check_near(soft.global_position.x, lift.position.x, 0.15, "its place along the way")
	check_near(soft.get_bounds().position.y, lift.position.y + 0.25, 0.05, "the lowest particle")


func test_a_rigid_body_takes_the_momentum_that_a_soft_one_loses() -> void:
	var shape := BoxShape3D.new()
	var rigid: RigidBody3D = with_shape(RigidBody3D.new(), shape)
	rigid.mass = 5.0
	rigid.gravity_scale = 0.0
	rigid.linear_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
	rigid.angular_damp_mode = RigidBody3D.DAMP_MODE_REPLACE
	add(rigid)
	var soft := soft_box()
	soft.mass = 5.0
	soft.soft_material = WobbleMaterial.new()
	soft.soft_material.gravity_scale = 0.0
	add(soft, Vector3(-1.5, 0, 0))
	await ticks(2)
	soft.set_linear_velocity(Vector3(3, 0, 0))
	await ticks(60)
	var momentum := 5.0 * (rigid.linear_velocity.x + soft.get_linear_velocity().x)
	check(rigid.linear_velocity.x > 1.0, "the rigid body goes off at %s" % rigid.linear_velocity)
	check_near(momentum, 15.0, 0.5, "momentum")


func test_a_rigid_box_comes_to_rest_on_a_soft_one() -> void:
	add_floor()
	var soft := soft_box(400)
	soft.mass = 10.0
	soft.scale = Vector3(2, 1, 2)
	add(soft, Vector3(0, 0.52, 0))
	var rigid: RigidBody3D = with_shape(RigidBody3D.new(), BoxShape3D.new())
	rigid.mass = 2.0
	add(rigid, Vector3(0, 2.0, 0))
	await ticks(300)
	check(rigid.global_position.y > 1.3 and rigid.global_position.y < 1.6, "the box is at %s" % rigid.global_position)
	check(rigid.linear_velocity.length() < 0.2, "it moves at %s" % rigid.linear_velocity)
	check(not soft.is_sleeping(), "what carries it stays awake")


func test_soft_bodies_lie_on_each_other() -> void:
	add_floor()
	var lower: WobbleBody3D = add(soft_box(), Vector3(0, 0.6, 0))
	var upper: WobbleBody3D = add(soft_box(), Vector3(0.1, 1.8, 0))
	await ticks(240)
	check(upper.get_bounds().position.y > 0.85, "the upper one is at %s" % upper.get_bounds())
	check(lower.get_shape_error() < 0.1 and upper.get_shape_error() < 0.1, "both keep their shape")


## A box beside a soft body at rest, which then goes by `way` in a tick; returns the soft body's velocity after it.
func _after_going(jump_distance: float, way: Vector3, from := Vector3(-4, 0.5, 0)) -> Vector3:
	var here: WobbleWorld = add(WobbleWorld.new())
	here.jump_distance = jump_distance
	add_floor()
	var wall: AnimatableBody3D = with_shape(AnimatableBody3D.new(), BoxShape3D.new())
	wall.sync_to_physics = false
	add(wall, from)
	var soft: WobbleBody3D = add(soft_box(), Vector3(0, 0.52, 0))
	await ticks(60)
	wall.position += way
	await ticks(1)
	var velocity := soft.get_linear_velocity()
	await clear()
	return velocity


func test_a_body_that_jumps_farther_than_the_set_distance_hits_nothing_on_the_way() -> void:
	var unused := WobbleWorld.new()
	var plain := unused.jump_distance
	unused.free()
	var across := Vector3(8, 0, 0)
	var jumped := await _after_going(plain, across)
	check(jumped.length() < 0.1, "a jump of 8 m across the soft body left it at %s" % jumped)
	var moved := await _after_going(0.0, across)
	check(moved.length() > 10.0, "with 0 nothing jumps; it is left at %s" % moved)
	var pushed := await _after_going(plain, Vector3(0.3, 0, 0), Vector3(-1.1, 0.5, 0))
	check(pushed.x > 1.0, "a push of 0.3 m sends it off at %s" % pushed)


func test_a_lift_that_jumps_together_with_its_load_does_not_throw_it() -> void:
	var shape := BoxShape3D.new()
	shape.size = Vector3(4, 0.5, 4)
	var lift: AnimatableBody3D = with_shape(AnimatableBody3D.new(), shape)
	lift.sync_to_physics = false
	add(lift, Vector3(0, -0.25, 0))
	var soft: WobbleBody3D = add(soft_box(), Vector3(0, 0.52, 0))
	await ticks(60)
	var way := Vector3(100, 50, 0)
	lift.position += way
	soft.global_position += way
	var fastest := await fastest_of(soft, 60)
	check(fastest < 0.1, "it flies at up to %s m/s after the jump" % fastest)
	check_near(soft.global_position.y, 50.5, 0.05, "the height on the lift")
	check_near(soft.global_position.x, 100.0, 0.05, "its place on the lift")
