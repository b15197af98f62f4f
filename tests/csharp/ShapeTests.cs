// Building, saving and asking shapes.

using System;
using System.Linq;
using NUnit.Framework;
using Wobble;

[TestFixture]
public class ShapeTests
{
    [Test]
    public void PointsAndMassesBecomeAShape()
    {
        var points = Scenes.Grid(4);
        float told = 0;
        using (var shape = Shape.FromPoints(points, Enumerable.Repeat(2f, 64).ToArray(), ShapeDef.Default, done =>
        {
            told = done;
            return true;
        }))
        {
            Assert.AreEqual(1, told);
            Assert.AreEqual(64, shape.ParticleCount);
            Assert.AreEqual(128, shape.Mass, 1e-3f);
            Assert.AreEqual(1f / 3, shape.Spacing, 1e-4f);
            Assert.IsTrue(shape.IsNested);
            Scenes.Near(new Vec3(0, 0, 0), shape.Centre);
            var rest = new Vec3[64];
            shape.ReadRestPositions(rest);
            Scenes.Near(points[9], rest[9]);
            var masses = new float[64];
            shape.ReadMasses(masses);
            Assert.AreEqual(2, masses[5], 1e-5f);
            var clusters = (int)shape.LevelReport(0).Clusters;
            var centres = new Vec3[clusters];
            shape.ReadClusterCentres(0, centres);
            var widths = new float[clusters];
            shape.ReadClusterWidths(0, widths);
            Assert.Greater(widths.Min(), 0);
            var memberships = new Membership[shape.MembershipCount(0)];
            shape.ReadMemberships(0, memberships);
            Assert.AreEqual(64, memberships.Sum(m => m.Weight), 1e-2f);
            var planes = new ClusterPlane[shape.PlaneCount];
            shape.ReadPlanes(planes);
        }
    }

    [Test]
    public void SavedShapesAreTheSame()
    {
        using (var ball = Scenes.Ball())
        using (var loaded = Shape.Load(ball.Save()))
        using (var shared = loaded.Share())
        {
            loaded.Dispose();
            Assert.AreEqual(ball.Fingerprint, shared.Fingerprint);
        }
        Scenes.Refused(Status.Corrupt, "", () => Shape.Load(new byte[100]));
    }

    [Test]
    public unsafe void AMeshIsFilledAndCarried()
    {
        var mesh = Solid.Box(new Vec3(1, 1, 1)).Mesh();
        mesh.Tangents = mesh.Positions.Select(p => new Vec4(1, 0, 0, 1)).ToArray();
        mesh.Pin = mesh.Positions.Select(p => p.Y > 0.4f ? 1f : 0f).ToArray();
        mesh.Stiffness = mesh.Damping = mesh.Density = mesh.Positions.Select(p => 1f).ToArray();
        var sampling = SamplingDef.Default;
        sampling.Count = 300;
        using (var shape = Shape.FromMesh(mesh, sampling, ShapeDef.Default))
        {
            Assert.AreEqual(mesh.Positions.Length, shape.VertexCount);
            Assert.AreEqual(mesh.Indices.Length, shape.IndexCount);
            var indices = new uint[shape.IndexCount];
            shape.ReadIndices(indices);
            CollectionAssert.AreEqual(mesh.Indices, indices);
            var vertices = new Vec3[shape.VertexCount];
            shape.ReadVertices(vertices);
            Scenes.Near(mesh.Positions[3], vertices[3] + shape.Centre);
            shape.ReadNormals(vertices);
            Scenes.Near(mesh.Normals[3], vertices[3]);
            var tangents = new Vec4[vertices.Length];
            shape.ReadTangents(tangents);
            Assert.AreEqual(1, tangents[3].X);
            var pins = new uint[shape.PinCount];
            shape.ReadPins(pins);
            Assert.Greater(pins.Length, 0);
            Assert.AreEqual(1000, shape.Mass, 50);
            int influences = (int)NativeMethods.WOBBLE_INFLUENCES * shape.VertexCount;
            var clusters = new uint[influences];
            var weights = new float[influences];
            fixed (uint* c = clusters)
            fixed (float* w = weights) shape.ReadInfluences(c, w, shape.VertexCount);
            Assert.AreEqual(1, weights.Take((int)NativeMethods.WOBBLE_INFLUENCES).Sum(), 1e-3f);
        }
    }

    [Test]
    public void ParticlesCarryAMesh()
    {
        var particles = new ParticleSource { Points = Scenes.Grid(4), Pin = new float[64] };
        particles.Pin[7] = 1;
        using (var bare = Shape.FromParticles(particles, null, ShapeDef.Default))
        using (var dressed = Shape.FromParticles(particles, Solid.Ball(0.5f).Mesh(), ShapeDef.Default))
        {
            Assert.AreEqual(1, bare.PinCount);
            Assert.AreEqual(0, bare.VertexCount);
            Assert.Greater(dressed.VertexCount, 0);
        }
        var plain = new ParticleSource { Points = Scenes.Grid(4) };
        var tough = new ParticleSource { Points = Scenes.Grid(4), Toughness = Enumerable.Repeat(2f, 64).ToArray() };
        using (var one = Shape.FromParticles(plain, null, ShapeDef.Default))
        using (var other = Shape.FromParticles(tough, null, ShapeDef.Default))
            Assert.AreNotEqual(one.Fingerprint, other.Fingerprint);
        var mesh = Solid.Ball(0.5f).Mesh();
        mesh.Toughness = Enumerable.Repeat(0.5f, mesh.Positions.Length).ToArray();
        using (Shape.FromMesh(mesh)) { }
        mesh.Toughness[0] = 0;
        Assert.Throws<WobbleException>(() => Shape.FromMesh(mesh));
    }

    [Test]
    public void SolidsKnowTheirSurface()
    {
        Assert.AreEqual(0.5f, Solid.Ball(0.5f).DistanceTo(new Vec3(1, 0, 0)), 1e-5f);
        Assert.AreEqual(-0.5f, Solid.Box(new Vec3(1, 1, 1)).DistanceTo(new Vec3(0, 0, 0)), 1e-5f);
        Assert.AreEqual(0.5f, Solid.Capsule(0.25f, 1).Bounds.High.Y, 1e-5f);
        Assert.AreEqual(0.7f, Solid.Torus(0.5f, 0.2f).Bounds.High.X, 1e-5f);
        Assert.AreEqual(0.5f, Solid.Cylinder(0.25f, 1).Bounds.High.Y, 1e-5f);
        Assert.AreEqual(0.3f, Solid.GummyBear(0.3f).Bounds.High.Y, 0.01f);
    }

    [Test]
    public void AFunctionDescribesASolid([Values(1, 3)] int threads)
    {
        Distance ball = p => p.Length - 0.4f;
        var solid = Solid.ByDistance(new Vec3(-0.5f, -0.5f, -0.5f), new Vec3(0.5f, 0.5f, 0.5f), ball);
        solid.Cells = 10;
        solid.Threads = threads;
        Assert.AreEqual(10, solid.Cells);
        Assert.AreSame(ball, solid.Distance);
        foreach (var p in solid.Mesh().Positions) Assert.AreEqual(0.4f, p.Length, 0.01f);
        var sampling = SamplingDef.Default;
        sampling.Count = 100;
        using (var shape = Shape.FromSolid(solid, sampling, ShapeDef.Default))
            Assert.AreEqual(100, shape.ParticleCount, 30);
    }

    [Test]
    public void MapsOfTheWrongLengthAreRefused()
    {
        var exception = Assert.Throws<ArgumentException>(() => Shape.FromPoints(Scenes.Grid(3), new float[5]));
        StringAssert.Contains("masses has 5 elements, but there are 27", exception.Message);
    }
}
