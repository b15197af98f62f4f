extends "res://tests/harness.gd"
## Beside Godot's SoftBody3D: two soft boxes fall on each other, first Godot's, then ours. What is claimed of ours is checked;
## both are told in lines that begin with "compare", which `cargo xtask godot-compare` makes a table of.

const TICKS := 300
## Wide and long enough for anything that lies on it.
const FLOOR := 20.0

var _boxes: Array[Node3D] = []
var _mesh_arrays: Array


func test_two_soft_boxes() -> void:
	_mesh_arrays = box_mesh().get_mesh_arrays()
	var engine: String = ProjectSettings.get_setting("physics/3d/physics_engine", "DEFAULT")
	print("compare engine ", "Godot Physics" if engine in ["DEFAULT", "GodotPhysics3D"] else engine)
	var idle := await _play("nothing", func() -> Array[Node3D]: return [])
	await _play("SoftBody3D", func() -> Array[Node3D]: return [_godots({}), _godots({})], idle)
	var firm := {"linear_stiffness": 1.0, "simulation_precision": 20, "pressure_coefficient": 1.0}
	await _play("SoftBody3D, firm", func() -> Array[Node3D]: return [_godots(firm), _godots(firm)], idle)
	await _play("WobbleBody3D", func() -> Array[Node3D]: return [_ours(), _ours()], idle)
	for i in 2:
		var box := _points(_boxes[i])
		check_near(_volume(box), 1.0, 0.04, "the volume of box %d" % i)
		check_near(_stretch(box), 0.0, 0.06, "the stretch of box %d" % i)
		check(_lowest(box) > -0.02, "box %d is in the floor, at %s" % [i, _lowest(box)])
	check(_inside() < 0.02, "%s of the boxes is inside each other" % _inside())
	check_near(_middle(_points(_boxes[1])).y - _middle(_points(_boxes[0])).y, 1.0, 0.1, "the upper box above the lower")


## Milliseconds that a tick takes more than `idle`.
func _play(name: String, make: Callable, idle := 0.0) -> float:
	await clear()
	add_floor(FLOOR)
	_boxes = make.call()
	for i in _boxes.size():
		add(_boxes[i], Vector3(0.1 * i, 0.7 + 1.3 * i, 0))
	await ticks(2)
	var start := Time.get_ticks_usec()
	await ticks(TICKS)
	var time := (Time.get_ticks_usec() - start) / 1000.0 / TICKS - idle
	if not _boxes.is_empty():
		_tell(name, time)
	return time


func _tell(name: String, time: float) -> void:
	var both: Array[PackedVector3Array] = [_points(_boxes[0]), _points(_boxes[1])]
	var drift := 0.0
	var stretch := 0.0
	var lowest := INF
	for box in both:
		var change := _volume(box) - 1.0
		drift = change if absf(change) > absf(drift) else drift
		stretch = maxf(stretch, _stretch(box))
		lowest = minf(lowest, _lowest(box))
	var apart := _middle(both[1]).y - _middle(both[0]).y
	print("compare %s | %+.1f %% | %.1f %% | %.2f m | %.0f %% | %.2f m | %.2f ms" % [
		name, 100 * drift, 100 * stretch, lowest, 100 * _inside(), apart, time])


func _godots(properties: Dictionary) -> SoftBody3D:
	var box := SoftBody3D.new()
	box.mesh = box_mesh()
	for property: String in properties:
		box.set(property, properties[property])
	return box


## About as many particles as the mesh has different vertices. Asleep it would cost nothing.
func _ours() -> WobbleBody3D:
	var box := soft_box(300)
	box.can_sleep = false
	return box


## Vertices in the world.
func _points(box: Node3D) -> PackedVector3Array:
	if box is WobbleBody3D:
		return box.get_vertex_positions()
	var points := PackedVector3Array()
	for i in _mesh_arrays[Mesh.ARRAY_VERTEX].size():
		points.append(box.get_point_transform(i))
	return points


func _middle(points: PackedVector3Array) -> Vector3:
	var sum := Vector3.ZERO
	for point in points:
		sum += point
	return sum / points.size()


func _lowest(points: PackedVector3Array) -> float:
	return Array(points).reduce(func(least: float, point: Vector3) -> float: return minf(least, point.y), INF)


## In cubic metres; 1 at rest.
func _volume(points: PackedVector3Array) -> float:
	var sum := 0.0
	var middle := _middle(points)
	var corners: PackedInt32Array = _mesh_arrays[Mesh.ARRAY_INDEX]
	for t in range(0, corners.size(), 3):
		var a := points[corners[t]] - middle
		# Godot's triangles go round clockwise.
		sum -= a.dot((points[corners[t + 1]] - middle).cross(points[corners[t + 2]] - middle)) / 6.0
	return sum


## By how much edges are longer or shorter than at rest, root mean square.
func _stretch(points: PackedVector3Array) -> float:
	var rest: PackedVector3Array = _mesh_arrays[Mesh.ARRAY_VERTEX]
	var corners: PackedInt32Array = _mesh_arrays[Mesh.ARRAY_INDEX]
	var sum := 0.0
	for i in corners.size():
		var next := corners[i + 1 if i % 3 < 2 else i - 2]
		var change := points[corners[i]].distance_to(points[next]) / rest[corners[i]].distance_to(rest[next]) - 1.0
		sum += change * change
	return sqrt(sum / corners.size())


## The share of both boxes' vertices that are inside the other by more than a hundredth of its size.
func _inside() -> float:
	var count := 0
	var both: Array[PackedVector3Array] = [_points(_boxes[0]), _points(_boxes[1])]
	for i in 2:
		var middle := _middle(both[i])
		for point in both[i]:
			# A little way towards the own middle, so that what only touches is not inside.
			if absf(_turns(point.move_toward(middle, 0.01), both[1 - i])) > 0.5:
				count += 1
	return float(count) / (both[0].size() + both[1].size())


## How often the surface goes round a point: 0 outside.
func _turns(at: Vector3, points: PackedVector3Array) -> float:
	var corners: PackedInt32Array = _mesh_arrays[Mesh.ARRAY_INDEX]
	var sum := 0.0
	for t in range(0, corners.size(), 3):
		var a := points[corners[t]] - at
		var b := points[corners[t + 1]] - at
		var c := points[corners[t + 2]] - at
		var lengths := Vector3(a.length(), b.length(), c.length())
		var beside := lengths.x * lengths.y * lengths.z + a.dot(b) * lengths.z + b.dot(c) * lengths.x + c.dot(a) * lengths.y
		sum += atan2(a.dot(b.cross(c)), beside)
	return sum / TAU
