// Meshes of pieces, with the texture coordinates, colours and submeshes of the mesh they are divided from.

using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;

namespace Wobble.Unity
{
    static unsafe class WobblePieceMesh
    {
        const int MostOfShortIndices = 65535;

        /// <summary>The mesh of a piece's shape; null if it has none, as one from within. Positions are yet to be written.</summary>
        public static Mesh Divide(Mesh whole, Shape shape)
        {
            int count = shape.VertexCount;
            if (count == 0 || whole == null) return null;
            var sources = new SkinSource[count];
            fixed (SkinSource* into = sources) shape.ReadSkinSources(into, count);
            var indices = new uint[shape.IndexCount];
            fixed (uint* into = indices) shape.ReadIndices(into, indices.Length);
            var mesh = new Mesh { name = whole.name };
            if (count > MostOfShortIndices) mesh.indexFormat = IndexFormat.UInt32;
            mesh.vertices = new Vector3[count];
            mesh.normals = new Vector3[count];
            if (whole.tangents.Length == whole.vertexCount) mesh.tangents = new Vector4[count];
            mesh.uv = Blend(whole.uv, sources, Vector2.Lerp);
            mesh.uv2 = Blend(whole.uv2, sources, Vector2.Lerp);
            mesh.colors = Blend(whole.colors, sources, Color.Lerp);
            SetTriangles(mesh, whole, sources, indices);
            return mesh;
        }

        static T[] Blend<T>(T[] of, SkinSource[] sources, Func<T, T, float, T> between)
        {
            if (of.Length == 0) return of;
            return Array.ConvertAll(sources, s => between(At(of, s.First), At(of, s.Second), s.Share));
        }

        /// <summary>A script that cuts twice behind the component's back leaves numbers of a mesh that was never drawn.</summary>
        static T At<T>(T[] of, uint i) => of[Math.Min((int)i, of.Length - 1)];

        /// <summary>A triangle goes to the submesh that its first corner was in; caps to that of their rim.</summary>
        static void SetTriangles(Mesh mesh, Mesh whole, SkinSource[] sources, uint[] indices)
        {
            var submeshes = new List<int>[whole.subMeshCount];
            var submeshOf = new int[whole.vertexCount];
            for (int s = 0; s < submeshes.Length; s++)
            {
                submeshes[s] = new List<int>();
                foreach (int vertex in whole.GetTriangles(s)) submeshOf[vertex] = s;
            }
            for (int i = 0; i + 2 < indices.Length; i += 3)
            {
                var to = submeshes[At(submeshOf, sources[indices[i]].First)];
                for (int k = 0; k < 3; k++) to.Add((int)indices[i + k]);
            }
            mesh.subMeshCount = submeshes.Length;
            for (int s = 0; s < submeshes.Length; s++) mesh.SetTriangles(submeshes[s], s);
        }
    }
}
