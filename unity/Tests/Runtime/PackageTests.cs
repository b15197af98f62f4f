// Runs in Unity's test runner, edit mode or play mode: the library loads and steps there.

using NUnit.Framework;
using UnityEngine;

namespace Wobble.Unity.Tests
{
    public class PackageTests
    {
        [Test]
        public void TheLibraryLoadsAndFits() => Library.CheckAbi();

        [Test]
        public void AMeshBecomesABodyThatFalls()
        {
            var mesh = new Mesh();
            var cube = Solid.Box(new Vec3(1, 1, 1)).Mesh();
            mesh.vertices = System.Array.ConvertAll(cube.Positions, v => v.ToUnity());
            mesh.triangles = System.Array.ConvertAll(cube.Indices, index => (int)index);
            using (var shape = WobbleShapeAsset.Build(mesh, Vector3.one, 200, 1000, false, WobblePinChannel.None))
            using (var world = new World())
            {
                var body = world.CreateBody(shape);
                for (int i = 0; i < 60; i++) world.Step(1 / 60f);
                Assert.Less(body.CentreOfMass.Y, -4);
            }
            Object.DestroyImmediate(mesh);
        }
    }
}
