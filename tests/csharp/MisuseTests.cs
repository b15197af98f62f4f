// What hosts do wrong: using what is gone, throwing in callbacks, forgetting, letting go on other threads.

using System;
using System.Collections.Generic;
using System.Threading;
using NUnit.Framework;
using Wobble;

[TestFixture]
public class MisuseTests
{
    sealed class Mine : Exception { }

    [Test]
    public void WhatIsDisposedOfIsRefused()
    {
        var world = new World();
        var body = world.CreateBody(Scenes.Cube);
        var collider = world.CreateCollider();
        body.Dispose();
        body.Dispose();
        Assert.IsTrue(body.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => body.Wake());
        world.Dispose();
        world.Dispose();
        Assert.IsTrue(world.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => world.Step(0.1f));
        Assert.Throws<ObjectDisposedException>(() => collider.SetEnabled(true));
        collider.Dispose();
        var shape = Shape.FromPoints(Scenes.Grid(2));
        shape.Dispose();
        shape.Dispose();
        Assert.IsTrue(shape.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => { var mass = shape.Mass; });
        using (var another = new World())
        {
            Assert.Throws<ObjectDisposedException>(() => another.CreateBody(shape));
            Assert.Throws<ArgumentNullException>(() => another.CreateBody(null));
        }
    }

    [Test]
    public void RefusalsHaveTheLibrarysSentence()
    {
        using (var world = Scenes.Calm())
        {
            var body = world.CreateBody(Scenes.Cube);
            Scenes.Refused(Status.InvalidArgument, "dt", () => world.Step(float.NaN));
            Scenes.Refused(Status.UnknownName, "marble", () => body.SetPreset("marble"));
            Scenes.Refused(Status.NullPointer, "name", () => body.SetPreset(null));
            Scenes.Refused(Status.InvalidArgument, "216", () => body.Pin(216));
            Scenes.Refused(Status.InvalidArgument, "", () => body.Pin(-1));
            Scenes.Refused(Status.BufferTooSmall, "216", () => body.ReadPositions(new Vec3[10]));
            Scenes.Refused(Status.InvalidArgument, "mesh", () => body.ReadSkin(new Vec3[10]));
            Scenes.Refused(Status.InvalidArgument, "threads", () => world.Threads = -1);
            Assert.Throws<WobbleException>(() => world.CreateHull(null, ColliderDef.Default));
            Assert.Throws<WobbleException>(() => world.CreateBody(Scenes.Cube, new BodyDef()));
        }
    }

    [Test]
    public void DisposingOnAnotherThreadIsFine()
    {
        for (int round = 0; round < 50; round++)
        {
            var world = new World();
            var body = world.CreateBody(Scenes.Cube);
            world.BeginStep(Scenes.Frame);
            var one = new Thread(body.Dispose);
            var two = new Thread(body.Dispose);
            one.Start();
            two.Start();
            one.Join();
            two.Join();
            Assert.AreEqual(0, world.BodyCount);
            var three = new Thread(world.Dispose);
            three.Start();
            try
            {
                while (true) world.Step(Scenes.Frame);
            }
            catch (ObjectDisposedException)
            {
            }
            catch (WobbleException exception)
            {
                Assert.AreEqual(Status.StaleHandle, exception.Status);
            }
            three.Join();
        }
    }

    [Test]
    public void WhatAProgressCallbackThrowsComesOut()
    {
        Assert.Throws<Mine>(() =>
            Shape.FromPoints(Scenes.Grid(6), null, ShapeDef.Default, done => { throw new Mine(); }));
        Scenes.Refused(Status.Cancelled, "", () =>
            Shape.FromPoints(Scenes.Grid(6), null, ShapeDef.Default, done => false));
    }

    [Test]
    public void WhatADistanceFunctionThrowsComesOut([Values(1, 3)] int threads)
    {
        var solid = Solid.ByDistance(new Vec3(-1, -1, -1), new Vec3(1, 1, 1), p =>
        {
            if (p.X > 0.2f) throw new Mine();
            return p.Length - 0.5f;
        });
        solid.Threads = threads;
        solid.Cells = 8;
        Assert.Throws<Mine>(() => solid.Mesh());
        Assert.Throws<Mine>(() => Shape.FromSolid(solid));
        Assert.Throws<Mine>(() => solid.DistanceTo(new Vec3(1, 0, 0)));
    }

    [Test]
    public void WhatALogListenerThrowsIsDropped()
    {
        int heard = 0;
        Library.Log = (severity, line) =>
        {
            heard++;
            throw new Mine();
        };
        Assert.IsNotNull(Library.Log);
        using (var world = Scenes.Calm())
        {
            var body = Scenes.Overflowing(world);
            for (int step = 0; step < 300 && heard == 0; step++) Scenes.Scatter(world, body);
        }
        Library.Log = null;
        Assert.Greater(heard, 0);
    }

    [Test]
    public void ACallbackMayCallTheLibrary()
    {
        using (var world = Scenes.Calm())
        {
            var made = new List<Body>();
            Shape.FromPoints(Scenes.Grid(4), null, ShapeDef.Default, done =>
            {
                made.Add(world.CreateBody(Scenes.Cube));
                world.Step(Scenes.Frame);
                return true;
            }).Dispose();
            Assert.Greater(made.Count, 0);
            Assert.AreEqual(made.Count, world.BodyCount);
        }
    }

    [Test]
    public void TenThousandRoundsLeaveNothingBehind()
    {
        var points = Scenes.Grid(2);
        int before = Library.LiveWorlds;
        using (var world = Scenes.Calm())
        {
            for (int round = 0; round < 10000; round++)
            {
                using (var shape = Shape.FromPoints(points))
                using (var body = world.CreateBody(shape))
                using (world.CreateCollider())
                using (world.CreateField(FieldDef.Default))
                using (body.Attach(new uint[] { 0 }, AttachmentDef.Default)) { }
                if (round % 100 == 0) using (new World()) { }
            }
            Assert.AreEqual(0, world.BodyCount + world.ColliderCount + world.FieldCount + world.AttachmentCount);
        }
        Assert.AreEqual(before, Library.LiveWorlds);
    }

    [Test]
    public void WorldsThatAreForgottenEnd()
    {
        int before = Library.LiveWorlds;
        var forget = new Thread(() =>
        {
            for (int i = 0; i < 20; i++) new World().CreateBody(Scenes.Cube);
        });
        forget.Start();
        forget.Join();
        for (int round = 0; round < 50 && Library.LiveWorlds > before; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        // The collector looks at the stack conservatively and may keep one by chance.
        Assert.LessOrEqual(Library.LiveWorlds, before + 1);
    }

    [Test]
    public void ShutdownEndsEveryWorld()
    {
        var world = new World();
        var body = world.CreateBody(Scenes.Cube);
        world.BeginStep(Scenes.Frame);
        Library.Shutdown();
        Assert.AreEqual(0, Library.LiveWorlds);
        Assert.IsTrue(world.IsDisposed);
        Assert.IsTrue(body.IsDisposed);
    }
}
