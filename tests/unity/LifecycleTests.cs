// The package's components played on the stand-in's stage, with the real library.

using System.Linq;
using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using static Playing;

[TestFixture]
public class LifecycleTests
{
    [SetUp]
    public void Begin() => Stage.Clear();

    [TearDown]
    public void NothingIsLeft()
    {
        EndClean();
        // The kernel lists a thread for a moment after it was joined.
        for (int i = 0; i < 1000 && Threads() > 0; i++) System.Threading.Thread.Sleep(1);
        Assert.AreEqual(0, Threads(), "threads left");
    }

    /// <summary>Threads of the library in this process.</summary>
    static int Threads() => System.IO.Directory.GetDirectories("/proc/self/task").Count(IsOurs);

    static bool IsOurs(string task)
    {
        try
        {
            return System.IO.File.ReadAllText(task + "/comm").StartsWith("wobble");
        }
        catch (System.IO.IOException)
        {
            // It ended since it was listed.
            return false;
        }
    }

    static GameObject Ground()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(10, 1, 10);
        ground.AddComponent<WobbleCollider>();
        return ground;
    }

    static WobbleBody Soft(PrimitiveType type, Vector3 at, System.Action<WobbleBody> setUp = null) =>
        Soften(type, at, 150, setUp);

    static float Lowest(WobbleBody body) => InWorld(body).Min(v => v.y);

    [Test]
    public void ABodyFallsOnAMirroredBoxAndItsMeshLiesThere([Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping)
    {
        var world = new GameObject("world").AddComponent<WobbleWorld>();
        world.stepping = stepping;
        Ground();
        var began = 0;
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 2, 0), b => b.onContact.AddListener(c =>
        {
            if (c.phase == ContactPhase.Begin && c.otherCollider != null && c.body != null) began++;
        }));
        var source = MeshOf(body).vertices;
        Assert.AreEqual(1.5f, Lowest(body), 0.02f);
        Play(500);
        Stage.Frame(1);
        Assert.AreSame(world, body.Home);
        Assert.AreEqual(0, Lowest(body), 0.03f);
        Assert.AreEqual(0.5f, body.transform.position.y, 0.1f);
        Assert.GreaterOrEqual(began, 1);
        Assert.AreNotEqual(source[0], MeshOf(body).vertices[0]);
        var bounds = MeshOf(body).bounds;
        Assert.AreEqual(MeshOf(body).vertices.Min(v => v.y), bounds.min.y, 1e-3f);
        foreach (var n in MeshOf(body).normals) Assert.AreEqual(1, n.magnitude, 1e-3f);
    }

    [Test]
    public void MovedTurnedAndScaledObjectsDrawWhereTheyWere()
    {
        var body = Soft(PrimitiveType.Cube, new Vector3(1, 2, 3), b =>
        {
            b.transform.rotation = Quaternion.Euler(10, 20, 30);
            b.transform.localScale = new Vector3(2, 0.5f, 1);
        });
        Assert.AreEqual(1000, body.Body.GetShape().Mass, 60);
        var rest = body.GetComponent<MeshFilter>();
        var plain = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh;
        for (int i = 0; i < plain.vertexCount; i++)
        {
            Assert.Less((plain.vertices[i] - rest.sharedMesh.vertices[i]).magnitude, 1e-3f);
            Assert.Less((plain.normals[i] - rest.sharedMesh.normals[i]).magnitude, 1e-2f);
        }
    }

    [Test]
    public void DrawingGoesBetweenSteps()
    {
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 0, 0));
        var world = body.Home;
        world.useProjectGravity = false;
        world.gravity = Vector3.zero;
        world.Apply();
        body.Body.SetVelocity(new Vec3(1, 0, 0));
        Stage.Frame(1);
        float now = InWorld(body).Max(v => v.x);
        Stage.Frame(0.5f);
        Assert.AreEqual(now + 0.01f, InWorld(body).Max(v => v.x), 1e-3f);
        world.interpolate = false;
        Stage.Frame(0.5f);
        Assert.AreEqual(now + 0.04f, InWorld(body).Max(v => v.x), 1e-3f);
    }

    [Test]
    public void ATransformThatIsMovedTakesTheBodyAlong()
    {
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 0, 0));
        Play(3);
        body.Body.ApplyImpulse(new Vec3(0, 0, body.Body.GetShape().Mass));
        float fallen = body.Body.Momentum.Y;
        body.transform.position = new Vector3(10, 0, 0);
        body.transform.rotation = Quaternion.Euler(0, 90, 0);
        Play(1);
        var centre = body.Body.GetShape().Centre;
        Assert.AreEqual(10 + centre.Z, body.Body.CentreOfMass.X, 0.001f);
        Assert.AreEqual(0.02f - centre.X, body.Body.CentreOfMass.Z, 0.001f);
        Assert.Less(body.Body.Momentum.Y, fallen, "it goes on falling");
        Assert.AreEqual(10, InWorld(body).Average(v => v.x), 0.02f);
        var turned = body.Body.PositionOf(0) - body.Body.CentreOfMass;
        using (var shape = body.Body.GetShape())
        {
            var rest = new Vec3[shape.ParticleCount];
            shape.ReadRestPositions(rest);
            Assert.Less((turned - new Vec3(rest[0].Z, rest[0].Y, -rest[0].X)).Length, 0.02f);
        }
    }

    [Test]
    public void DisablingAndEnablingABodyOrAWorldBeginsAnew()
    {
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 0, 0));
        var source = body.GetComponent<MeshFilter>().sharedMesh;
        Play(3);
        body.enabled = false;
        Assert.IsFalse(body.IsAlive);
        Assert.AreNotSame(source, MeshOf(body));
        Assert.AreEqual("Sphere", MeshOf(body).name);
        body.enabled = true;
        Play(1);
        Assert.IsTrue(body.IsAlive);
        var world = body.Home;
        world.enabled = false;
        Assert.AreEqual(0, Library.LiveWorlds);
        Assert.IsFalse(body.IsAlive);
        Play(2);
        world.enabled = true;
        Play(2);
        Assert.IsTrue(body.IsAlive);
        Assert.AreSame(body, world.Of(body.Body.Handle));
    }

    [Test]
    public void ReloadedAssembliesLeaveNoWorldAndPlayOn(
        [Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping,
        [Values(false, true)] bool eventFirst)
    {
        new GameObject("world").AddComponent<WobbleWorld>().stepping = stepping;
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 5, 0));
        Stage.Frame();
        int worlds = -1;
        // In the middle of a frame, a step may run in the background.
        Message(body.Home, "FixedUpdate")();
        if (eventFirst) UnityEditor.AssemblyReloadEvents.Raise();
        Stage.ReloadAssemblies(() =>
        {
            if (!eventFirst) UnityEditor.AssemblyReloadEvents.Raise();
            worlds = Library.LiveWorlds;
        });
        Assert.AreEqual(0, worlds);
        Play(5);
        Assert.IsTrue(body.IsAlive);
        Assert.Less(body.transform.position.y, 5);
    }

    /// <summary>Worlds that a reload finds alive, since something kept them, end all the same.</summary>
    [Test]
    public void WhatScriptsMadeThemselvesEndsBeforeAReload()
    {
        var forgotten = new World();
        forgotten.BeginStep(0.02f);
        UnityEditor.AssemblyReloadEvents.Raise();
        Assert.IsTrue(forgotten.IsDisposed);
        var another = new World();
        UnityEditor.EditorApplication.Raise(UnityEditor.PlayModeStateChange.EnteredEditMode);
        Assert.IsTrue(another.IsDisposed);
    }

    /// <summary>With domain reload off, play mode begins with the statics of the last time.</summary>
    [Test]
    public void PlayModeBeginsAnewWithoutAReload()
    {
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 5, 0));
        var first = body.Home;
        Stage.Frame();
        Assert.Greater(Threads(), 0);
        typeof(WobbleWorld).GetMethod("Forget", System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)
            .Invoke(null, null);
        Assert.AreEqual(0, Library.LiveWorlds);
        Stage.Clear();
        var next = Soft(PrimitiveType.Sphere, new Vector3(0, 5, 0));
        Assert.AreNotSame(first, next.Home);
        Play(2);
        Assert.IsTrue(next.IsAlive);
    }

    [Test]
    public void ScenesEndInAnyOrder([Values(false, true)] bool lastFirst, [Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping)
    {
        new GameObject("world").AddComponent<WobbleWorld>().stepping = stepping;
        Ground();
        var body = Soft(PrimitiveType.Sphere, new Vector3(0, 0.4f, 0));
        var hook = new GameObject("hook");
        hook.transform.position = new Vector3(0, 0.9f, 0);
        hook.AddComponent<WobbleAttachment>().target = body;
        new GameObject("wind").AddComponent<WobbleForceField>().only = body;
        Play(3);
        Stage.EndScene(lastFirst);
        Assert.AreEqual(0, Library.LiveWorlds);
        Stage.Frame();
    }

    [Test]
    public void WhatActsOnABodyBeginsAnewWithIt()
    {
        var body = Soft(PrimitiveType.Sphere, Vector3.zero);
        var hook = new GameObject("hook");
        var attachment = hook.AddComponent<WobbleAttachment>();
        attachment.target = body;
        var wind = new GameObject("wind").AddComponent<WobbleForceField>();
        wind.only = body;
        Play(3);
        Assert.IsTrue(attachment.IsAlive && wind.IsAlive);
        body.enabled = false;
        Play(3);
        Assert.IsFalse(attachment.IsAlive || wind.IsAlive);
        body.transform.position = Vector3.zero;
        body.enabled = true;
        Play(3);
        Assert.IsTrue(attachment.IsAlive && wind.IsAlive);
        Assert.AreEqual(1, body.Home.World.FieldCount);
        Object.Destroy(body.gameObject);
        Play(3);
        Assert.IsFalse(attachment.IsAlive);
    }

    [Test]
    public void BodiesFindAWorldThatIsNotEnabledYet()
    {
        var late = new GameObject("world");
        late.SetActive(false);
        late.AddComponent<WobbleWorld>();
        var above = new GameObject("above").AddComponent<WobbleWorld>();
        var body = Soft(PrimitiveType.Sphere, Vector3.zero, b => b.transform.parent = above.transform);
        Assert.AreSame(above, body.Home);
        Assert.AreEqual(1, Library.LiveWorlds);
    }

    [Test]
    public void AFrameMakesNoGarbage()
    {
        Ground();
        var bodies = Enumerable.Range(0, 3).Select(i => Soft(PrimitiveType.Sphere, new Vector3(0.2f * i, 0.5f + 1.1f * i, 0))).ToArray();
        var world = bodies[0].Home;
        new GameObject("wind").AddComponent<WobbleForceField>();
        Play(20);
        int writes = bodies[0].DeformedMesh.writes;
        Assert.AreEqual(0, Garbage(30, world, bodies), "bytes in 30 frames");
        Assert.AreEqual(30, bodies[0].DeformedMesh.writes - writes);
    }
}
