// What bodies do: moving, holding, tuning, reading.

using System;
using NUnit.Framework;
using Wobble;

[TestFixture]
public unsafe class BodyTests
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

    [Test]
    public void ImpulsesAndForcesChangeMomentum()
    {
        body.ApplyImpulse(new Vec3(1, 0, 0));
        body.ApplyImpulseTo(0, new Vec3(0, 1, 0));
        body.ApplyImpulseAt(new Vec3(0, 0, 0), new Vec3(0, 0, 1), 1);
        Scenes.Near(new Vec3(1, 1, 1), body.Momentum, 1e-3f);
        body.ApplyForce(new Vec3(10, 0, 0));
        body.ApplyForceTo(3, new Vec3(0, 10, 0));
        world.Step(0.1f);
        Scenes.Near(new Vec3(2, 2, 1), body.Momentum, 1e-3f);
        body.SetVelocity(new Vec3(0, 0, 0));
        body.ApplyTorqueImpulse(new Vec3(0, 0.1f, 0));
        Scenes.Near(new Vec3(0, 0.1f, 0), body.AngularMomentum, 1e-3f);
        Assert.Greater(body.KineticEnergy, 0);
        Assert.GreaterOrEqual(body.ElasticEnergy, 0);
    }

    [Test]
    public void PositionsAreReadAndSetInTheOrderOfThePoints()
    {
        var wanted = Scenes.Grid(6);
        var found = new Vec3[wanted.Length];
        body.ReadPositions(found);
        for (int i = 0; i < wanted.Length; i++) Scenes.Near(wanted[i], found[i]);
        for (int i = 0; i < wanted.Length; i++) wanted[i] += new Vec3(5, 0, 0);
        body.SetPositions(wanted);
        Scenes.Near(wanted[17], body.PositionOf(17));
        Scenes.Near(new Vec3(5, 0, 0), body.CentreOfMass);
        body.SetVelocities(wanted);
        body.ReadVelocities(found);
        Scenes.Near(wanted[17], found[17]);
        Scenes.Near(wanted[17], body.VelocityOf(17));
        world.Step(0.1f);
        body.ReadPreviousPositions(found);
        Scenes.Near(wanted[17], found[17]);
        body.ReadPositionsAt(0, found);
        Scenes.Near(wanted[17], found[17]);
        body.SetPositionOf(2, new Vec3(1, 2, 3));
        body.SetVelocityOf(2, new Vec3(4, 5, 6));
        Scenes.Near(new Vec3(1, 2, 3), body.PositionOf(2));
        Scenes.Near(new Vec3(4, 5, 6), body.VelocityOf(2));
    }

    [Test]
    public void ABorrowedViewHasEveryParticle()
    {
        int count;
        uint* order = Scenes.Cube.ViewOrder(out count);
        var view = body.ViewPositions;
        Assert.AreEqual(216, count);
        Assert.AreEqual(216, (int)view.Count);
        for (int i = 0; i < count; i++)
            Assert.AreEqual(body.PositionOf((int)order[i]), *(Vec3*)((byte*)view.Data + i * (int)view.Stride));
        Assert.AreEqual(view.Count, body.ViewVelocities.Count);
    }

    [Test]
    public void PinsHold()
    {
        var def = BodyDef.Default;
        body.Pin(0);
        body.Pin(5);
        body.Unpin(0);
        var pins = new uint[4];
        Assert.AreEqual(1, body.ReadPins(pins));
        Assert.AreEqual(5, (int)pins[0]);
        Assert.AreEqual(1, body.PinCount);
        Assert.IsTrue(body.IsPinned(5));
        body.MovePin(5, new Vec3(1, 1, 1));
        world.Step(Scenes.Frame);
        Scenes.Near(new Vec3(1, 1, 1), body.PositionOf(5));
    }

    [Test]
    public void AttachmentsJointsAndDragsHold()
    {
        var held = body.Attach(new uint[] { 0, 1, 2 }, AttachmentDef.Default);
        var other = world.CreateBody(Scenes.Cube);
        other.Teleport(new Vec3(2, 0, 0), Quat.Identity);
        var joint = body.Join(other, JointDef.Default);
        var drag = other.Drag(DragDef.Default);
        held.Move(new Vec3(0, 0.1f, 0), Quat.Identity);
        drag.Move(new Vec3(3, 0, 0), Quat.Identity);
        var before = body.PositionOf(0);
        world.Step(Scenes.Frame);
        Scenes.Near(before + new Vec3(0, 0.1f, 0), body.PositionOf(0));
        Assert.Greater(drag.Push.Impulse.Length, 0);
        Assert.AreEqual(3, world.AttachmentCount);
        joint.Dispose();
        Assert.AreEqual(2, world.AttachmentCount);
    }

    [Test]
    public void ATeleportedBodyTakesAlongWhatItIsHeldByWithoutSpeed()
    {
        var there = new Vec3(40, 0, 0);
        var held = body.Attach(new uint[] { 0, 1, 2 }, AttachmentDef.Default);
        var drag = body.Drag(DragDef.Default);
        body.Teleport(there, Quat.Identity);
        held.SetPose(there, Quat.Identity);
        drag.SetPose(there, Quat.Identity);
        world.Step(Scenes.Frame);
        Assert.Less(body.KineticEnergy, 1e-3f);
        Scenes.Near(there, body.CentreOfMass);
    }

    [Test]
    public void AnAttachmentBreaksAndIsTold()
    {
        var def = AttachmentDef.Default;
        def.BreakForce = 0.1f;
        var held = body.Attach(new uint[] { 0 }, def);
        body.ApplyImpulse(new Vec3(10, 0, 0));
        world.Step(Scenes.Frame);
        var broken = new AttachmentHandle[2];
        Assert.AreEqual(1, world.BrokenAttachmentCount);
        Assert.AreEqual(1, world.ReadBrokenAttachments(broken));
        Assert.AreSame(held, world.Find(broken[0]));
        Scenes.Refused(Status.StaleHandle, "attachment", () => held.Move(new Vec3(0, 0, 0), Quat.Identity));
        held.Dispose();
    }

    [Test]
    public void MaterialsAndLevelsAreKept()
    {
        var material = Wobble.Material.Default;
        material.Stiffness = 12;
        body.Material = material;
        Assert.AreEqual(12, body.Material.Stiffness);
        body.SetPreset("jelly");
        Assert.AreEqual(Wobble.Material.Named("jelly").Stiffness, body.Material.Stiffness);
        int levels = body.LevelCount;
        Assert.AreEqual(Scenes.Cube.LevelCount, levels);
        var weights = new float[levels];
        weights[levels - 1] = 2;
        body.SetLevelWeights(weights);
        Assert.AreEqual(1, body.GetLevelWeight(levels - 1));
        body.SetWeighting("uniform");
        Assert.AreEqual(1f / levels, body.GetLevelWeight(0), 1e-6f);
        body.SetLevelWeight(0, 0.75f);
        Assert.AreEqual(0.75f, body.GetLevelWeight(0), 1e-6f);
        body.SetLevelStiffness(0, 0.5f);
        body.SetLevelDamping(0, 0.25f);
        Assert.AreEqual(0.5f, body.GetLevelStiffness(0));
        Assert.AreEqual(0.25f, body.GetLevelDamping(0));
    }

    [Test]
    public void TouchingIsKept()
    {
        body.Surface = new Surface(0.1f, 0.2f, Combine.Average);
        body.Touch = new Touch { Parting = 0.3f, Itself = true };
        body.Groups = new Groups(4, 8);
        body.ParticleRadius = 0.05f;
        body.Enabled = false;
        Assert.AreEqual(0.2f, body.Surface.Restitution);
        Assert.AreEqual(Combine.Average, body.Surface.Combine);
        Assert.AreEqual(0.3f, body.Touch.Parting);
        Assert.IsTrue(body.Touch.Itself);
        Assert.AreEqual(8, (int)body.Groups.Mask);
        Assert.AreEqual(0.05f, body.ParticleRadius);
        Assert.IsFalse(body.Enabled);
    }

    [Test]
    public void ParticlesAreChosen()
    {
        var chosen = new uint[body.ParticleCount];
        var half = new Bounds(new Vec3(-1, -1, -1), new Vec3(1, 0, 1));
        Assert.AreEqual(108, body.ParticlesInBox(half, Space.Rest, chosen));
        Assert.AreEqual(1, body.ParticlesInSphere(new Vec3(-0.5f, -0.5f, -0.5f), 0.1f, Space.World, chosen));
        Assert.AreEqual(0, (int)chosen[0]);
        Assert.AreEqual(215, body.NearestParticle(new Vec3(9, 9, 9), Space.World));
    }

    [Test]
    public void ABodyGoesBackToASnapshot()
    {
        var snapshot = body.Snapshot();
        body.Teleport(new Vec3(1, 2, 3), Quat.Identity);
        body.Restore(snapshot);
        Scenes.Near(new Vec3(0, 0, 0), body.CentreOfMass);
        Scenes.Near(new Vec3(-0.5f, -0.5f, -0.5f), body.Bounds.Low);
        Assert.AreEqual(1, body.Volume, 1e-3f);
        Assert.AreEqual(0, body.ShapeError, 1e-3f);
        using (var shape = body.GetShape()) Assert.AreEqual(Scenes.Cube.Fingerprint, shape.Fingerprint);
    }

    [Test]
    public void TheMeshFollowsTheBody()
    {
        using (var shape = Scenes.Ball())
        {
            var ball = world.CreateBody(shape);
            ball.Teleport(new Vec3(3, 0, 0), Quat.Identity);
            var positions = new Vec3[shape.VertexCount];
            var normals = new Vec3[positions.Length];
            var bounds = ball.ReadSkin(positions, normals);
            Assert.AreEqual(2.5f, bounds.Low.X, 0.02f);
            for (int i = 0; i < positions.Length; i++)
            {
                var out_ = positions[i] - new Vec3(3, 0, 0);
                Assert.AreEqual(0.5f, out_.Length, 0.02f);
                Scenes.Near(out_ * (1 / out_.Length), normals[i], 0.2f);
            }
            using (var tall = shape.Scaled(new Vec3(1, 2, 1)))
            {
                Assert.AreEqual(2 * shape.Mass, tall.Mass, 1e-3f * tall.Mass);
                var bodies = new[] { ball, world.CreateBody(tall) };
                var all = new[] { SkinBuffers.Default, SkinBuffers.Default };
                var boxes = new Bounds[2];
                fixed (Vec3* first = positions)
                fixed (Vec3* second = new Vec3[positions.Length])
                {
                    all[0].Positions = (float*)first;
                    all[1].Positions = (float*)second;
                    all[0].Capacity = all[1].Capacity = (uint)positions.Length;
                    world.ReadSkins(bodies, all, boxes);
                    Scenes.Near(second[5], new Vec3(first[5].X - 3, 2 * first[5].Y, first[5].Z), 1e-3f);
                }
                Assert.AreEqual(bounds.Low.X, boxes[0].Low.X);
                Assert.AreEqual(2 * bounds.High.Y, boxes[1].High.Y, 1e-3f);
                Assert.Throws<ArgumentException>(() => world.ReadSkins(bodies, new SkinBuffers[1]));
                Scenes.Refused(Status.BufferTooSmall, "capacity", () => world.ReadSkins(bodies, new[] { SkinBuffers.Default, SkinBuffers.Default }));
            }
            int clusters = (int)shape.LevelReport(0).Clusters;
            var bones = new Matrix3x4[clusters];
            ball.ReadBones(1, bones);
            fixed (Matrix3x4* bone = bones) Assert.AreEqual(3, bone->Rows[3], 1e-3f);
            var transforms = new Wobble.Transform[clusters];
            ball.ReadClusterTransforms(0, transforms);
            Assert.AreEqual(1, Math.Abs(transforms[0].Rotation.W), 1e-3f);
        }
    }
}
