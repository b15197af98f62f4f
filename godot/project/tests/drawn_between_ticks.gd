extends "res://tests/harness.gd"
## What is seen of bodies while the engine interpolates between ticks, judged by pixels: six pictures a tick.

const TICKS := 8
const PIXELS_A_METRE := 80.0
## m/s; two pixels a picture.
const SPEED := 1.5
const A_PICTURE := SPEED / 60.0 * PIXELS_A_METRE

var _rate: int


func test_a_body_at_constant_speed_never_goes_back() -> void:
	_open()
	var body := _flying(Color.WHITE)
	add(body, Vector3(-1.5, 0, 0))
	await _start(body)
	_check_even(await _film(), "the body")
	_close()


func test_nor_does_one_that_is_shown_by_a_node_on_its_own_way() -> void:
	_open()
	var shown: MeshInstance3D = add(MeshInstance3D.new(), Vector3(0.5, 0, 0))
	var body := _flying(Color.WHITE)
	body.render_to = shown.get_path()
	add(body, Vector3(-1.5, 0, 0))
	await _start(body)
	var wander := func() -> void: shown.position.x -= 0.1
	physics_frame.connect(wander)
	_check_even(await _film(), "the body")
	physics_frame.disconnect(wander)
	_close()


## Children keep their place on the body: what the engine interpolates moves on as it does.
func test_children_stay_where_they_sit_on_the_body() -> void:
	_open()
	var body := _flying(Color.RED)
	var hat := MeshInstance3D.new()
	hat.mesh = BoxMesh.new()
	hat.mesh.size = Vector3(0.3, 0.3, 0.3)
	hat.material_override = _paint(Color.BLUE)
	body.add_child(hat)
	hat.position = Vector3(1, 0, 0)
	add(body, Vector3(-1.5, 0, 0))
	await _start(body)
	var film := await _film()
	_check_even(film.map(func(seen: Vector3) -> Vector3: return Vector3(seen.x, 0, 0)), "the body")
	for seen: Vector3 in film:
		check_near(seen.z - seen.x, PIXELS_A_METRE, 0.6, "from the body to its child, pixels,")
	_close()


func test_a_teleported_body_is_in_its_new_place_at_once() -> void:
	_open()
	var body := _flying(Color.WHITE)
	add(body, Vector3(-1.5, 0, 0))
	await ticks(2)
	body.put_to_sleep()
	await ticks(2)
	var before: float = (await _film(1))[0].x
	body.teleport(Transform3D(Basis.IDENTITY, Vector3(1.5, 0, 0)))
	for seen: Vector3 in await _film(12):
		check_near(seen.x - before, 3.0 * PIXELS_A_METRE, 0.6, "the way, pixels,")
	_close()


func _open() -> void:
	_rate = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 10
	Engine.physics_jitter_fix = 0.0
	physics_interpolation = true
	root.size = Vector2i(480, 120)
	var camera := Camera3D.new()
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = 120 / PIXELS_A_METRE
	camera.physics_interpolation_mode = Node.PHYSICS_INTERPOLATION_MODE_OFF
	camera.environment = Environment.new()
	camera.environment.background_mode = Environment.BG_COLOR
	camera.environment.background_color = Color.BLACK
	add(camera, Vector3(0, 0, 5))


func _close() -> void:
	physics_interpolation = false
	Engine.physics_ticks_per_second = _rate


func _paint(colour: Color) -> StandardMaterial3D:
	var paint := StandardMaterial3D.new()
	paint.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	paint.albedo_color = colour
	return paint


func _flying(colour: Color) -> WobbleBody3D:
	var body := soft_box()
	body.mesh = box_mesh().duplicate()
	body.mesh.material = _paint(colour)
	body.soft_material = WobbleMaterial.new()
	body.soft_material.gravity_scale = 0.0
	return body


func _start(body: WobbleBody3D) -> void:
	await ticks(1)
	body.set_linear_velocity(Vector3(SPEED, 0, 0))
	await ticks(2)


## Where the middle of what is red, green and blue was in each picture, pixels from the left.
func _film(pictures := 6 * TICKS) -> Array:
	var film := []
	for i in pictures:
		await RenderingServer.frame_post_draw
		film.append(_middles(root.get_texture().get_image()))
	return film


func _middles(image: Image) -> Vector3:
	var sum := Vector3.ZERO
	var total := Vector3.ZERO
	image.convert(Image.FORMAT_RGB8)
	var data := image.get_data()
	var width := image.get_width()
	# Every row of a box at rest is the same; a few do.
	for y in range(48, 72, 6):
		for x in width:
			var at := 3 * (y * width + x)
			var seen := Vector3(data[at], data[at + 1], data[at + 2])
			sum += seen * x
			total += seen
	return sum / total.max(Vector3.ONE)


## Every picture shows what is red the same way further to the right.
func _check_even(film: Array, what: String) -> void:
	var worst := 0.0
	for i in range(1, film.size()):
		var step: float = film[i].x - film[i - 1].x
		check(step > 0.0, "%s goes back by %s pixels in picture %d" % [what, -step, i])
		worst = maxf(worst, absf(step - A_PICTURE))
	check(worst < 0.5, "%s moves by %s pixels a picture, more or less by up to %s" % [what, A_PICTURE, worst])
