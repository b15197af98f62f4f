extends "res://tests/harness.gd"
## Resources load, and nodes are made, set up and freed, on any thread while bodies move.

const SCENE := "user://threads_scene.tscn"
const SHAPE := "user://threads_shape.res"
const MATERIAL := "user://threads_material.tres"


func test_a_scene_is_loaded_on_a_thread_while_bodies_move() -> void:
	add_floor()
	_save_scene()
	var here: WobbleBody3D = add(soft_box(), Vector3(0, 20, 0))
	var modes := [ResourceLoader.CACHE_MODE_IGNORE_DEEP, ResourceLoader.CACHE_MODE_REUSE]
	for i in modes.size():
		var asked := ResourceLoader.load_threaded_request(SCENE, "PackedScene", true, modes[i])
		check(asked == OK, "it is asked for")
		while ResourceLoader.load_threaded_get_status(SCENE) == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
			await physics_frame
		var scene: PackedScene = ResourceLoader.load_threaded_get(SCENE)
		var made: Node3D = add(scene.instantiate(), Vector3(3.0 + 3.0 * i, 0, 0))
		var body: WobbleBody3D = made.get_node("Body")
		check(body.is_simulated() and body.get_particle_count() == here.get_particle_count(), "it has its shape")
		check_near(body.soft_material.stiffness, 25.0, 1e-6, "the stiffness")
		await ticks(60)
		check_near(body.get_bounds().position.y, 0.0, 0.05, "the lowest particle")
	check(here.global_position.y < 18.0, "bodies moved meanwhile")


func test_nodes_are_made_and_set_up_on_a_thread() -> void:
	add_floor()
	_save_scene()
	var here: WobbleBody3D = add(soft_box(), Vector3(0, 40, 0))
	var thread := Thread.new()
	thread.start(_make.bind(load(SCENE)))
	while thread.is_alive():
		await physics_frame
	var made: Node3D = thread.wait_to_finish()
	add(made, Vector3(3, 0, 0))
	var body: WobbleBody3D = made.get_node("Body")
	var bear: WobbleBody3D = made.get_node("Bear")
	check(body.is_simulated() and bear.is_simulated(), "both have a body")
	check_near(body.mass, 3.0, 1e-6, "the mass set on the thread")
	check(bear.get_particle_count() > 50, "the bear baked on the thread has %d particles" % bear.get_particle_count())
	await ticks(60)
	check(body.get_body_mass() > 2.9 and body.get_body_mass() < 3.1, "%s kg" % body.get_body_mass())
	check(made.get_node("Attachment").is_holding(), "the attachment made on the thread holds")
	check(here.global_position.y < 39.0, "bodies moved meanwhile")


## All kinds of nodes and resources, as a level streamer makes them.
func _make(scene: PackedScene) -> Node3D:
	var made: Node3D = scene.instantiate()
	var body: WobbleBody3D = made.get_node("Body")
	body.mass = 3.0
	body.level_weights = [1.0, 2.0]
	body.soft_material = WobbleMaterial.named("gummy")
	body.soft_material.preset = WobbleMaterial.PRESET_FOAM
	# What is asked before there is a body gets an answer, too.
	body.apply_impulse(Vector3.UP)
	body.set_linear_velocity(body.get_linear_velocity())
	var shape := WobbleShape.new()
	shape.source = WobbleShape.SOURCE_GUMMY_BEAR
	shape.particles = 100
	shape.bake()
	var bear := WobbleBody3D.new()
	bear.name = "Bear"
	bear.shape = shape
	bear.position = Vector3(2, 1, 0)
	made.add_child(bear)
	var attachment := WobbleAttachment3D.new()
	attachment.name = "Attachment"
	attachment.position = Vector3(2, 1.3, 0)
	attachment.body = NodePath("../Bear")
	made.add_child(attachment)
	made.add_child(WobbleForceField3D.new())
	var unused := WobbleWorld.new()
	unused.gravity = Vector3(0, -1, 0)
	unused.free()
	return made


func test_many_threads_make_and_free_nodes_of_one_shape_while_bodies_move() -> void:
	add_floor()
	_save_scene()
	var here: WobbleBody3D = add(soft_box(), Vector3(0, 40, 0))
	var scene: PackedScene = load(SCENE)
	var made: Array[Node3D] = []
	made.resize(24)
	var task := WorkerThreadPool.add_group_task(func(i: int) -> void:
		var node: Node3D = scene.instantiate()
		var body: WobbleBody3D = node.get_node("Body")
		body.mass = 1.0 + i
		body.collision_mask = 3
		check(body.shape.get_particle_count() > 100 and body.shape.get_mass() > 0.0, "the shape is known")
		if i % 2 == 1:
			node.free()
			node = null
		made[i] = node, made.size())
	while not WorkerThreadPool.is_group_task_completed(task):
		await physics_frame
	WorkerThreadPool.wait_for_group_task_completion(task)
	for i in range(0, made.size(), 2):
		add(made[i], Vector3(2 * i, 0, 5))
		check_near(made[i].get_node("Body").get_body_mass(), 1.0 + i, 0.01, "the mass of number %d" % i)
	await ticks(30)
	check(world().get_body_count() == 1 + made.size() / 2, "%d bodies" % world().get_body_count())
	check(here.global_position.y < 39.0, "bodies moved meanwhile")


func test_a_body_that_left_the_tree_is_freed_on_a_thread() -> void:
	add_floor()
	var here: WobbleBody3D = add(soft_box(), Vector3(0, 40, 0))
	var others: Array[WobbleBody3D] = []
	for i in 8:
		others.append(add(soft_box(), Vector3(2 + 2 * i, 1, 0)))
	await ticks(5)
	for body in others:
		root.remove_child(body)
	var thread := Thread.new()
	thread.start(func() -> void:
		for body in others:
			OS.delay_msec(15)
			body.free())
	while thread.is_alive():
		await physics_frame
	thread.wait_to_finish()
	await ticks(2)
	check(world().get_body_count() == 1, "%d bodies are left" % world().get_body_count())
	check(here.global_position.y < 39.0, "the other one fell meanwhile")


## A scene with a body, its baked shape and its material in files of their own.
func _save_scene() -> void:
	var shape := box_shape().duplicate()
	ResourceSaver.save(shape, SHAPE)
	var material := WobbleMaterial.named("jelly")
	material.stiffness = 25.0
	ResourceSaver.save(material, MATERIAL)
	var top := Node3D.new()
	var body := WobbleBody3D.new()
	body.name = "Body"
	body.mesh = box_mesh()
	body.shape = ResourceLoader.load(SHAPE, "", ResourceLoader.CACHE_MODE_REPLACE)
	body.soft_material = ResourceLoader.load(MATERIAL, "", ResourceLoader.CACHE_MODE_REPLACE)
	body.position.y = 0.7
	top.add_child(body)
	body.owner = top
	var scene := PackedScene.new()
	scene.pack(top)
	check(ResourceSaver.save(scene, SCENE) == OK, "the scene is saved")
	top.free()
