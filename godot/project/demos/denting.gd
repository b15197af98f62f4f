extends Node3D
## A press stamps rubber, clay and foam that remembers: rubber springs back, clay keeps the dent, foam loses it again in the
## course of seconds. The space bar smooths all and stamps anew.

const UP := 2.2
const DOWN := 0.95

@onready var _press: AnimatableBody3D = $Press


func _ready() -> void:
	_stamp()


func _stamp() -> void:
	var tween := create_tween().set_process_mode(Tween.TWEEN_PROCESS_PHYSICS).set_trans(Tween.TRANS_SINE)
	tween.tween_property(_press, ^"position:y", DOWN, 0.7)
	tween.tween_interval(0.2)
	tween.tween_property(_press, ^"position:y", UP, 0.5)


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and event.keycode == KEY_SPACE:
		for body: WobbleBody3D in [$Rubber, $Clay, $MemoryFoam]:
			body.reset()
		_stamp()
