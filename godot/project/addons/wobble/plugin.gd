@tool
extends EditorPlugin
## Registers the gizmo, the inspector's bake button and the importer of `.wobble` files.

const Gizmo := preload("editor/gizmo.gd")
const Inspector := preload("editor/inspector.gd")
const Importer := preload("editor/importer.gd")

var _gizmo: EditorNode3DGizmoPlugin
var _inspector: EditorInspectorPlugin
var _importer: EditorImportPlugin


func _enter_tree() -> void:
	_gizmo = Gizmo.new()
	_inspector = Inspector.new()
	_inspector.undo_redo = get_undo_redo()
	_importer = Importer.new()
	add_node_3d_gizmo_plugin(_gizmo)
	add_inspector_plugin(_inspector)
	add_import_plugin(_importer)


func _exit_tree() -> void:
	remove_node_3d_gizmo_plugin(_gizmo)
	remove_inspector_plugin(_inspector)
	remove_import_plugin(_importer)
