extends SceneTree
## Runs every method of a script whose name begins with "test_", each in an empty tree, and says ALL PASS in the end.
##
## No assert(): a failed one stops the script without ending the process.

var _failed := 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	for method in get_method_list():
		if method.name.begins_with("test_"):
			var before := _failed
			await call(method.name)
			await clear()
			if _failed == before:
				print("ok ", method.name)
	if _failed == 0:
		print("ALL PASS")
	quit(0 if _failed == 0 else 1)


## Says what failed unless `truth` holds.
func check(truth: bool, what: String) -> void:
	if not truth:
		_failed += 1
		print("FAIL ", what)


func check_near(found: float, wanted: float, tolerance: float, what: String) -> void:
	check(absf(found - wanted) <= tolerance, "%s is %s, not %s ± %s" % [what, found, wanted, tolerance])


## Announces an error of the engine that the test provokes; its text contains this.
func expect_error(text: String) -> void:
	print("expected: ", text)


## Waits until so many ticks of physics are over.
func ticks(count: int) -> void:
	for i in count:
		await physics_frame
	await process_frame


## The highest speed of a body in so many ticks to come, m/s.
func fastest_of(body: WobbleBody3D, count: int) -> float:
	var fastest := 0.0
	for i in count:
		await ticks(1)
		fastest = maxf(fastest, body.get_linear_velocity().length())
	return fastest


## Frees all nodes and waits until they are gone.
func clear() -> void:
	for child in root.get_children():
		child.queue_free()
	paused = false
	await process_frame
	await process_frame


func add(node: Node, at := Vector3.ZERO, parent: Node = root) -> Node:
	if node is Node3D:
		node.position = at
	parent.add_child(node)
	return node


## Solid below y = 0.
func add_floor(half := 10.0) -> StaticBody3D:
	var shape := BoxShape3D.new()
	shape.size = Vector3(2 * half, 1, 2 * half)
	return add(with_shape(StaticBody3D.new(), shape), Vector3(0, -0.5, 0))


func with_shape(body: CollisionObject3D, shape: Shape3D) -> CollisionObject3D:
	var node := CollisionShape3D.new()
	node.shape = shape
	body.add_child(node)
	return body


## A box of jelly, 1 m wide; its shape is baked once.
func soft_box(particles := 200) -> WobbleBody3D:
	var body := WobbleBody3D.new()
	body.mesh = box_mesh()
	body.shape = box_shape(particles)
	return body


static var _mesh: BoxMesh
static var _shapes := {}


func box_mesh() -> BoxMesh:
	if _mesh == null:
		_mesh = BoxMesh.new()
		_mesh.subdivide_width = 6
		_mesh.subdivide_height = 6
		_mesh.subdivide_depth = 6
	return _mesh


func box_shape(particles := 200) -> WobbleShape:
	if not _shapes.has(particles):
		var shape := WobbleShape.new()
		shape.mesh = box_mesh()
		shape.particles = particles
		shape.bake()
		_shapes[particles] = shape
	return _shapes[particles]


func world() -> WobbleWorld:
	return WobbleWorld.of(root.get_child(0))
