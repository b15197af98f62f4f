// The mesh of a body: a copy of the source whose vertices the library writes, through native arrays.

using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
using UnityEngine;

namespace Wobble.Unity
{
    public sealed unsafe partial class WobbleBody
    {
        void Dress(MeshFilter filter, Shape shape)
        {
            int count = shape.VertexCount;
            if (source == null || !source.isReadable || source.vertexCount != count)
                throw new System.InvalidOperationException(
                    "the mesh in the MeshFilter must be the one of its shape, and readable: it has " +
                    (source == null ? 0 : source.vertexCount) + " vertices, the shape " + count);
            var copy = Instantiate(source);
            copy.name = source.name + " (soft)";
            Wear(filter, copy);
        }

        /// <summary>Shows a mesh of the body's own and writes it from then on; null for a piece from within, which has none.</summary>
        void Wear(MeshFilter filter, Mesh mesh)
        {
            filter.sharedMesh = deformed = mesh;
            if (mesh == null) return;
            int count = mesh.vertexCount;
            mesh.MarkDynamic();
            positions = new NativeArray<Vector3>(count, Allocator.Persistent);
            normals = new NativeArray<Vector3>(count, Allocator.Persistent);
            if (mesh.tangents.Length == count) tangents = new NativeArray<Vector4>(count, Allocator.Persistent);
            Draw(1);
        }

        void Undress()
        {
            if (deformed == null) return;
            if (deformed != ownMesh)
            {
                var filter = GetComponent<MeshFilter>();
                if (filter != null) filter.sharedMesh = source;
                Destroy(deformed);
            }
            deformed = null;
            if (positions.IsCreated) positions.Dispose();
            if (normals.IsCreated) normals.Dispose();
            if (tangents.IsCreated) tangents.Dispose();
        }

        void LateUpdate()
        {
            if (deformed != null && IsAlive) Draw(Home.Fraction);
        }

        /// <summary>Writes the mesh as it is at a fraction between the last two steps, in the space of the transform.</summary>
        void Draw(float fraction)
        {
            if (!WobbleUnits.IsUpright(transform.lossyScale)) return;
            float* frame = stackalloc float[12];
            WobbleUnits.Write(transform.worldToLocalMatrix, frame);
            var buffers = SkinBuffers.Default;
            buffers.Capacity = (uint)positions.Length;
            buffers.Positions = (float*)positions.GetUnsafePtr();
            buffers.Normals = (float*)normals.GetUnsafePtr();
            if (tangents.IsCreated) buffers.Tangents = (float*)tangents.GetUnsafePtr();
            buffers.Fraction = fraction;
            buffers.Frame = frame;
            var bounds = body.ReadSkin(buffers);
            deformed.SetVertices(positions);
            deformed.SetNormals(normals);
            if (tangents.IsCreated) deformed.SetTangents(tangents);
            deformed.bounds = bounds.ToUnity();
        }
    }
}
