@tool
extends EditorImportPlugin
## Imports shapes that the command line tool baked: `wobble bake bear.obj -o bear.wobble`.


func _get_importer_name() -> String:
	return "wobble.shape"


func _get_visible_name() -> String:
	return "Wobble Shape"


func _get_recognized_extensions() -> PackedStringArray:
	return ["wobble"]


func _get_save_extension() -> String:
	return "res"


func _get_resource_type() -> String:
	return "WobbleShape"


func _get_preset_count() -> int:
	return 0


func _get_priority() -> float:
	return 1.0


func _get_import_order() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return []


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _import(source: String, save_path: String, _options: Dictionary, _variants: Array[String],
		_files: Array[String]) -> Error:
	var shape := WobbleShape.new()
	if not shape.load_file(source):
		return ERR_FILE_CORRUPT
	return ResourceSaver.save(shape, "%s.%s" % [save_path, _get_save_extension()])
