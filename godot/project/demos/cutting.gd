extends Node3D
## Candles of jelly are cut aslant one after the other, and what is cut off slides down. Drag with the right mouse button
## to cut whatever lies under the stroke; the space bar makes all whole again.

const REACH := 30.0

var _stroke: Variant

@onready var _candles: Array[Node] = find_children("Candle*", "WobbleBody3D", false)


func _ready() -> void:
	for turn in 2:
		for index in _candles.size():
			await get_tree().create_timer(0.3, true, true).timeout
			var candle: WobbleBody3D = _candles[index]
			var lean := 0.9 if (index + turn) % 2 == 0 else -0.9
			var normal := Vector3(lean, 1.0, 0.25).normalized()
			candle.fractured.connect(_paint, CONNECT_ONE_SHOT)
			candle.cut(Plane(normal, normal.dot(candle.get_center_of_mass())))


## Pieces take the colour along; a little lighter, they are told from what they were cut off.
func _paint(pieces: Array[WobbleBody3D]) -> void:
	for piece in pieces:
		var colour: StandardMaterial3D = piece.material_override.duplicate()
		colour.albedo_color = colour.albedo_color.lightened(0.2)
		piece.material_override = colour


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_RIGHT:
		if event.pressed:
			_stroke = event.position
		elif _stroke is Vector2 and _stroke.distance_to(event.position) > 4.0:
			_cut(_stroke, event.position)
	elif event is InputEventKey and event.pressed and event.keycode == KEY_SPACE:
		for candle: WobbleBody3D in _candles:
			candle.reset()


func _cut(from: Vector2, to: Vector2) -> void:
	var camera := get_viewport().get_camera_3d()
	var eye := camera.global_position
	var start := camera.project_ray_normal(from)
	var end := camera.project_ray_normal(to)
	for body: WobbleBody3D in find_children("*", "WobbleBody3D", true, false):
		body.cut_with_blade(eye + start, eye + REACH * start, eye + end, eye + REACH * end)
