// What is wrong with a body or a shape before it is played, in words.

using System.Collections.Generic;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    public static class WobbleWarnings
    {
        public static IEnumerable<string> Of(WobbleBody body)
        {
            var filter = body.GetComponent<MeshFilter>();
            var mesh = filter != null ? filter.sharedMesh : null;
            var scale = body.transform.lossyScale;
            if (mesh == null) yield return "There is no mesh in the MeshFilter.";
            else if (!mesh.isReadable) yield return Unreadable(mesh);
            if (!WobbleUnits.IsUpright(scale)) yield return "The scale mirrors or flattens the object: such bodies are not drawn.";
            else if (Largest(scale) > 1.001f * Smallest(scale) && body.shapeAsset == null)
                yield return "The scale differs along the axes. It is baked into the shape when the body starts, and later changes only show in the drawing.";
            var asset = body.shapeAsset;
            if (asset == null) yield break;
            if (!asset.IsBaked) yield return "The shape asset is not baked: the mesh is filled when the body starts, which takes a while.";
            if (asset.mesh != mesh && !Application.isPlaying) yield return "The shape asset was made from another mesh.";
            if ((asset.scale - scale).sqrMagnitude > 1e-6f * scale.sqrMagnitude)
                yield return "The shape asset has the scale " + asset.scale + ", the object " + scale + ": the body will be as large as the asset says.";
        }

        public static IEnumerable<string> Of(WobbleShapeAsset asset)
        {
            if (asset.mesh == null) yield return "There is no mesh to bake.";
            else if (!asset.mesh.isReadable) yield return Unreadable(asset.mesh);
            if (!WobbleUnits.IsUpright(asset.scale)) yield return "All scales must be above 0.";
            if (!asset.IsBaked) yield return "Not baked yet.";
        }

        static string Unreadable(Mesh mesh) => mesh.name + " cannot be read: switch on Read/Write in its import settings.";

        static float Largest(Vector3 v) => Mathf.Max(v.x, Mathf.Max(v.y, v.z));

        static float Smallest(Vector3 v) => -Largest(v * -1f);
    }
}
