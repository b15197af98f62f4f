// Stand-in for UnityEditor: inspectors over the fields of objects, progress bars, events.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using UnityEngine;

namespace UnityEditor
{
    public sealed class CustomEditor : Attribute { public CustomEditor(Type type) { } }
    public sealed class CanEditMultipleObjects : Attribute { }
    public sealed class InitializeOnLoadAttribute : Attribute { }
    [Flags] public enum GizmoType { Selected = 1, Active = 2 }
    public sealed class DrawGizmo : Attribute { public DrawGizmo(GizmoType type) { } }
    public enum MessageType { Warning }
    public enum PlayModeStateChange { EnteredEditMode, ExitingEditMode, EnteredPlayMode, ExitingPlayMode }

    public static class AssemblyReloadEvents
    {
        public static event Action beforeAssemblyReload;
        public static void Raise() => beforeAssemblyReload();
    }

    public static class EditorApplication
    {
        public static event Action quitting;
        public static event Action<PlayModeStateChange> playModeStateChanged;
        public static void Raise(PlayModeStateChange change) => playModeStateChanged(change);
        public static void Quit() => quitting();
    }

    public static class Undo
    {
        public static readonly List<string> Records = new List<string>();
        public static void RecordObject(UnityEngine.Object what, string name) => Records.Add(name);
    }

    public static class EditorUtility
    {
        public static int Shown;
        public static bool Cancel, IsShowing;
        public static bool DisplayCancelableProgressBar(string title, string info, float progress)
        {
            Shown++;
            IsShowing = true;
            return Cancel;
        }
        public static void ClearProgressBar() => IsShowing = false;
        public static void SetDirty(UnityEngine.Object what) { }
    }

    public static class EditorGUI
    {
        public static bool Changed, showMixedValue;
        public static void BeginChangeCheck() => Changed = false;
        public static bool EndChangeCheck() => Changed;
    }

    public static class EditorGUILayout
    {
        public static readonly List<string> Help = new List<string>(), Labels = new List<string>(), Shown = new List<string>();
        public static bool Toggled;
        public static bool PropertyField(SerializedProperty property, bool children) { Shown.Add(property.name); return true; }
        public static void LabelField(string label, string text) => Labels.Add(label + ": " + text);
        public static void HelpBox(string text, MessageType type) => Help.Add(text);
        public static bool Toggle(string label, bool value) => Toggled || value;
        public static int IntSlider(string label, int value, int low, int high) => value;
    }

    public class Editor
    {
        public UnityEngine.Object[] targets;
        public UnityEngine.Object target => targets[0];
        SerializedObject serialized;
        public SerializedObject serializedObject => serialized ?? (serialized = new SerializedObject(targets));
        public virtual void OnInspectorGUI() { }
        public bool DrawDefaultInspector() => true;
    }

    /// <summary>The public fields of objects; changes are written to all of them when applied, and recorded.</summary>
    public sealed class SerializedObject
    {
        internal readonly UnityEngine.Object[] objects;
        internal readonly List<Action> changes = new List<Action>();
        public SerializedObject(UnityEngine.Object[] objects) { this.objects = objects; }
        public void Update() => changes.Clear();
        public SerializedProperty FindProperty(string name)
        {
            var field = objects[0].GetType().GetField(name);
            if (field == null) throw new MissingFieldException(objects[0].GetType().Name, name);
            return new SerializedProperty(this, field, -1);
        }
        public bool ApplyModifiedProperties()
        {
            bool any = changes.Count > 0;
            foreach (var change in changes) change();
            if (any) Undo.Records.Add("Inspector");
            if (any) foreach (var o in objects) StandIn.Stage.Send(o, "OnValidate");
            changes.Clear();
            return any;
        }
    }

    public sealed class SerializedProperty
    {
        readonly SerializedObject owner;
        readonly FieldInfo field;
        readonly int index;
        internal SerializedProperty(SerializedObject owner, FieldInfo field, int index)
        {
            this.owner = owner;
            this.field = field;
            this.index = index;
        }
        float[] Array(object o) => (float[])field.GetValue(o) ?? new float[0];
        public string name => field.Name;
        public UnityEngine.Object objectReferenceValue => (UnityEngine.Object)field.GetValue(owner.objects[0]);
        public int intValue => (int)field.GetValue(owner.objects[0]);
        public bool hasMultipleDifferentValues =>
            owner.objects.Any(o => !Array(o).SequenceEqual(Array(owner.objects[0])));
        public int arraySize
        {
            get { return Array(owner.objects[0]).Length; }
            set
            {
                foreach (var o in owner.objects)
                {
                    var array = (float[])Array(o).Clone();
                    System.Array.Resize(ref array, value);
                    field.SetValue(o, array);
                }
            }
        }
        public SerializedProperty GetArrayElementAtIndex(int i) => new SerializedProperty(owner, field, i);
        public float floatValue
        {
            get { return Array(owner.objects[0])[index]; }
            set { owner.changes.Add(() => { foreach (var o in owner.objects) Array(o)[index] = value; }); }
        }
    }
}
