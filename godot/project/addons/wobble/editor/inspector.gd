@tool
extends EditorInspectorPlugin
## A button above the properties of a shape that bakes it, with progress and undo.

var undo_redo: EditorUndoRedoManager


func _can_handle(object: Object) -> bool:
	return object is WobbleShape


func _parse_begin(object: Object) -> void:
	var bar := BakeBar.new()
	bar.shape = object
	bar.undo_redo = undo_redo
	add_custom_control(bar)


class BakeBar:
	extends VBoxContainer

	var shape: WobbleShape
	var undo_redo: EditorUndoRedoManager
	var _before: PackedByteArray
	var _button := Button.new()
	var _bar := ProgressBar.new()
	var _label := Label.new()

	func _ready() -> void:
		_bar.max_value = 1.0
		_bar.hide()
		_button.pressed.connect(_press)
		for control: Control in [_button, _bar, _label]:
			add_child(control)
		_tell()
		set_process(false)

	func _press() -> void:
		if _bar.visible:
			shape.bake_cancel()
			_finish()
			return
		_before = shape.data
		if shape.bake_begin():
			_bar.show()
			_button.text = "Cancel"
			set_process(true)

	func _process(_delta: float) -> void:
		var progress := shape.bake_progress()
		_bar.value = progress
		if progress < 0.0 or progress >= 1.0 and shape.bake_progress() < 0.0:
			if shape.data != _before:
				undo_redo.create_action("Bake Wobble Shape")
				undo_redo.add_do_property(shape, &"data", shape.data)
				undo_redo.add_undo_property(shape, &"data", _before)
				undo_redo.commit_action(false)
			_finish()

	func _finish() -> void:
		set_process(false)
		_bar.hide()
		_tell()

	func _tell() -> void:
		_button.text = "Bake" if not shape.is_baked() else "Bake Again"
		_label.text = "Not baked" if not shape.is_baked() else "%d particles, %d levels, %.2f kg" % [
			shape.get_particle_count(), shape.get_level_count(), shape.get_mass()]
