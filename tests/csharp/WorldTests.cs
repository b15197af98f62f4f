// What worlds do, and what lives in them.

using System.Linq;
using NUnit.Framework;
using Wobble;

[TestFixture]
public unsafe class WorldTests
{
    [Test]
    public void SettingsAreKept()
    {
        using (var world = new World())
        {
            Scenes.Near(new Vec3(0, -9.81f, 0), world.Gravity);
            world.Gravity = new Vec3(1, 2, 3);
            world.Threads = 2;
            world.Substeps = 7;
            world.BodiesMeet = false;
            world.Sleeping = new Sleeping { Enabled = false, Speed = 0.5f };
            world.ContactReporting = new ContactReporting { Threshold = 0.25f, Most = 12 };
            Assert.AreEqual(new Vec3(1, 2, 3), world.Gravity);
            Assert.AreEqual(2, world.Threads);
            Assert.AreEqual(7, world.Substeps);
            Assert.IsFalse(world.BodiesMeet);
            Assert.AreEqual(0.5f, world.Sleeping.Speed);
            Assert.AreEqual(12, world.ContactReporting.Most);
        }
    }

    [Test]
    public void ACubeFallsOnTheGroundAndRests()
    {
        using (var world = new World())
        {
            var ground = world.CreateCollider();
            var def = BodyDef.Default;
            def.Position = new Vec3(0, 1, 0);
            // Damped: rubber is still hopping when this ends, and about where is a matter of its clusters.
            var cube = world.CreateBody(Scenes.Cube, def, Wobble.Material.Named("gummy"));
            var contacts = new Contact[8];
            bool began = false;
            for (int frame = 0; frame < 120; frame++)
            {
                world.Step(Scenes.Frame);
                int count = world.ReadContacts(contacts);
                Assert.AreEqual(world.ContactCount, count);
                for (int i = 0; i < count; i++)
                {
                    Assert.AreSame(cube, world.Find(contacts[i].Body));
                    Assert.AreSame(ground, world.Find(contacts[i].OtherCollider));
                    Assert.IsNull(world.Find(contacts[i].OtherBody));
                    began |= contacts[i].When == ContactPhase.Begin;
                }
            }
            Assert.IsTrue(began);
            Assert.IsTrue(cube.IsTouching);
            Scenes.Near(new Vec3(0, 0.5f, 0), cube.CentreOfMass, 0.05f);
            Assert.Greater(ground.Push.Impulse.Y, -1);
            Assert.Greater(world.Profile.Total, 0);
            Assert.AreEqual(216, world.Statistics.Particles);
        }
    }

    [Test]
    public void EqualCallsGiveEqualBits()
    {
        ulong first = Fallen(1), second = Fallen(2);
        Assert.AreEqual(first, second);
    }

    static ulong Fallen(int threads)
    {
        using (var world = new World())
        {
            world.Threads = threads;
            world.CreateCollider();
            world.CreateBody(Scenes.Cube).Teleport(new Vec3(0, 0.7f, 0), new Quat(0.1f, 0.2f, 0.3f, 0.9f));
            for (int frame = 0; frame < 30; frame++) world.Step(Scenes.Frame);
            return world.StateHash;
        }
    }

    [Test]
    public void AStepInTheBackgroundShowsTheStateBefore()
    {
        using (var world = new World())
        {
            var body = world.CreateBody(Scenes.Cube);
            world.Step(Scenes.Frame);
            var before = body.CentreOfMass;
            world.BeginStep(Scenes.Frame);
            Assert.AreEqual(before, body.CentreOfMass);
            world.WaitForStep();
            Assert.IsTrue(world.IsStepDone);
            Assert.Less(body.CentreOfMass.Y, before.Y);
        }
    }

    [Test]
    public void WhatLivesInAWorldIsListedAndFound()
    {
        using (var world = Scenes.Calm())
        {
            var body = world.CreateBody(Scenes.Cube);
            var box = world.CreateCollider(ColliderDef.Box(new Vec3(1, 1, 1)));
            var field = world.CreateField(FieldDef.Default);
            var held = body.Attach(new uint[] { 0, 1 }, AttachmentDef.Default);
            CollectionAssert.AreEqual(new[] { body }, world.Bodies());
            CollectionAssert.AreEqual(new[] { box }, world.Colliders());
            CollectionAssert.AreEqual(new[] { field }, world.Fields());
            CollectionAssert.AreEqual(new[] { held }, world.Attachments());
            Assert.AreEqual(4, world.BodyCount + world.ColliderCount + world.FieldCount + world.AttachmentCount);
            Assert.AreSame(world, body.World);
            Assert.AreEqual(world.Handle.Bits, body.WorldHandle.Bits);
            body.Dispose();
            Assert.AreEqual(0, world.BodyCount);
            Assert.AreEqual(0, world.AttachmentCount);
        }
    }

    [Test]
    public void RaysAndOverlapsFindBodiesAndColliders()
    {
        using (var world = Scenes.Calm())
        {
            var body = world.CreateBody(Scenes.Cube);
            var def = ColliderDef.Sphere(0.5f);
            def.Position = new Vec3(0, 5, 0);
            var sphere = world.CreateCollider(def);
            var hit = world.CastRay(new Vec3(0, -5, 0), new Vec3(0, 1, 0), 100);
            Assert.IsTrue(hit.IsFound);
            Assert.AreSame(body, world.Find(hit.Body));
            Assert.AreEqual(4.5f, hit.Distance, 0.05f);
            hit = world.CastRay(new Vec3(0, 9, 0), new Vec3(0, -1, 0), 100);
            Assert.AreSame(sphere, world.Find(hit.Collider));
            Assert.IsFalse(world.CastRay(new Vec3(9, 9, 0), new Vec3(0, 1, 0), 100).IsFound);
            Assert.AreSame(body, world.Find(world.ClosestPoint(new Vec3(2, 0, 0), 5).Body));
            var found = new Partner[4];
            Assert.AreEqual(2, world.OverlapSphere(new Vec3(0, 2, 0), 10, Groups.Default, found));
            Assert.AreEqual(1, world.OverlapBox(
                new Vec3(0, 0, 0), new Vec3(1, 1, 1), Quat.Identity, Groups.Default, found));
            Assert.AreSame(body, world.Find(found[0].Body));
        }
    }

    [Test]
    public void RestoredWorldsGoOnBitForBit()
    {
        using (var world = new World())
        {
            var ground = world.CreateCollider();
            var body = world.CreateBody(Scenes.Cube);
            world.Step(Scenes.Frame);
            var snapshot = world.Snapshot();
            world.Step(Scenes.Frame);
            ulong wanted = world.StateHash;
            var late = world.CreateBody(Scenes.Cube);
            world.Restore(snapshot);
            Assert.IsTrue(late.IsDisposed);
            Assert.IsFalse(body.IsDisposed);
            Assert.AreSame(ground, world.Colliders().Single());
            world.Step(Scenes.Frame);
            Assert.AreEqual(wanted, world.StateHash);
            using (var other = new World())
            {
                Scenes.Refused(Status.MissingShape, "shape", () => other.Restore(snapshot));
                other.Restore(snapshot, Scenes.Cube);
                other.Step(Scenes.Frame);
                Assert.AreEqual(wanted, other.StateHash);
            }
        }
    }

    [Test]
    public void BodiesFallAsleepAndWake()
    {
        using (var world = new World())
        {
            world.Gravity = new Vec3(0, 0, 0);
            var body = world.CreateBody(Scenes.Cube);
            var bodies = new BodyHandle[1];
            int slept = 0;
            for (int frame = 0; frame < 60; frame++)
            {
                world.Step(Scenes.Frame);
                slept += world.ReadSlept(bodies);
            }
            Assert.AreEqual(1, slept);
            Assert.IsTrue(body.IsSleeping);
            body.Wake();
            world.Step(Scenes.Frame);
            Assert.AreEqual(1, world.ReadWoke(bodies));
            Assert.AreSame(body, world.Find(bodies[0]));
            body.PutToSleep();
            world.WakeAll();
            Assert.IsFalse(body.IsSleeping);
            body.CanSleep = false;
            Assert.IsFalse(body.CanSleep);
        }
    }

    [Test]
    public void ABodyThatGoesOutOfBoundsIsFrozenAndTold()
    {
        string heard = null;
        Library.Log = (severity, line) => heard = severity + ": " + line;
        using (var world = Scenes.Calm())
        {
            var body = Scenes.Overflowing(world);
            var bodies = new BodyHandle[1];
            int frozen = 0;
            for (int step = 0; step < 300 && frozen == 0; step++)
            {
                Scenes.Scatter(world, body);
                frozen = world.ReadNewlyFrozen(bodies);
            }
            Assert.AreEqual(1, frozen);
            Assert.IsTrue(body.IsFrozen);
            body.Reset();
            Assert.IsFalse(body.IsFrozen);
        }
        Library.Log = null;
        StringAssert.StartsWith("Warning: ", heard);
    }

    [Test]
    public void CollidersOfAllKindsCarryACube()
    {
        var tetrahedron = new[] { new Vec3(0, 1, 0), new Vec3(3, -2, -3), new Vec3(-3, -2, -3), new Vec3(0, -2, 3) };
        using (var world = new World())
        {
            var belt = world.CreateCollider(ColliderDef.Plane(new Vec3(0, 1, 0), -1));
            belt.SetConveyor(new Vec3(1, 0, 0));
            world.CreateCollider(ColliderDef.Capsule(1, 0.5f)).SetEnabled(false);
            world.CreateCollider(ColliderDef.Cylinder(1, 0.5f)).SetGroups(new Groups(2, 2));
            var hull = world.CreateHull(tetrahedron, ColliderDef.Default);
            var mesh = world.CreateMesh(tetrahedron, new uint[] { 0, 1, 2 }, ColliderDef.Default);
            world.CreateHeightField(new float[9], 3, 3, 1, 1, ColliderDef.Default);
            Assert.IsTrue(hull.IsSolid);
            Assert.IsFalse(mesh.IsSolid);
            var faces = new uint[] { 0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2 };
            Assert.IsTrue(world.CreateMesh(tetrahedron, faces, ColliderDef.Default).IsSolid);
            Assert.IsFalse(world.CreateSurface(tetrahedron, faces, ColliderDef.Default).IsSolid);
            hull.SetPose(new Vec3(0, 1, 0), Quat.Identity);
            hull.Move(new Vec3(0, 2, 0), Quat.Identity);
            hull.SetSurface(new Surface(1, 0.5f, Combine.Maximum));
            mesh.SetVelocity(new Vec3(0, 0, 1), new Vec3(0, 0, 0));
            world.Step(0.5f);
            Scenes.Near(new Vec3(0, 2, 0), hull.Pose.Position);
            Scenes.Near(new Vec3(0, 0, 0.5f), mesh.Pose.Position);
            Assert.AreEqual(0.5f, hull.Definition.Restitution);
            Assert.AreEqual(8, world.ColliderCount);
        }
    }

    [Test]
    public void FieldsAndExplosionsPush()
    {
        using (var world = Scenes.Calm())
        {
            var body = world.CreateBody(Scenes.Cube);
            var def = FieldDef.Default;
            def.Velocity = new Vec3(3, 0, 0);
            var wind = world.CreateField(def);
            world.Step(0.1f);
            Assert.Greater(body.Momentum.X, 0.1f);
            def.Velocity = new Vec3(0, 0, 5);
            wind.Definition = def;
            Assert.AreEqual(5, wind.Definition.Velocity.Z);
            wind.Dispose();
            body.SetVelocity(new Vec3(0, 0, 0));
            world.Explode(new Vec3(0, -1, 0), 3, 10);
            Assert.Greater(body.Momentum.Y, 1);
        }
    }
}
