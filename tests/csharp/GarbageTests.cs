// A frame makes no garbage.

using System;
using NUnit.Framework;
using Wobble;

[TestFixture]
public class GarbageTests
{
    [Test]
    public void AFrameAllocatesNothing()
    {
        using (var world = new World())
        using (var shape = Scenes.Ball())
        {
            var ground = world.CreateCollider();
            var bodies = new Body[5];
            for (int i = 0; i < bodies.Length; i++)
            {
                bodies[i] = world.CreateBody(shape);
                bodies[i].Teleport(new Vec3(0.1f * i, 1 + 1.5f * i, 0), Quat.Identity);
            }
            var frame = new Buffers(shape, bodies.Length);
            for (int i = 0; i < 10; i++) frame.Run(world, ground, bodies);
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 60; i++) frame.Run(world, ground, bodies);
            long after = GC.GetAllocatedBytesForCurrentThread();
            Assert.Greater(frame.Contacts, 0);
            Assert.AreEqual(0, after - before, "bytes in 60 frames");
        }
    }

    [Test]
    public void TheMeasureSeesAnAllocation()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        var kept = new object();
        Assert.Greater(GC.GetAllocatedBytesForCurrentThread(), before);
        GC.KeepAlive(kept);
    }

    /// <summary>What a game does in a frame: move, step, poll, read, ask.</summary>
    sealed class Buffers
    {
        readonly Vec3[] positions, normals, particles;
        readonly Contact[] contacts = new Contact[64];
        readonly BodyHandle[] handles;
        readonly float[] weights;
        readonly Partner[] found = new Partner[16];
        public int Contacts;

        public Buffers(Shape shape, int bodies)
        {
            positions = new Vec3[shape.VertexCount];
            normals = new Vec3[shape.VertexCount];
            particles = new Vec3[shape.ParticleCount];
            weights = new float[shape.LevelCount];
            for (int i = 0; i < weights.Length; i++) weights[i] = 1;
            handles = new BodyHandle[bodies];
        }

        public void Run(World world, Wobble.Collider ground, Body[] bodies)
        {
            ground.Move(new Vec3(0, 0, 0), Quat.Identity);
            world.BeginStep(Scenes.Frame);
            world.WaitForStep();
            world.Step(Scenes.Frame);
            int count = world.ReadContacts(contacts);
            for (int i = 0; i < count; i++)
            {
                Contacts++;
                if (world.Find(contacts[i].Body) == null) throw new InvalidOperationException();
            }
            world.ReadSlept(handles);
            world.ReadWoke(handles);
            world.OverlapSphere(new Vec3(0, 0, 0), 1, Groups.Default, found);
            world.CastRay(new Vec3(0, 9, 0), new Vec3(0, -1, 0), 20);
            foreach (var body in bodies)
            {
                body.SetLevelWeights(weights);
                body.Material = body.Material;
                body.ApplyForce(new Vec3(0, 0.1f, 0));
                body.ReadSkin(positions, normals);
                body.ReadPositionsAt(0.5f, particles);
            }
        }
    }
}
