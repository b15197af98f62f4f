class_name WobblePicker
extends Node
## Lets the mouse drag soft bodies: add it anywhere in a scene with a camera.

## How far around the point under the mouse a body is taken hold of, metres.
@export var radius := 0.25
## The most force to drag with, newtons; 0 for ten times the body's weight.
@export var max_force := 0.0
## The layers of bodies that can be picked.
@export_flags_3d_physics var mask := 0xffffffff

var _body: WobbleBody3D
var _grab := 0
var _distance := 0.0


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		if event.pressed:
			pick(event.position)
		else:
			release()
	elif event is InputEventMouseMotion and _grab:
		drag(event.position)


func _exit_tree() -> void:
	release()


## Takes hold of the body at a place of the viewport; whether there is one.
func pick(at: Vector2) -> bool:
	release()
	var camera := get_viewport().get_camera_3d()
	if camera == null:
		return false
	var from := camera.project_ray_origin(at)
	var hit := WobbleWorld.of(self).cast_ray(from, camera.project_ray_normal(at), 1000.0, mask)
	if not hit.get("node") is WobbleBody3D:
		return false
	_body = hit.node
	_distance = from.distance_to(hit.point)
	_grab = _body.grab(hit.point, radius, max_force)
	return _grab != 0


## Drags what is held to a place of the viewport, at the distance at which it was picked.
func drag(at: Vector2) -> void:
	var camera := get_viewport().get_camera_3d()
	if camera and _grab and is_instance_valid(_body):
		_body.move_grab(_grab, camera.project_ray_origin(at) + camera.project_ray_normal(at) * _distance)


## Lets go.
func release() -> void:
	if _grab and is_instance_valid(_body):
		_body.release_grab(_grab)
	_grab = 0
	_body = null
