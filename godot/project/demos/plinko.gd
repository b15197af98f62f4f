extends Node3D
## Soft balls fall through rows of pegs. They differ in their level weights: those with more weight on fine levels squeeze through.

const ROWS := 6
const SPACING := 0.95

@export var shape: WobbleShape
@export var soft_material: WobbleMaterial

var _peg := CylinderShape3D.new()
var _peg_mesh := CylinderMesh.new()


func _ready() -> void:
	_peg.radius = 0.12
	_peg.height = 0.8
	_peg_mesh.top_radius = 0.12
	_peg_mesh.bottom_radius = 0.12
	_peg_mesh.height = 0.8
	_peg_mesh.radial_segments = 24
	var grey := StandardMaterial3D.new()
	grey.albedo_color = Color(0.45, 0.48, 0.55)
	_peg_mesh.material = grey
	for row in ROWS:
		for column in 6 + row % 2:
			_add_peg(Vector3((column - 2.5 - 0.5 * (row % 2)) * SPACING, 0.9 + 0.62 * row, 0))
	for wall: float in [-1, 1]:
		_add_wall(Vector3(0, 2.5, wall * 0.52), Vector3(8, 8, 0.2))
		_add_wall(Vector3(wall * 3.3, 2.5, 0), Vector3(0.2, 8, 1.4))
	var weightings := [WobbleBody3D.WEIGHTING_GAUSSIAN_COARSE, WobbleBody3D.WEIGHTING_UNIFORM,
		WobbleBody3D.WEIGHTING_GAUSSIAN_FINE]
	for i in 3:
		_add_ball(Vector3(-1.6 + 1.6 * i + 0.1, 5.2 + 0.4 * i, 0), weightings[i], Color.from_hsv(0.95 - 0.28 * i, 0.75, 0.95))


func _add_peg(at: Vector3) -> void:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	node.shape = _peg
	var mesh := MeshInstance3D.new()
	mesh.mesh = _peg_mesh
	body.add_child(node)
	body.add_child(mesh)
	body.transform = Transform3D(Basis(Vector3.RIGHT, PI / 2), at)
	add_child(body)


## Walls cannot be seen.
func _add_wall(at: Vector3, size: Vector3) -> void:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	node.shape = BoxShape3D.new()
	node.shape.size = size
	body.add_child(node)
	body.position = at
	add_child(body)


func _add_ball(at: Vector3, weighting: int, colour: Color) -> void:
	var ball := WobbleBody3D.new()
	ball.shape = shape
	ball.soft_material = soft_material
	ball.weighting = weighting
	ball.position = at
	ball.material_override = StandardMaterial3D.new()
	ball.material_override.albedo_color = colour
	ball.material_override.roughness = 0.3
	add_child(ball)
