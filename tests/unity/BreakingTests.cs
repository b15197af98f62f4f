// Bodies of the package that are cut and break, on the stand-in's stage, with the real library.

using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using Wobble.Unity.Editor;
using static Playing;

[TestFixture]
public class BreakingTests
{
    [SetUp]
    public void Begin()
    {
        Stage.Clear();
        // As the editor does when it loads scripts.
        System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor(typeof(WobbleLifecycle).TypeHandle);
    }

    [TearDown]
    public void NothingIsLeft() => EndClean();

    static readonly UnityEngine.Plane Middle = new UnityEngine.Plane(new Vector3(1, 0, 0), new Vector3(0.05f, 0, 0));

    static WobbleBody Soft(System.Action<WobbleBody> setUp = null) =>
        Soften(PrimitiveType.Cube, Vector3.zero, 300, setUp);

    static List<WobbleBody> CutInHalf(WobbleBody body)
    {
        List<WobbleBody> pieces = null;
        body.onFracture.AddListener((whole, others) => pieces = pieces ?? others);
        Assert.AreEqual(2, body.Cut(Middle));
        return pieces;
    }

    static float MassOf(WobbleBody body)
    {
        using (var shape = body.Body.GetShape()) return shape.Mass;
    }

    [Test]
    public void ACutBodyGivesPiecesThatSumToTheWholeAndMove(
        [Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping)
    {
        new GameObject("world").AddComponent<WobbleWorld>().stepping = stepping;
        var look = new UnityEngine.Material();
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        var body = Soft(b =>
        {
            b.material = material;
            b.group = 2;
            b.GetComponent<MeshRenderer>().sharedMaterials = new[] { look };
        });
        Play(2);
        float whole = MassOf(body);
        int told = 0;
        body.onFracture.AddListener((old, others) => told += old == body ? others.Count : 100);
        var piece = CutInHalf(body).Single();
        Assert.AreEqual(1, told);
        Assert.AreEqual(whole, MassOf(body) + MassOf(piece), 1e-4f * whole);
        Assert.IsTrue(piece.IsAlive && piece.IsPiece && body.IsPiece && !piece.IsDebris);
        Assert.AreSame(body.Home, piece.Home);
        Assert.AreSame(piece, body.Home.Of(piece.Body.Handle));
        Assert.AreSame(material, piece.material);
        Assert.AreEqual(2u, piece.Body.Groups.Group);
        Assert.AreSame(look, piece.GetComponent<MeshRenderer>().sharedMaterials.Single());
        bool bodyIsLeft = body.Body.CentreOfMass.X < 0.05f;
        WobbleBody left = bodyIsLeft ? body : piece, right = bodyIsLeft ? piece : body;
        Assert.Less(InWorld(left).Max(v => v.x), 0.25f);
        Assert.Greater(InWorld(right).Min(v => v.x), -0.15f);
        Assert.AreEqual(-0.5f, InWorld(left).Min(v => v.x), 0.05f);
        Assert.AreEqual(0.5f, InWorld(right).Max(v => v.x), 0.05f);
        right.Body.SetVelocity(new Vec3(2, 0, 0));
        float before = InWorld(right).Average(v => v.x), height = InWorld(left).Average(v => v.y);
        Play(25);
        Assert.AreEqual(before + 1, InWorld(right).Average(v => v.x), 0.15f);
        Assert.AreEqual(right.Body.CentreOfMass.X, InWorld(right).Average(v => v.x), 0.15f);
        Assert.Less(InWorld(left).Average(v => v.y), height - 0.5f);
    }

    [Test]
    public void AMovedPieceStaysWhereItIsPut()
    {
        var body = Soft();
        var piece = CutInHalf(body).Single();
        float mean = InWorld(piece).Average(v => v.z);
        piece.transform.position += new Vector3(0, 0, 5);
        Play(1);
        Assert.AreEqual(mean + 5, InWorld(piece).Average(v => v.z), 0.05f);
        Assert.Less(InWorld(body).Max(v => v.z), 1);
    }

    [Test]
    public void PiecesKeepTextureCoordinatesColoursAndSubmeshes()
    {
        var mesh = Object.Instantiate(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh);
        mesh.uv = mesh.vertices.Select(v => new Vector2(v.y, v.z)).ToArray();
        mesh.colors = mesh.vertices.Select(v => new Color(v.y, v.z, 0)).ToArray();
        int[] all = mesh.triangles, upper = all.Where((v, i) => IsUpper(mesh.vertices, all, i)).ToArray();
        int[] lower = all.Where((v, i) => !IsUpper(mesh.vertices, all, i)).ToArray();
        mesh.subMeshCount = 2;
        mesh.SetTriangles(lower.ToList(), 0);
        mesh.SetTriangles(upper.ToList(), 1);
        var body = Soft(b => b.GetComponent<MeshFilter>().sharedMesh = mesh);
        var piece = CutInHalf(body).Single();
        foreach (var one in new[] { body, piece })
        {
            var own = one.DeformedMesh;
            var places = InWorld(one);
            Assert.AreEqual(places.Length, own.uv.Length);
            // The middle of a cap has the coordinates of its rim.
            int right = Enumerable.Range(0, places.Length).Count(i =>
                Mathf.Abs(own.uv[i].x - places[i].y) < 0.02f && Mathf.Abs(own.uv[i].y - places[i].z) < 0.02f &&
                Mathf.Abs(own.colors[i].r - places[i].y) < 0.02f);
            Assert.GreaterOrEqual(right, places.Length - 2);
            Assert.AreEqual(2, own.subMeshCount);
            Assert.Greater(own.GetTriangles(1).Average(v => places[v].y), own.GetTriangles(0).Average(v => places[v].y) + 0.3f);
        }
        Object.Destroy(mesh);
    }

    static bool IsUpper(Vector3[] places, int[] indices, int i) =>
        indices.Skip(i / 3 * 3).Take(3).Average(v => places[v].y) > 0;

    [Test]
    public void ABladeCutsOnlyWhereItGoes()
    {
        var body = Soft();
        Vector3 near = new Vector3(0.05f, 1, -2), far = new Vector3(0.05f, 1, 2);
        Assert.AreEqual(1, body.Cut(near, far, near + new Vector3(0, -0.8f, 0), far + new Vector3(0, -0.8f, 0)));
        var whole = InWorld(body);
        Assert.AreEqual(1, body.Home.World.BodyCount);
        Assert.AreEqual(2, body.Cut(near, far, near + new Vector3(0, -3, 0), far + new Vector3(0, -3, 0)));
        Assert.AreEqual(0.5f, whole.Max(v => v.x), 0.05f);
        Play(5);
    }

    [Test]
    public void ToughnessIsPaintedOnTheMesh([Values(false, true)] bool painted)
    {
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        material.breakable = true;
        material.toughness = 10;
        var mesh = Object.Instantiate(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh);
        mesh.colors = mesh.vertices.Select(v => new Color(1, 0.01f, 1)).ToArray();
        var body = Soft(b =>
        {
            b.material = material;
            b.GetComponent<MeshFilter>().sharedMesh = mesh;
            if (painted) b.toughnessFrom = WobblePinChannel.Green;
        });
        int told = 0;
        body.onFracture.AddListener((old, others) => told += others.Count);
        foreach (int i in Enumerable.Range(0, body.Body.ParticleCount))
        {
            var at = body.Body.PositionOf(i);
            body.Body.SetPositionOf(i, new Vec3(3 * at.X, at.Y, at.Z));
        }
        Play(10);
        Assert.AreEqual(painted, told > 0);
        Object.Destroy(mesh);
    }

    [Test]
    public void ABreakableBodyBreaksWhenItIsTornAndIsTold(
        [Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping)
    {
        new GameObject("world").AddComponent<WobbleWorld>().stepping = stepping;
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        material.breakable = true;
        material.toughness = 0.2f;
        var body = Soft(b => b.material = material);
        Assert.AreEqual(0.2f, body.Body.Fracture.Value.Toughness);
        float whole = MassOf(body);
        int told = 0;
        body.onFracture.AddListener((old, others) => told += others.Count);
        var all = Enumerable.Range(0, body.Body.ParticleCount);
        foreach (int i in all)
        {
            var at = body.Body.PositionOf(i);
            body.Body.SetPositionOf(i, new Vec3(3 * at.X, at.Y, at.Z));
        }
        Play(10);
        Assert.Greater(told, 0);
        var bodies = body.Home.World.Bodies();
        Assert.AreEqual(told + 1, bodies.Length);
        Assert.IsTrue(bodies.All(b => body.Home.Of(b.Handle) != null));
        Assert.AreEqual(whole, bodies.Sum(b => MassOf(body.Home.Of(b.Handle))), 1e-4f * whole);
    }

    [Test]
    public void ABodyMayBeDestroyedInItsOwnEvent([Values(false, true)] bool piecesToo, [Values(false, true)] bool worldToo)
    {
        var body = Soft();
        var world = body.Home;
        WobbleBody piece = null;
        body.onFracture.AddListener((old, others) =>
        {
            piece = others.Single();
            Object.Destroy(old.gameObject);
            if (piecesToo) Object.Destroy(piece.gameObject);
            if (worldToo) Object.Destroy(world.gameObject);
        });
        Assert.AreEqual(2, body.Cut(Middle));
        Play(3);
        Assert.IsTrue(body == null);
        Assert.AreEqual(piecesToo, piece == null);
        if (!worldToo) Assert.AreEqual(piecesToo ? 0 : 1, world.World.BodyCount);
    }

    [Test]
    public void AnEventMayCutOn()
    {
        var body = Soft();
        int told = 0;
        var across = new UnityEngine.Plane(new Vector3(0, 1, 0), new Vector3(0, 0.05f, 0));
        body.onFracture.AddListener((old, others) =>
        {
            if (told++ > 0) return;
            old.Cut(across);
            others[0].Cut(across);
        });
        body.Cut(Middle);
        Assert.AreEqual(3, told);
        Assert.AreEqual(4, body.Home.World.BodyCount);
        Play(3);
    }

    [Test]
    public void PiecesAreDisabledReloadedAndBeginAnewAsTheyAre([Values(false, true)] bool eventFirst)
    {
        var body = Soft();
        var piece = CutInHalf(body).Single();
        float mass = MassOf(piece), own = MassOf(body);
        Play(2);
        piece.enabled = false;
        Assert.AreEqual(1, body.Home.World.BodyCount);
        Play(2);
        piece.enabled = true;
        Play(1);
        Assert.AreEqual(mass, MassOf(piece), 1e-4f * mass);
        int worlds = -1;
        if (eventFirst) UnityEditor.AssemblyReloadEvents.Raise();
        Stage.ReloadAssemblies(() =>
        {
            if (!eventFirst) UnityEditor.AssemblyReloadEvents.Raise();
            worlds = Library.LiveWorlds;
        });
        Assert.AreEqual(0, worlds);
        Play(5);
        Assert.AreEqual(mass, MassOf(piece), 1e-4f * mass);
        Assert.AreEqual(own, MassOf(body), 1e-4f * own);
        Assert.Less(InWorld(piece).Average(v => v.y), 0);
        Assert.AreEqual(piece.Body.CentreOfMass.X, InWorld(piece).Average(v => v.x), 0.15f);
    }

    [Test]
    public void PinsAndAttachmentsHoldThePiecesThatHaveTheirParticles()
    {
        var bar = new GameObject("bar");
        bar.transform.position = new Vector3(0, 0.5f, 0);
        var across = new WobbleRegion { kind = WobbleRegionKind.Box, size = new Vector3(2, 0.3f, 2) };
        var body = Soft(b => b.pins.Add(new WobblePin { frame = bar.transform, region = across }));
        var hook = new GameObject("hook");
        hook.transform.position = new Vector3(0.5f, 0, 0);
        var attachment = hook.AddComponent<WobbleAttachment>();
        attachment.target = body;
        attachment.region = new WobbleRegion { radius = 0.3f };
        Play(2);
        var piece = CutInHalf(body).Single();
        var right = piece.Body.CentreOfMass.X > body.Body.CentreOfMass.X ? piece : body;
        Assert.AreSame(right, attachment.target);
        Play(30);
        Assert.AreEqual(0, body.Body.CentreOfMass.Y, 0.2f);
        Assert.AreEqual(0, piece.Body.CentreOfMass.Y, 0.2f);
        bar.transform.position += new Vector3(0, 0, 1);
        hook.transform.position += new Vector3(0, 0, 1);
        Play(60);
        Assert.AreEqual(1, body.Body.CentreOfMass.Z, 0.3f);
        Assert.AreEqual(1, piece.Body.CentreOfMass.Z, 0.3f);
        Object.Destroy(right.gameObject);
        Play(2);
        Assert.IsFalse(attachment.IsAlive);
    }

    [Test]
    public void AMendedBodyIsWholeAndHeldAgain()
    {
        var bar = new GameObject("bar");
        bar.transform.position = new Vector3(0, 0.5f, 0);
        var across = new WobbleRegion { kind = WobbleRegionKind.Box, size = new Vector3(2, 0.3f, 2) };
        var body = Soft(b => b.pins.Add(new WobblePin { frame = bar.transform, region = across }));
        var hook = new GameObject("hook");
        hook.transform.position = new Vector3(0.5f, 0, 0);
        var attachment = hook.AddComponent<WobbleAttachment>();
        attachment.target = body;
        Play(2);
        float mass = MassOf(body);
        int vertices = MeshOf(body).vertexCount;
        var piece = CutInHalf(body).Single();
        Assert.AreSame(piece, attachment.target);
        Play(5);
        body.Mend();
        Assert.IsTrue(piece == null);
        Assert.IsFalse(body.IsPiece);
        Assert.AreEqual(vertices, MeshOf(body).vertexCount);
        Assert.AreEqual(mass, MassOf(body));
        Assert.AreSame(body, attachment.target);
        Play(30);
        Assert.AreEqual(1, body.Home.World.BodyCount);
        Assert.AreEqual(0, body.Body.CentreOfMass.Y, 0.2f);
        Assert.IsTrue(attachment.IsAlive);
        Assert.AreEqual(body.Body.CentreOfMass.X, InWorld(body).Average(v => v.x), 0.05f);
        Assert.AreEqual(2, body.Cut(Middle));
        Play(2);
    }

    [Test]
    public void WhatTheBindingCutsIsShownAtTheNextStep()
    {
        var body = Soft();
        int told = 0;
        body.onFracture.AddListener((old, others) => told += others.Count);
        body.Body.Cut(new Vec3(0.05f, 0, 0), new Vec3(1, 0, 0));
        Play(2);
        Assert.AreEqual(1, told);
    }

    [Test]
    public void FramesWithoutBreaksMakeNoGarbage()
    {
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        material.breakable = true;
        material.toughness = 50;
        var body = Soft(b => b.material = material);
        var bodies = CutInHalf(body).Concat(new[] { body }).ToArray();
        Play(20);
        Assert.AreEqual(0, Garbage(30, body.Home, bodies), "bytes in 30 frames");
    }
}
