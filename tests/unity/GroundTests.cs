// What Unity's colliders are to bodies: meshes, slow turns, jumps.

using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using static Playing;

[TestFixture]
public class GroundTests
{
    [SetUp]
    public void Begin() => Stage.Clear();

    [TearDown]
    public void End() => EndClean();

    static WobbleBody Soft(Vector3 at, System.Action<WobbleBody> setUp = null) =>
        Soften(PrimitiveType.Cube, at, 150, setUp);

    static WobbleCollider Triangles(UnityEngine.Mesh mesh, Vector3 scale, bool convex, bool solid)
    {
        var made = new GameObject(mesh.name);
        made.transform.localScale = scale;
        var collider = made.AddComponent<MeshCollider>();
        collider.sharedMesh = mesh;
        collider.convex = convex;
        made.SetActive(false);
        var mirror = made.AddComponent<WobbleCollider>();
        mirror.solid = solid;
        made.SetActive(true);
        return mirror;
    }

    static UnityEngine.Mesh PrimitiveMesh(PrimitiveType type)
    {
        var made = GameObject.CreatePrimitive(type);
        var mesh = made.GetComponent<MeshFilter>().sharedMesh;
        Object.Destroy(made);
        return mesh;
    }

    static WobbleCollider Platform(float width)
    {
        var platform = GameObject.CreatePrimitive(PrimitiveType.Cube);
        platform.transform.position = new Vector3(0, -0.5f, 0);
        platform.transform.localScale = new Vector3(width, 1, width);
        return platform.AddComponent<WobbleCollider>();
    }

    static float Speed(WobbleBody body)
    {
        using (var shape = body.Body.GetShape()) return body.Body.Momentum.ToUnity().magnitude / shape.Mass;
    }

    [Test]
    public void ABodyInAClosedRoomLandsOnItsFloor()
    {
        var room = Triangles(PrimitiveMesh(PrimitiveType.Cube), Vector3.one * 6, false, false);
        var body = Soft(new Vector3(0, -1, 0));
        Play(100);
        Assert.AreEqual(-3, body.Body.Bounds.Low.Y, 0.08f);
        Assert.AreEqual(0, body.Body.CentreOfMass.X, 0.3f);
        Assert.IsFalse(room.Native.IsSolid);
    }

    [Test]
    public void AClosedMeshIsSolidByChoice()
    {
        var rock = Triangles(PrimitiveMesh(PrimitiveType.Cube), new Vector3(6, 1, 6), false, true);
        Assert.IsTrue(rock.Native.IsSolid);
        var body = Soft(new Vector3(0, 1.1f, 0));
        Play(100);
        Assert.AreEqual(0.5f, body.Body.Bounds.Low.Y, 0.08f);
    }

    /// <summary>An open bowl of 41 x 41 points: its hull is closed by a lid at the height of its corners.</summary>
    [Test]
    public void AConvexMeshOfManyPointsIsItsHull()
    {
        var places = Enumerable.Range(0, 41 * 41).Select(i => new Vector3(i % 41 / 20f - 1, 0, i / 41 / 20f - 1));
        var mesh = new UnityEngine.Mesh { name = "bowl" };
        mesh.vertices = places.Select(p => new Vector3(p.x, 0.5f * p.sqrMagnitude, p.z)).ToArray();
        mesh.triangles = Enumerable.Range(0, 40 * 40).Select(i => i / 40 * 41 + i % 40)
            .SelectMany(i => new[] { i, i + 41, i + 1, i + 1, i + 41, i + 42 }).ToArray();
        var bowl = Triangles(mesh, Vector3.one * 3, true, false);
        Assert.AreEqual((uint)ColliderKind.Hull, bowl.Native.Definition.Kind);
        var body = Soft(new Vector3(0, 4, 0));
        Play(100);
        Assert.AreEqual(3, body.Body.Bounds.Low.Y, 0.08f);
        Object.Destroy(mesh);
    }

    [Test]
    public void AHullOfManyPointsKeepsItsForm([Values(1f, 100f)] float length)
    {
        const int count = 5000;
        var mesh = new UnityEngine.Mesh { name = "ball" };
        var turn = Mathf.PI * (3 - Mathf.Sqrt(5));
        var places = mesh.vertices = Enumerable.Range(0, count).Select(i =>
        {
            float y = 1 - (2 * i + 1f) / count, around = Mathf.Sqrt(1 - y * y);
            return new Vector3(around * Mathf.Cos(turn * i), y, around * Mathf.Sin(turn * i));
        }).ToArray();
        mesh.triangles = new[] { 0, 1, 2 };
        var ball = Triangles(mesh, new Vector3(length, 1, 1), true, false);
        for (int i = 0; i < count; i += 7)
        {
            var place = places[i];
            var from = new Vec3(3 * length * place.x, 3 * place.y, 3 * place.z);
            var hit = ball.Home.World.CastRay(from, new Vec3(-from.X, -from.Y, -from.Z), 4 * length);
            var at = new Vector3(hit.Point.X / length, hit.Point.Y, hit.Point.Z);
            Assert.AreEqual(1, at.magnitude, 0.005f);
        }
        Object.Destroy(mesh);
    }

    [Test]
    public void ASlowlyTiltingPlatformLiftsABodyAndDoesNotThrowIt()
    {
        const float degrees = 0.5f, arm = 10;
        var platform = Platform(30);
        var body = Soft(new Vector3(arm, 0.5f, 0), b => b.canSleep = false);
        Play(100);
        float fastest = 0, lift = degrees * Mathf.PI / 180 * arm;
        for (int i = 1; i <= 200; i++)
        {
            platform.transform.rotation = Quaternion.Euler(0, 0, degrees * i * Time.fixedDeltaTime);
            Play(1);
            fastest = Mathf.Max(fastest, Speed(body));
        }
        Assert.AreEqual(lift * 200 * Time.fixedDeltaTime, body.Body.Bounds.Low.Y, 0.1f);
        Assert.Less(fastest, 2 * lift);
    }

    [Test]
    public void PaintedPinsTurnAsSlowlyAsTheirTransform()
    {
        var mesh = Object.Instantiate(PrimitiveMesh(PrimitiveType.Cube));
        mesh.colors = mesh.vertices.Select(v => new Color(v.y > 0.4f ? 1 : 0, 0, 0)).ToArray();
        var body = Soft(Vector3.zero, b =>
        {
            b.GetComponent<MeshFilter>().sharedMesh = mesh;
            b.pinnedBy = WobblePinChannel.Red;
        });
        int pin = Enumerable.Range(0, body.Body.ParticleCount).Where(body.Body.IsPinned)
            .OrderBy(i => body.Body.PositionOf(i).ToUnity().magnitude).Last();
        var at = body.Body.PositionOf(pin).ToUnity();
        for (int i = 1; i <= 100; i++)
        {
            body.transform.rotation = Quaternion.Euler(0, 0.5f * i * Time.fixedDeltaTime, 0);
            Play(1);
            var off = body.Body.PositionOf(pin).ToUnity() - body.transform.rotation * at;
            Assert.Less(off.magnitude, 1e-5f, "metres behind in frame " + i);
        }
        Object.Destroy(mesh);
    }

    [Test]
    public void GroundAndBodyThatJumpTogetherStayTogether([Values(10f, 1000f)] float far)
    {
        var platform = Platform(10);
        var body = Soft(new Vector3(0, 0.5f, 0));
        Play(100);
        var jump = new Vector3(far, 0, far);
        platform.transform.position += jump;
        body.transform.position += jump;
        float fastest = 0;
        for (int i = 0; i < 50; i++)
        {
            Play(1);
            fastest = Mathf.Max(fastest, Speed(body));
        }
        Assert.Less(fastest, 0.5f);
        Assert.AreEqual(far, body.Body.CentreOfMass.X, 0.1f);
        Assert.AreEqual(0, body.Body.Bounds.Low.Y, 0.08f);
    }

    [Test]
    public void AColliderPushesWhatIsOnItsWayUnlessItJumps([Values("moves", "jumps", "teleports", "never jumps")] string how)
    {
        var body = Soft(Vector3.zero);
        body.Home.useProjectGravity = false;
        body.Home.gravity = Vector3.zero;
        if (how == "never jumps") body.Home.jumpDistance = 0;
        body.Home.Apply();
        float way = how == "moves" || how == "teleports" ? 1.8f : 20;
        var wall = GameObject.CreatePrimitive(PrimitiveType.Cube);
        wall.transform.localScale = new Vector3(0.5f, 5, 5);
        wall.transform.position = new Vector3(-way / 2, 0, 0);
        var mirror = wall.AddComponent<WobbleCollider>();
        // It holds for the next step alone.
        mirror.Teleport();
        Play(1);
        wall.transform.position = new Vector3(way / 2, 0, 0);
        if (how == "teleports") mirror.Teleport();
        Play(1);
        bool pushed = how == "moves" || how == "never jumps";
        Assert.AreEqual(pushed, Speed(body) > 1, "speed " + Speed(body));
        Assert.AreEqual(way / 2, mirror.Native.Pose.Position.X, 1e-4f);
        wall.transform.position += new Vector3(1, 0, 0);
        Play(1);
        Assert.AreEqual(way / 2 + 1, mirror.Native.Pose.Position.X, 1e-4f);
    }

    /// <summary>Two regions of a body are held, by attachments or by pins, as a character holds a bag.</summary>
    [Test]
    public void ABodyThatIsHeldGoesAlongWhereItsHoldersJump(
        [Values("attachments", "pins")] string by, [Values(1.5f, 1000f)] float far, [Values(false, true)] bool bodyToo)
    {
        var hands = new[] { new GameObject("left"), new GameObject("right") };
        for (int i = 0; i < 2; i++) hands[i].transform.position = new Vector3(i - 0.5f, 0, 0);
        var region = new WobbleRegion { radius = 0.4f };
        var holders = new List<WobbleAttachment>();
        // One that is asked for its move before the body is, and one after it.
        if (by == "attachments") holders.Add(hands[0].AddComponent<WobbleAttachment>());
        var body = Soft(Vector3.zero, b =>
        {
            if (by == "pins") b.pins.AddRange(hands.Select(hand => new WobblePin { frame = hand.transform, region = region }));
        });
        if (by == "attachments") holders.Add(hands[1].AddComponent<WobbleAttachment>());
        foreach (var holder in holders)
        {
            holder.target = body;
            holder.region = region;
        }
        Play(100);
        var hangs = body.Body.CentreOfMass.ToUnity();
        var jump = new Vector3(far, 0, far);
        foreach (var hand in hands) hand.transform.position += jump;
        if (bodyToo) body.transform.position += jump;
        if (far < 2) foreach (var holder in holders) holder.Teleport();
        if (far < 2) body.Teleport();
        float fastest = 0;
        for (int i = 0; i < 50; i++)
        {
            Play(1);
            fastest = Mathf.Max(fastest, Speed(body));
        }
        Assert.Less(fastest, 0.5f);
        Assert.AreEqual(0, (body.Body.CentreOfMass.ToUnity() - hangs - jump).magnitude, 0.01f);
        Assert.AreEqual(0, (body.transform.position - jump).magnitude, 0.3f);
    }

    [Test]
    public void PaintedPinsJumpWithTheirBody()
    {
        var mesh = Object.Instantiate(PrimitiveMesh(PrimitiveType.Cube));
        mesh.colors = mesh.vertices.Select(v => new Color(v.y > 0.4f ? 1 : 0, 0, 0)).ToArray();
        var body = Soft(Vector3.zero, b =>
        {
            b.GetComponent<MeshFilter>().sharedMesh = mesh;
            b.pinnedBy = WobblePinChannel.Red;
        });
        Play(100);
        body.transform.position = new Vector3(1000, 0, 0);
        float fastest = 0;
        for (int i = 0; i < 50; i++)
        {
            Play(1);
            fastest = Mathf.Max(fastest, Speed(body));
        }
        Assert.Less(fastest, 0.5f);
        Assert.AreEqual(1000, body.Body.CentreOfMass.X, 0.1f);
        Object.Destroy(mesh);
    }
}
