extends Node3D
## Rigid boxes and balls fall on a soft bridge that hangs between two posts, and push it down.

@export var count := 6


func _ready() -> void:
	for i in count:
		await get_tree().create_timer(0.35, true, true).timeout
		_drop(i)


func _drop(number: int) -> void:
	var body := RigidBody3D.new()
	var shape := CollisionShape3D.new()
	var mesh := MeshInstance3D.new()
	if number % 2 == 0:
		shape.shape = BoxShape3D.new()
		shape.shape.size = Vector3.ONE * 0.5
		mesh.mesh = BoxMesh.new()
		mesh.mesh.size = Vector3.ONE * 0.5
	else:
		shape.shape = SphereShape3D.new()
		shape.shape.radius = 0.28
		mesh.mesh = SphereMesh.new()
		mesh.mesh.radius = 0.28
		mesh.mesh.height = 0.56
	var colour := StandardMaterial3D.new()
	colour.albedo_color = Color.from_hsv(0.55 + 0.05 * number, 0.6, 0.85)
	mesh.material_override = colour
	body.mass = 3.0
	body.angular_damp = 1.0
	body.add_child(shape)
	body.add_child(mesh)
	body.position = Vector3(-1.2 + 0.48 * number, 3.2, 0.1 * (number % 3 - 1))
	add_child(body)
