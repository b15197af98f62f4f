// Change that lasts: plasticity, cutting, breaking.

using System.Linq;
using NUnit.Framework;
using Wobble;

[TestFixture]
public unsafe class LastingTests
{
    World world;
    Body body;

    [SetUp]
    public void MakeOne()
    {
        world = Scenes.Calm();
        body = world.CreateBody(Scenes.Cube);
    }

    [TearDown]
    public void EndIt() => world.Dispose();

    void Stretch(float by)
    {
        var positions = new Vec3[body.ParticleCount];
        body.ReadPositions(positions);
        body.SetPositions(positions.Select(p => new Vec3(p.X * by, p.Y, p.Z)).ToArray());
    }

    [Test]
    public void DeformationBeyondTheYieldLasts()
    {
        Assert.IsFalse(body.Plasticity.HasValue);
        var rule = Plasticity.Default;
        Assert.AreEqual(30, rule.Fade);
        Assert.AreEqual(8, rule.MostNewClusters);
        rule.YieldStrain = 0.05f;
        rule.Recluster = 1.4f;
        body.Plasticity = rule;
        Assert.AreEqual(1.4f, body.Plasticity.Value.Recluster);
        Assert.AreEqual(0.05f, body.Plasticity.Value.YieldStrain);
        body.SetLevelFlow(1, 0.5f);
        Assert.AreEqual(0.5f, body.GetLevelFlow(1));
        Assert.AreEqual(0, body.LastingStrain);
        Stretch(1.5f);
        for (int i = 0; i < 30; i++) world.Step(Scenes.Frame);
        Assert.Greater(body.LastingStrain, 0.01f);
        body.Plasticity = null;
        body.Reset();
        Assert.AreEqual(0, body.LastingStrain);
    }

    [Test]
    public void ACutPartsABodyAndIsTold()
    {
        Assert.AreEqual(2, body.Cut(new Vec3(0.1f, 0, 0), new Vec3(1, 0, 0)));
        Assert.AreEqual(2, world.BodyCount);
        Assert.AreEqual(2, world.BreakCount);
        Assert.AreEqual(216, world.BrokenParticleCount);
        var breaks = new Break[2];
        var particles = new uint[216];
        fixed (Break* into = breaks) Assert.AreEqual(2, world.ReadBreaks(into, 2));
        fixed (uint* into = particles) Assert.AreEqual(216, world.ReadBrokenParticles(into, 216));
        CollectionAssert.AreEquivalent(Enumerable.Range(0, 216), particles.Select(p => (int)p));
        Assert.IsTrue(breaks.All(b => world.Find(b.Body) == body));
        var piece = world.Find(breaks.Single(b => b.Piece.Bits != body.Handle.Bits).Piece);
        Assert.AreEqual(216, body.ParticleCount + piece.ParticleCount);
        int before = world.BodyCount;
        Assert.AreEqual(2, body.Cut(new Vec3(-0.1f, 1, -2), new Vec3(-0.1f, 1, 2), new Vec3(-0.1f, -1, -2), new Vec3(-0.1f, -1, 2)));
        Assert.AreEqual(before + 1, world.BodyCount);
    }

    [Test]
    public void ABodyBreaksWhereItIsStretched()
    {
        Assert.IsFalse(body.Fracture.HasValue);
        var rule = Fracture.Default;
        rule.Toughness = 0.2f;
        body.Fracture = rule;
        Assert.AreEqual(0.2f, body.Fracture.Value.Toughness);
        var tough = Enumerable.Repeat(2f, body.ParticleCount).ToArray();
        fixed (float* map = tough) body.PaintToughness(map, tough.Length);
        body.PaintToughness(null, 0);
        world.MostFractures = 30;
        Assert.AreEqual(30, world.MostFractures);
        Stretch(3);
        for (int i = 0; i < 10; i++) world.Step(Scenes.Frame);
        Assert.Greater(world.BodyCount, 1);
    }

    [Test]
    public void APieceKnowsWhereItsMeshCameFrom()
    {
        using (var ball = Scenes.Ball())
        {
            var whole = world.CreateBody(ball);
            Assert.AreEqual(2, whole.Cut(new Vec3(0, 0, 0), new Vec3(0, 1, 0)));
            using (var shape = whole.GetShape())
            {
                var sources = new SkinSource[shape.VertexCount];
                fixed (SkinSource* into = sources) Assert.AreEqual(sources.Length, shape.ReadSkinSources(into, sources.Length));
                Assert.IsTrue(sources.All(s => s.First < ball.VertexCount && s.Second < ball.VertexCount));
                Assert.IsTrue(sources.Any(s => s.IsCap != 0));
            }
        }
    }
}
