extends "res://tests/harness.gd"
## What the extension costs beside the library's step: 20 bodies of 1,000 particles and 2,000 vertices lie on the floor, awake.
##
## Both times are taken in each tick, so whatever else the machine does hits both; the row is the median of their ratios.

const BODIES := 20
const TICKS := 300


func test_ticks_against_steps() -> void:
	var here := WobbleWorld.new()
	here.sleeping = false
	add(here)
	add_floor(30.0)
	var shape := _shape()
	for i in BODIES:
		var body := WobbleBody3D.new()
		body.mesh = shape.mesh
		body.shape = shape
		add(body, Vector3(2.0 * (i % 5), 0.6, 2.0 * (i / 5)))
	await ticks(120)
	var ratios: Array[float] = []
	var steps: Array[float] = []
	var updates: Array[float] = []
	for i in TICKS:
		await ticks(1)
		ratios.append(here.get_tick_time() / here.get_step_time())
		steps.append(here.get_step_time())
		updates.append(here.get_tick_time() - here.get_step_time())
	for list: Array[float] in [ratios, steps, updates]:
		list.sort()
	var middle := TICKS / 2
	print("godot.particles ", BODIES * shape.get_particle_count())
	print("godot.vertices ", BODIES * shape.get_skin_mesh().surface_get_array_len(0))
	print("godot.step_ms ", snappedf(steps[middle], 0.001))
	print("godot.update_ms ", snappedf(updates[middle], 0.001))
	print("godot.over_plain ", snappedf(ratios[middle], 0.001))


## A ball of 2,016 vertices.
func _shape() -> WobbleShape:
	var ball := SphereMesh.new()
	ball.radial_segments = 62
	ball.rings = 30
	var shape := WobbleShape.new()
	shape.mesh = ball
	shape.particles = 1000
	shape.bake()
	return shape
