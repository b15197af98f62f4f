@tool
extends EditorPlugin
## Uses the addon as a person at the editor does, then quits.

var _failed := 0


func _enter_tree() -> void:
	_run.call_deferred()


func check(truth: bool, what: String) -> void:
	print("ok " if truth else "FAIL ", what)
	if not truth:
		_failed += 1


func _wait(frames := 5) -> void:
	for i in frames:
		await get_tree().process_frame


func _run() -> void:
	await _wait(30)
	await _import_a_baked_file()
	for scene: String in ["jelly_drop", "bear_pile", "plinko", "bridge"]:
		EditorInterface.open_scene_from_path("res://demos/%s.tscn" % scene)
		await _wait()
	EditorInterface.open_scene_from_path("res://demos/jelly_drop.tscn")
	await _wait()
	await _bake_and_undo()
	_show_gizmo()
	_warn()
	await _reload()
	if _failed == 0:
		print("ALL PASS")
	get_tree().quit(_failed)


func _body() -> WobbleBody3D:
	return EditorInterface.get_edited_scene_root().get_node("Jelly")


func _import_a_baked_file() -> void:
	var shape := WobbleShape.new()
	shape.source = WobbleShape.SOURCE_BALL
	shape.particles = 100
	shape.bake()
	var file := FileAccess.open("res://tests/ball.wobble", FileAccess.WRITE)
	file.store_buffer(shape.data)
	file.close()
	var files := EditorInterface.get_resource_filesystem()
	files.scan()
	for i in 600:
		await _wait(1)
		if ResourceLoader.exists("res://tests/ball.wobble"):
			break
	var imported: Resource = load("res://tests/ball.wobble")
	check(imported is WobbleShape and imported.get_particle_count() == shape.get_particle_count(), "a .wobble file is imported")


func _bake_and_undo() -> void:
	var shape: WobbleShape = _body().shape
	check(not shape.is_baked(), "the shape of the demo is not baked")
	EditorInterface.edit_resource(shape)
	await _wait(10)
	var bars := EditorInterface.get_inspector().find_children("*", "Button", true, false).filter(
		func(button: Button) -> bool: return button.text == "Bake")
	check(bars.size() == 1, "the inspector has a bake button")
	if bars.is_empty():
		return
	bars[0].pressed.emit()
	for i in 2000:
		await _wait(1)
		if shape.is_baked():
			break
	await _wait(5)
	check(shape.is_baked() and shape.get_particle_count() > 1000, "it bakes, %d particles" % shape.get_particle_count())
	var history := get_undo_redo().get_history_undo_redo(get_undo_redo().get_object_history_id(shape))
	check(history.undo() and not shape.is_baked(), "undo takes the bake back")
	check(history.redo() and shape.is_baked(), "redo bakes again")


func _show_gizmo() -> void:
	EditorInterface.get_selection().add_node(_body())
	_body().update_gizmos()
	check(not _body().get_gizmos().is_empty(), "the body has a gizmo")


func _warn() -> void:
	var body := WobbleBody3D.new()
	check(body.get_problems().size() == 1 and _body().get_problems().is_empty(), "the editor warns of what is missing")
	check(not _body().is_simulated(), "nothing moves in the editor")
	body.free()


## What the editor does when the library was built anew.
func _reload() -> void:
	var path := "res://addons/wobble/wobble.gdextension"
	var done := GDExtensionManager.reload_extension(path)
	check(done == GDExtensionManager.LOAD_STATUS_OK, "the extension is loaded anew, %d" % done)
	await _wait(20)
	check(_body().shape != null and _body().shape.is_baked() and _body().get_problems().is_empty(), "and the scene goes on")
