// Stand-in for UnityEngine: time, messages, attributes, events, native arrays.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace UnityEngine
{
    public enum PrimitiveType { Sphere, Capsule, Cube }

    public static class Time
    {
        public static float time, fixedTime, fixedDeltaTime = 0.02f;
    }

    public static class Physics { public static Vector3 gravity = new Vector3(0, -9.81f, 0); }
    public static class Application { public static bool isPlaying = true; }

    public static class Debug
    {
        public static readonly List<string> Errors = new List<string>(), Warnings = new List<string>();
        public static void LogError(object line, Object context = null) => Errors.Add(line.ToString());
        public static void LogWarning(object line, Object context = null) => Warnings.Add(line.ToString());
        public static void LogException(Exception exception, Object context = null) => Errors.Add(exception.Message);
    }

    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string path) { } }
    public sealed class CreateAssetMenuAttribute : Attribute { public string menuName, fileName; }
    public sealed class DisallowMultipleComponent : Attribute { }
    public sealed class DefaultExecutionOrder : Attribute { public readonly int order; public DefaultExecutionOrder(int order) { this.order = order; } }
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public sealed class RequireComponent : Attribute { public readonly Type type; public RequireComponent(Type type) { this.type = type; } }
    public sealed class TooltipAttribute : Attribute { public readonly string tooltip; public TooltipAttribute(string text) { tooltip = text; } }
    public sealed class RangeAttribute : Attribute { public RangeAttribute(float low, float high) { } }
    public sealed class MinAttribute : Attribute { public MinAttribute(float low) { } }
    public sealed class SerializeField : Attribute { }
    public sealed class HideInInspector : Attribute { }
    public enum RuntimeInitializeLoadType { SubsystemRegistration }
    public sealed class RuntimeInitializeOnLoadMethodAttribute : Attribute { public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType when) { } }

    public sealed class GUILayoutOption { }

    public static class GUILayout
    {
        /// <summary>What the hand at the mouse does: a slider's next value, or NaN to leave it; whether buttons are pressed.</summary>
        public static float Slide = float.NaN;
        public static bool Press;
        public static GUILayoutOption Width(float width) => null;
        public static GUILayoutOption Height(float height) => null;
        public static void Label(string text) { }
        public static bool Button(string text) => Press;
        public static void BeginHorizontal(params GUILayoutOption[] options) { }
        public static void EndHorizontal() { }
        public static void BeginVertical(params GUILayoutOption[] options) { }
        public static void EndVertical() { }
        public static float HorizontalSlider(float value, float left, float right, params GUILayoutOption[] options) =>
            float.IsNaN(Slide) ? value : Slide;
        public static float VerticalSlider(float value, float top, float bottom, params GUILayoutOption[] options)
        {
            if (float.IsNaN(Slide)) return value;
            UnityEditor.EditorGUI.Changed = true;
            return Slide;
        }
    }

    public static class Gizmos
    {
        public static Color color;
        public static Matrix4x4 matrix;
        public static int Drawn;
        public static void DrawSphere(Vector3 centre, float radius) => Drawn++;
        public static void DrawWireSphere(Vector3 centre, float radius) => Drawn++;
        public static void DrawWireCube(Vector3 centre, Vector3 size) => Drawn++;
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat { UInt16, UInt32 }
    public enum ShadowCastingMode { Off, On }
}

namespace UnityEngine.Events
{
    public class UnityEvent
    {
        Action listeners;
        public void AddListener(Action listener) => listeners += listener;
        public void Invoke() { if (listeners != null) listeners(); }
    }

    public class UnityEvent<T>
    {
        Action<T> listeners;
        public void AddListener(Action<T> listener) => listeners += listener;
        public void RemoveListener(Action<T> listener) => listeners -= listener;
        public void Invoke(T told) { if (listeners != null) listeners(told); }
    }

    public class UnityEvent<T, U>
    {
        Action<T, U> listeners;
        public void AddListener(Action<T, U> listener) => listeners += listener;
        public void Invoke(T first, U second) { if (listeners != null) listeners(first, second); }
    }
}

namespace Unity.Collections
{
    public enum Allocator { Persistent }

    public unsafe struct NativeArray<T> where T : struct
    {
        /// <summary>Arrays that nobody has disposed of.</summary>
        public static int Live;
        internal IntPtr memory;
        public int Length { get; private set; }
        public bool IsCreated => memory != IntPtr.Zero;

        public NativeArray(int length, Allocator allocator)
        {
            memory = Marshal.AllocHGlobal(Math.Max(1, length * Marshal.SizeOf(typeof(T))));
            Length = length;
            Live++;
        }

        public void Dispose()
        {
            Marshal.FreeHGlobal(memory);
            memory = IntPtr.Zero;
            Live--;
        }

        public void CopyTo(T[] to)
        {
            if (!IsCreated) throw new ObjectDisposedException(nameof(NativeArray<T>));
            var handle = GCHandle.Alloc(to, GCHandleType.Pinned);
            long bytes = (long)Length * Marshal.SizeOf(typeof(T));
            Buffer.MemoryCopy((void*)memory, (void*)handle.AddrOfPinnedObject(), bytes, bytes);
            handle.Free();
        }
    }
}

namespace Unity.Collections.LowLevel.Unsafe
{
    public static unsafe class NativeArrayUnsafeUtility
    {
        public static void* GetUnsafePtr<T>(this NativeArray<T> array) where T : struct => (void*)array.memory;
    }
}
