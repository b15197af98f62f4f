extends "res://tests/harness.gd"
## The snippets of the README and the book, between their anchors.


## A script's view of the scene that the snippets are for.
class Level extends Node3D:
	var heard := 0
	var pieces_told := 0

	func script_of_the_readme() -> void:
		# ANCHOR: first
		$Jelly.soft_material = WobbleMaterial.named("jelly")
		$Jelly.level_weights = [0.7, 0.2, 0.1]
		$Jelly.contact_began.connect(func(other, point, normal, impulse): print(other.name))
		# ANCHOR_END: first
		$Jelly.contact_began.connect(func(_other, _point, _normal, _impulse): heard += 1)

	func material_by_hand() -> void:
		# ANCHOR: material
		var clay := WobbleMaterial.new()
		clay.stiffness = 15.0        # Hz
		clay.damping = 10.0          # 1/s
		clay.plasticity = true       # dents stay
		clay.plastic_yield = 0.02
		clay.breakable = true        # and it breaks
		clay.toughness = 0.6
		$Jelly.soft_material = clay
		# ANCHOR_END: material

	func cut_in_two() -> void:
		# ANCHOR: cut
		$Jelly.fractured.connect(func(pieces: Array[WobbleBody3D]) -> void:
			for piece in pieces:
				piece.apply_impulse(Vector3.UP))
		$Jelly.cut(Plane(Vector3.RIGHT, $Jelly.get_center_of_mass().x))
		# ANCHOR_END: cut
		$Jelly.fractured.connect(func(pieces: Array[WobbleBody3D]) -> void: pieces_told += pieces.size())


func _level() -> Level:
	add_floor()
	var level := Level.new()
	add(level)
	var jelly := soft_box(400)
	jelly.name = "Jelly"
	add(jelly, Vector3(0, 1.0, 0), level)
	return level


func test_the_script_of_the_readme_makes_jelly_that_tells_of_contacts() -> void:
	var level := _level()
	level.script_of_the_readme()
	await ticks(60)
	check(level.heard > 0, "the landing was told")


func test_the_material_of_the_book_keeps_a_dent() -> void:
	var level := _level()
	level.material_by_hand()
	await ticks(2)
	level.get_node("Jelly").set_linear_velocity(Vector3(0, -8, 0))
	await ticks(120)
	check(level.get_node("Jelly").get_lasting_strain() > 0.01, "it stays dented")


func test_the_cut_of_the_book_makes_two_of_one() -> void:
	var level := _level()
	await ticks(2)
	level.cut_in_two()
	await ticks(5)
	check(level.get_child_count() == 2, "there are %s bodies" % level.get_child_count())
