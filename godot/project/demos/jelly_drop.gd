extends Node3D
## Three jellies that differ in nothing but their level weights; sliders set those of the middle one.

@onready var _jelly: WobbleBody3D = $Jelly


func _ready() -> void:
	var weights := _jelly.get_effective_level_weights()
	for level in weights.size():
		_add_slider(level, weights)


func _add_slider(level: int, weights: PackedFloat32Array) -> void:
	var slider := HSlider.new()
	slider.max_value = 1.0
	slider.step = 0.01
	slider.value = weights[level]
	slider.custom_minimum_size = Vector2(200, 24)
	slider.value_changed.connect(_weigh.bind(level))
	var label := Label.new()
	label.text = "level %d%s" % [level, ", finest" if level == 0 else ""]
	label.add_theme_color_override(&"font_color", Color(0.15, 0.2, 0.3))
	$Panel.add_child(label)
	$Panel.add_child(slider)


func _weigh(value: float, level: int) -> void:
	var weights := _jelly.level_weights
	if weights.is_empty():
		weights = _jelly.get_effective_level_weights()
	weights[level] = value
	if value > 0.0 or Array(weights).any(func(weight: float) -> bool: return weight > 0.0):
		_jelly.level_weights = weights


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and event.keycode == KEY_SPACE:
		for body: WobbleBody3D in [$Coarse, _jelly, $Fine]:
			body.teleport(Transform3D(Basis.IDENTITY, Vector3(body.global_position.x, 3.0, 0.0)))
