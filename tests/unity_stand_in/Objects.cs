// Stand-in for UnityEngine: objects, components, assets.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using StandIn;
using Unity.Collections;

namespace UnityEngine
{
    public class Object
    {
        internal bool isDestroyed;
        public virtual string name { get; set; }
        public static bool operator ==(Object a, Object b) => Alive(a) ? ReferenceEquals(a, b) : !Alive(b);
        public static bool operator !=(Object a, Object b) => !(a == b);
        static bool Alive(Object o) => !ReferenceEquals(o, null) && !o.isDestroyed;
        public override bool Equals(object other) => this == other as Object;
        public override int GetHashCode() => base.GetHashCode();
        public static void Destroy(Object o) => Stage.Destroy(o);
        public static void DestroyImmediate(Object o) => Stage.Destroy(o);
        public static T[] FindObjectsOfType<T>() where T : Object => Stage.Components.OfType<T>().Where(
            found => ((Component)(object)found).gameObject.activeInHierarchy).ToArray();
        public static Mesh Instantiate(Mesh mesh) => mesh.Copy();
    }

    public class GameObject : Object
    {
        internal readonly List<Component> components = new List<Component>();
        bool isActive = true;
        public readonly Transform transform;
        public int layer;
        internal SceneManagement.Scene own = SceneManagement.SceneManager.GetActiveScene();
        public SceneManagement.Scene scene => transform.parent == null ? own : transform.parent.gameObject.scene;
        public GameObject(string name)
        {
            this.name = name;
            transform = new Transform { gameObject = this };
            components.Add(transform);
            Stage.Objects.Add(this);
        }
        public bool activeSelf => isActive;
        public bool activeInHierarchy => isActive && (transform.parent == null || transform.parent.gameObject.activeInHierarchy);
        public void SetActive(bool active)
        {
            if (isActive == active) return;
            isActive = active;
            foreach (var behaviour in components.OfType<Behaviour>().ToArray()) Stage.Reconsider(behaviour);
        }
        public T AddComponent<T>() where T : Component, new()
        {
            foreach (RequireComponent required in typeof(T).GetCustomAttributes(typeof(RequireComponent), true))
                if (!components.Any(required.type.IsInstanceOfType))
                    throw new InvalidOperationException("the scene must add " + required.type.Name + " before " + typeof(T).Name);
            var component = new T { gameObject = this };
            components.Add(component);
            Stage.Added(component);
            return component;
        }
        public T GetComponent<T>()
        {
            // Without garbage, as Unity's.
            foreach (var component in components)
                if (component is T && !component.isDestroyed) return (T)(object)component;
            return default(T);
        }

        public static GameObject CreatePrimitive(PrimitiveType type)
        {
            var made = new GameObject(type.ToString());
            made.AddComponent<MeshFilter>().sharedMesh = Primitives.Mesh(type);
            made.AddComponent<MeshRenderer>();
            if (type == PrimitiveType.Cube) made.AddComponent<BoxCollider>();
            if (type == PrimitiveType.Sphere) made.AddComponent<SphereCollider>();
            if (type == PrimitiveType.Capsule) made.AddComponent<CapsuleCollider>();
            return made;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }
        public Transform transform => gameObject.transform;
        public override string name { get { return gameObject.name; } set { gameObject.name = value; } }
        public T GetComponent<T>() => gameObject.GetComponent<T>();
        public T GetComponentInParent<T>()
        {
            for (var at = transform; at != null; at = at.parent)
            {
                var found = at.gameObject.GetComponent<T>();
                if (found != null) return found;
            }
            return default(T);
        }
    }

    public class Transform : Component
    {
        public Transform parent;
        public Vector3 localPosition, localScale = Vector3.one;
        public Quaternion localRotation = Quaternion.identity;
        public Vector3 position
        {
            get { return parent == null ? localPosition : parent.position + parent.rotation * Vector3.Scale(parent.lossyScale, localPosition); }
            set
            {
                if (parent != null) throw new NotSupportedException("the stand-in moves only roots");
                localPosition = value;
            }
        }
        public Quaternion rotation
        {
            get { return parent == null ? localRotation : parent.rotation * localRotation; }
            set
            {
                if (parent != null) throw new NotSupportedException("the stand-in turns only roots");
                localRotation = value;
            }
        }
        public Vector3 lossyScale => parent == null ? localScale : Vector3.Scale(parent.lossyScale, localScale);
        public Vector3 up => rotation * new Vector3(0, 1, 0);
        public Vector3 forward => rotation * new Vector3(0, 0, 1);
        public Matrix4x4 worldToLocalMatrix
        {
            get
            {
                Vector3 s = lossyScale, p = position;
                var r = Quaternion.Inverse(rotation);
                var m = Matrix4x4.TRS(r * p * -1f, r, Vector3.one);
                m.m00 /= s.x; m.m01 /= s.x; m.m02 /= s.x; m.m03 /= s.x;
                m.m10 /= s.y; m.m11 /= s.y; m.m12 /= s.y; m.m13 /= s.y;
                m.m20 /= s.z; m.m21 /= s.z; m.m22 /= s.z; m.m23 /= s.z;
                return m;
            }
        }
        public Vector3 TransformPoint(Vector3 local) => position + rotation * Vector3.Scale(lossyScale, local);
    }

    public class Behaviour : Component
    {
        bool isEnabled = true;
        internal bool isOn;
        public bool enabled
        {
            get { return isEnabled; }
            set { isEnabled = value; Stage.Reconsider(this); }
        }
        public bool isActiveAndEnabled => isEnabled && gameObject.activeInHierarchy;
    }

    public class MonoBehaviour : Behaviour
    {
        internal bool isAwake, hasStarted;
        public Coroutine StartCoroutine(IEnumerator steps)
        {
            Coroutines.Start(this, steps);
            return new Coroutine();
        }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject, new()
        {
            var made = new T { name = typeof(T).Name };
            Stage.Assets.Add(made);
            return made;
        }
    }

    public class Mesh : Object
    {
        Vector3[] positions = new Vector3[0], directions = new Vector3[0];
        Vector4[] along = new Vector4[0];
        int[][] submeshes = { new int[0] };
        public Vector2[] uv = new Vector2[0], uv2 = new Vector2[0];
        public Rendering.IndexFormat indexFormat;
        public Color[] colors = new Color[0];
        public Bounds bounds;
        public bool isReadable = true;
        public int writes;
        public Vector3[] vertices { get { return (Vector3[])positions.Clone(); } set { positions = value; } }
        public Vector3[] normals { get { return (Vector3[])directions.Clone(); } set { directions = value; } }
        public Vector4[] tangents { get { return (Vector4[])along.Clone(); } set { along = value; } }
        public int vertexCount => positions.Length;
        /// <summary>Those of all submeshes.</summary>
        public int[] triangles
        {
            get { return submeshes.SelectMany(indices => indices).ToArray(); }
            set { submeshes = new[] { value }; }
        }
        public int subMeshCount
        {
            get { return submeshes.Length; }
            set { submeshes = Enumerable.Range(0, value).Select(s => s < submeshes.Length ? submeshes[s] : new int[0]).ToArray(); }
        }
        public Mesh() { Stage.Assets.Add(this); }
        public int[] GetTriangles(int submesh) => (int[])submeshes[submesh].Clone();
        public void SetTriangles(List<int> indices, int submesh)
        {
            if (indices.Any(i => i < 0 || i >= vertexCount)) throw new ArgumentException("an index is out of bounds");
            submeshes[submesh] = indices.ToArray();
        }
        public void MarkDynamic() { }
        public void SetVertices(NativeArray<Vector3> from) { writes++; Write(from, ref positions); }
        public void SetNormals(NativeArray<Vector3> from) => Write(from, ref directions);
        public void SetTangents(NativeArray<Vector4> from) => Write(from, ref along);
        void Write<T>(NativeArray<T> from, ref T[] to) where T : struct
        {
            if (isDestroyed || !isReadable) throw new InvalidOperationException("the mesh is not to be written");
            if (to.Length != from.Length) to = new T[from.Length];
            from.CopyTo(to);
        }
        internal Mesh Copy()
        {
            var copy = (Mesh)MemberwiseClone();
            copy.positions = vertices;
            copy.directions = normals;
            copy.along = tangents;
            copy.submeshes = (int[][])submeshes.Clone();
            Stage.Assets.Add(copy);
            return copy;
        }
    }

    public class MeshFilter : Component { public Mesh sharedMesh; }
    public class MeshRenderer : Component
    {
        public Material[] sharedMaterials = new Material[0];
        public Rendering.ShadowCastingMode shadowCastingMode = Rendering.ShadowCastingMode.On;
        public bool receiveShadows = true;
    }

    public class Material : Object { }

    public class Collider : Component { public Rigidbody attachedRigidbody => GetComponentInParent<Rigidbody>(); }
    public class BoxCollider : Collider { public Vector3 center, size = Vector3.one; }
    public class SphereCollider : Collider { public Vector3 center; public float radius = 0.5f; }
    public class CapsuleCollider : Collider { public Vector3 center; public float radius = 0.5f, height = 2; public int direction = 1; }
    public class MeshCollider : Collider { public Mesh sharedMesh; public bool convex; }
    public class WheelCollider : Collider { }
    public class TerrainCollider : Collider { public TerrainData terrainData; }

    public class TerrainData : Object
    {
        public int heightmapResolution = 3;
        public Vector3 size = new Vector3(10, 1, 10);
        public Func<int, int, float> height = (x, z) => 0;
        public float[,] GetHeights(int x, int z, int width, int depth)
        {
            var all = new float[depth, width];
            for (int j = 0; j < depth; j++) for (int i = 0; i < width; i++) all[j, i] = height(x + i, z + j);
            return all;
        }
    }

    public enum ForceMode { Force, Impulse }

    /// <summary>Remembers what it was pushed with; the stand-in has no rigid bodies of its own.</summary>
    public class Rigidbody : Component
    {
        public float mass = 1;
        public bool isKinematic;
        public Vector3 pushed, turned;
        public void AddForceAtPosition(Vector3 force, Vector3 position, ForceMode mode) => pushed += force;
        public void AddTorque(Vector3 torque, ForceMode mode) => turned += torque;
    }
}
