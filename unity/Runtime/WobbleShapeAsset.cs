// A baked rest shape: particles, clusters and mesh, found once in the editor.

using System;
using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>Which channel of the vertex colours is painted.</summary>
    public enum WobblePinChannel
    {
        None,
        Red,
        Green,
        Blue,
        Alpha,
    }

    /// <summary>A mesh filled with particles, and how finely. Bodies of one asset share one native shape.</summary>
    [CreateAssetMenu(menuName = "Wobble/Shape", fileName = "Wobble Shape")]
    public sealed class WobbleShapeAsset : ScriptableObject
    {
        public Mesh mesh;
        [Tooltip("Size in the scene over size in the mesh. Bodies should have the same scale.")]
        public Vector3 scale = Vector3.one;
        [Range(8, 100000)]
        public int particles = 1000;
        [Tooltip("kg/m³"), Min(1e-3f)]
        public float density = 1000;
        [Tooltip("Without particles inside: cheaper, and softer.")]
        public bool hollow = false;
        [Tooltip("Particles at vertices painted with 0.5 or more start pinned.")]
        public WobblePinChannel pinnedBy = WobblePinChannel.None;
        [Tooltip("Multiplies the toughness of bodies that break: 1 is as tough as the material, less is weaker.")]
        public WobblePinChannel toughnessFrom = WobblePinChannel.None;
        [SerializeField, HideInInspector]
        byte[] baked;

        Shape shape;

        public bool IsBaked => baked != null && baked.Length > 0;

        /// <summary>Bytes of the baked shape.</summary>
        public int BakedBytes => IsBaked ? baked.Length : 0;

        /// <summary>
        /// Fills the mesh with particles and finds clusters. `progress` hears the fraction done and returns false to
        /// cancel; then, and when the mesh is refused, it throws and the asset stays as it was.
        /// </summary>
        public void Bake(Progress progress = null)
        {
            using (var built = Build(mesh, scale, particles, density, hollow, pinnedBy, progress, toughnessFrom))
                baked = built.Save();
            Release();
        }

        /// <summary>The native shape; the asset owns it. Null if it was not baked.</summary>
        public Shape Shape
        {
            get
            {
                if (shape != null && !shape.IsDisposed) return shape;
                if (IsBaked) shape = Shape.Load(baked);
                return shape;
            }
        }

        void OnDisable() => Release();

        void Release()
        {
            if (shape != null) shape.Dispose();
            shape = null;
        }

        /// <summary>A native shape from a mesh that can be read, as large as it is in the scene.</summary>
        public static Shape Build(Mesh mesh, Vector3 scale, int particles, float density, bool hollow,
            WobblePinChannel pinnedBy, Progress progress = null,
            WobblePinChannel toughnessFrom = WobblePinChannel.None)
        {
            if (mesh == null) throw new ArgumentNullException(nameof(mesh), "there is no mesh to fill");
            if (!mesh.isReadable)
                throw new InvalidOperationException(
                    mesh.name + " cannot be read: switch on Read/Write in its import settings");
            if (!WobbleUnits.IsUpright(scale))
                throw new ArgumentException("scales must be above 0: mirrored and flat bodies cannot be deformed", nameof(scale));
            var source = new MeshSource
            {
                Positions = Array.ConvertAll(mesh.vertices, v => Vector3.Scale(v, scale).ToWobble()),
                Indices = Array.ConvertAll(mesh.triangles, index => (uint)index),
                Normals = Normals(mesh, scale),
                Tangents = Tangents(mesh, scale),
                Pin = Painted(mesh, pinnedBy),
                Toughness = Toughness(mesh, toughnessFrom),
            };
            var sampling = SamplingDef.Default;
            sampling.Count = (uint)particles;
            sampling.Density = density;
            sampling.Fill = hollow ? 0u : 1u;
            return Shape.FromMesh(source, sampling, ShapeDef.Default, progress);
        }

        static Vec3[] Normals(Mesh mesh, Vector3 scale)
        {
            var normals = mesh.normals;
            if (normals.Length != mesh.vertexCount) return null;
            var inverse = new Vector3(1 / scale.x, 1 / scale.y, 1 / scale.z);
            return Array.ConvertAll(normals, n => Vector3.Scale(n, inverse).normalized.ToWobble());
        }

        static Vec4[] Tangents(Mesh mesh, Vector3 scale)
        {
            var tangents = mesh.tangents;
            if (tangents.Length != mesh.vertexCount) return null;
            return Array.ConvertAll(tangents, t =>
            {
                var along = Vector3.Scale(new Vector3(t.x, t.y, t.z), scale).normalized;
                return new Vec4(along.x, along.y, along.z, t.w < 0 ? -1 : 1);
            });
        }

        // Black is as weak as can be.
        static float[] Toughness(Mesh mesh, WobblePinChannel channel)
        {
            var painted = Painted(mesh, channel);
            return painted == null ? null : Array.ConvertAll(painted, value => Mathf.Max(value, 1e-3f));
        }

        static float[] Painted(Mesh mesh, WobblePinChannel channel)
        {
            var colours = mesh.colors;
            if (channel == WobblePinChannel.None || colours.Length != mesh.vertexCount) return null;
            return Array.ConvertAll(colours, c => Mathf.Clamp01(
                channel == WobblePinChannel.Red ? c.r : channel == WobblePinChannel.Green ? c.g :
                channel == WobblePinChannel.Blue ? c.b : c.a));
        }
    }
}
