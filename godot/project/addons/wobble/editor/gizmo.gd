@tool
extends EditorNode3DGizmoPlugin
## Shows what a body is made of: its particles, clusters by level, and what is pinned; and where attachments hold.

const COLOURS: Array[Color] = [
	Color(1.0, 0.8, 0.2), Color(0.3, 0.8, 1.0), Color(0.6, 1.0, 0.4), Color(1.0, 0.5, 0.8), Color(0.8, 0.8, 0.8)]


func _init() -> void:
	for level in COLOURS.size():
		create_material("level_%d" % level, COLOURS[level])
	create_material("particles", Color(1, 1, 1, 0.5))
	create_material("pins", Color(1.0, 0.2, 0.2))


func _get_gizmo_name() -> String:
	return "Wobble"


func _has_gizmo(node: Node3D) -> bool:
	return node is WobbleBody3D or node is WobbleAttachment3D or node is WobbleForceField3D


func _redraw(gizmo: EditorNode3DGizmo) -> void:
	gizmo.clear()
	var node := gizmo.get_node_3d()
	if node is WobbleBody3D:
		_draw_body(gizmo, node)
	elif node is WobbleAttachment3D:
		gizmo.add_lines(_ball(Vector3.ZERO, maxf(node.radius, 0.02)), get_material("pins", gizmo))
	elif node.kind == WobbleForceField3D.KIND_ATTRACTOR:
		gizmo.add_lines(_ball(Vector3.ZERO, node.radius), get_material("level_1", gizmo))
	elif node.kind == WobbleForceField3D.KIND_BUOYANCY:
		gizmo.add_lines(_square(), get_material("level_1", gizmo))
	else:
		gizmo.add_lines(_arrow(node.velocity), get_material("level_1", gizmo))


func _draw_body(gizmo: EditorNode3DGizmo, body: WobbleBody3D) -> void:
	var pins: AABB = body.pin_box.abs()
	if pins.size != Vector3.ZERO:
		gizmo.add_lines(_box(pins), get_material("pins", gizmo))
	if body.shape == null or not body.shape.is_baked():
		return
	var lines := PackedVector3Array()
	var pinned := PackedVector3Array()
	for place: Vector3 in body.shape.get_rest_positions():
		var is_pinned := pins.size != Vector3.ZERO and pins.has_point(place)
		(pinned if is_pinned else lines).append_array(_cross(place, 0.01))
	gizmo.add_lines(lines, get_material("particles", gizmo))
	if not pinned.is_empty():
		gizmo.add_lines(pinned, get_material("pins", gizmo))
	for level: int in body.shape.get_level_count():
		var rings := PackedVector3Array()
		var radii: PackedFloat32Array = body.shape.get_cluster_radii(level)
		var centres: PackedVector3Array = body.shape.get_cluster_centres(level)
		for i in centres.size():
			rings.append_array(_ball(centres[i], radii[i] * 0.25))
		gizmo.add_lines(rings, get_material("level_%d" % mini(level, COLOURS.size() - 1), gizmo))


func _cross(at: Vector3, size: float) -> PackedVector3Array:
	var lines := PackedVector3Array()
	for axis: Vector3 in [Vector3.RIGHT, Vector3.UP, Vector3.BACK]:
		lines.append_array([at - axis * size, at + axis * size])
	return lines


func _ball(at: Vector3, radius: float) -> PackedVector3Array:
	var lines := PackedVector3Array()
	for basis: Basis in [Basis.IDENTITY, Basis(Vector3.RIGHT, PI / 2), Basis(Vector3.UP, PI / 2)]:
		for i in 16:
			for k in 2:
				var angle := TAU * (i + k) / 16.0
				lines.append(at + basis * Vector3(cos(angle), sin(angle), 0) * radius)
	return lines


func _box(box: AABB) -> PackedVector3Array:
	var lines := PackedVector3Array()
	for i in 8:
		for bit in 3:
			if not i & (1 << bit):
				lines.append_array([box.get_endpoint(i), box.get_endpoint(i | (1 << bit))])
	return lines


func _square() -> PackedVector3Array:
	return [Vector3(-1, 0, -1), Vector3(1, 0, -1), Vector3(1, 0, -1), Vector3(1, 0, 1), Vector3(1, 0, 1),
		Vector3(-1, 0, 1), Vector3(-1, 0, 1), Vector3(-1, 0, -1), Vector3.ZERO, Vector3.UP]


func _arrow(along: Vector3) -> PackedVector3Array:
	if along.is_zero_approx():
		return _cross(Vector3.ZERO, 0.2)
	var tip := along.normalized()
	var side := tip.cross(Vector3.UP if absf(tip.y) < 0.9 else Vector3.RIGHT).normalized() * 0.15
	return [Vector3.ZERO, tip, tip, tip * 0.8 + side, tip, tip * 0.8 - side]
