extends Node3D
## Gummy bears fall on a heap, one after the other. All share one shape.

const COLOURS: Array[Color] = [
	Color(0.88, 0.16, 0.2), Color(0.96, 0.55, 0.1), Color(0.95, 0.8, 0.15), Color(0.25, 0.7, 0.3), Color(0.2, 0.5, 0.85)]

## How many bears fall.
@export var count := 15
## Seconds from one to the next.
@export var pause := 0.18
@export var shape: WobbleShape
@export var soft_material: WobbleMaterial

var _random := RandomNumberGenerator.new()


func _ready() -> void:
	_random.seed = 7
	for side: Vector3 in [Vector3.LEFT, Vector3.RIGHT, Vector3.FORWARD, Vector3.BACK]:
		_add_wall(side * 1.5, Vector3(3.2, 0.5, 0.2) if side.x == 0 else Vector3(0.2, 0.5, 3.2))
	# The first one waits for the shape to be baked, if it is not.
	_drop(0)
	for i in range(1, count):
		await get_tree().create_timer(pause, true, true).timeout
		_drop(i)


## The bears fall into a tray.
func _add_wall(at: Vector3, size: Vector3) -> void:
	var wall := StaticBody3D.new()
	var shape_node := CollisionShape3D.new()
	shape_node.shape = BoxShape3D.new()
	shape_node.shape.size = size
	var mesh := MeshInstance3D.new()
	mesh.mesh = BoxMesh.new()
	mesh.mesh.size = size
	wall.add_child(shape_node)
	wall.add_child(mesh)
	wall.position = at + Vector3.UP * 0.25
	add_child(wall)


func _drop(number: int) -> void:
	var bear := WobbleBody3D.new()
	bear.name = "Bear%d" % number
	bear.shape = shape
	bear.soft_material = soft_material
	var colour := StandardMaterial3D.new()
	colour.albedo_color = COLOURS[number % COLOURS.size()]
	colour.roughness = 0.2
	colour.rim_enabled = true
	colour.rim = 0.4
	bear.material_override = colour
	var turn := Basis.from_euler(Vector3(_random.randf_range(-1.0, 1.0), TAU * _random.randf(), _random.randf_range(-1.0, 1.0)))
	bear.transform = Transform3D(turn, Vector3(_random.randf_range(-0.6, 0.6), 2.8, _random.randf_range(-0.6, 0.6)))
	add_child(bear)
