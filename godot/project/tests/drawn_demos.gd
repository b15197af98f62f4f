extends SceneTree
## Draws every demo scene twice, at its beginning and later, and sees that bodies are there and moved. The pictures go
## into the folder $PICTURES.

const SECONDS := {"jelly_drop": 0.72, "bear_pile": 4.0, "plinko": 3.0, "bridge": 4.5, "cutting": 3.5, "denting": 2.5}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var failed := 0
	for file in DirAccess.get_files_at("res://demos"):
		if file.ends_with(".tscn") and file != "stage.tscn":
			failed += await _film(file.get_basename())
	if failed == 0:
		print("ALL PASS")
	quit(failed)


func _film(name: String) -> int:
	var scene: Node = load("res://demos/%s.tscn" % name).instantiate()
	root.add_child(scene)
	current_scene = scene
	await _wait(2)
	var first: Image = await _picture(name + "_1")
	await _wait(roundi(60 * SECONDS.get(name, 2.0)))
	var second: Image = await _picture(name + "_2")
	var bodies := scene.find_children("*", "WobbleBody3D", true, false)
	var problem := ""
	if bodies.is_empty():
		problem = "there is no body"
	# Where bodies are there is a strong colour, but for a few that something hides.
	var camera := root.get_camera_3d()
	var hidden := bodies.filter(func(body: WobbleBody3D) -> bool:
		var at := camera.unproject_position(body.get_center_of_mass())
		return Rect2(Vector2.ZERO, root.size).grow(-1).has_point(at) and not _differs(second, Vector2i(at)))
	if 4 * hidden.size() > bodies.size():
		problem = "not to be seen: %s" % [hidden]
	var changed := _changed(first, second)
	if changed < 0.004:
		problem = "only %.2f %% of the picture changed" % (100 * changed)
	scene.queue_free()
	await _wait(3)
	if problem.is_empty():
		print("ok %s, %d bodies, %.1f %% of the picture changed" % [name, bodies.size(), 100 * changed])
		return 0
	print("FAIL ", name, ": ", problem)
	return 1


## Lets time pass without drawing: software takes a quarter of a second for a picture.
func _wait(frames: int) -> void:
	RenderingServer.render_loop_enabled = false
	for i in frames:
		await process_frame
	RenderingServer.render_loop_enabled = true


func _picture(name: String) -> Image:
	await RenderingServer.frame_post_draw
	var image := root.get_texture().get_image()
	image.save_png("%s/%s.png" % [OS.get_environment("PICTURES"), name])
	return image


## Whether a body is drawn at a place: its colour is stronger than that of sky and ground.
func _differs(image: Image, at: Vector2i) -> bool:
	for offset: Vector2i in [Vector2i.ZERO, Vector2i(6, 0), Vector2i(-6, 0), Vector2i(0, 6), Vector2i(0, -6)]:
		var place := (at + offset).clamp(Vector2i.ZERO, image.get_size() - Vector2i.ONE)
		if image.get_pixelv(place).s > 0.3:
			return true
	return false


func _changed(a: Image, b: Image) -> float:
	var count := 0
	var total := 0
	for y in range(0, a.get_height(), 4):
		for x in range(0, a.get_width(), 4):
			total += 1
			var p := a.get_pixel(x, y)
			var q := b.get_pixel(x, y)
			if absf(p.r - q.r) + absf(p.g - q.g) + absf(p.b - q.b) > 0.15:
				count += 1
	return float(count) / total
