// Listeners that throw and values that cannot be: each stops nobody but itself, and is told.

using System.Linq;
using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using static Playing;

[TestFixture]
public class FaultTests
{
    const string Words = "thrown by a listener";

    [SetUp]
    public void Begin() => Stage.Clear();

    [TearDown]
    public void End() => EndClean();

    static WobbleBody Soft(Vector3 at, System.Action<WobbleBody> setUp = null) =>
        Soften(PrimitiveType.Cube, at, 150, setUp);

    static void Throw() { throw new System.InvalidCastException(Words); }

    /// <summary>That a fault was told, and no other; it is forgiven then.</summary>
    static void AssertTold(string words)
    {
        Assert.Greater(Debug.Errors.Count, 0, "nothing was told");
        Assert.IsTrue(Debug.Errors.All(line => line.Contains(words)), string.Join("\n", Debug.Errors.ToArray()));
        Debug.Errors.Clear();
    }

    static void Ground()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(20, 1, 20);
        ground.AddComponent<WobbleCollider>();
    }

    [Test]
    public void AListenerThatThrowsStopsNobodyElse(
        [Values("contact", "sleep", "wake", "fracture", "break")] string what,
        [Values(WobbleStepping.FixedUpdate, WobbleStepping.Background)] WobbleStepping stepping)
    {
        new GameObject("world").AddComponent<WobbleWorld>().stepping = stepping;
        Ground();
        WobbleBody first = Soft(new Vector3(-2, 0.52f, 0)), second = Soft(new Vector3(2, 0.52f, 0));
        int heard = 0;
        first.onContact.AddListener(c => { if (what == "contact") Throw(); });
        second.onContact.AddListener(c => { if (what == "contact") heard++; });
        first.onSleep.AddListener(() => { if (what == "sleep") Throw(); });
        second.onSleep.AddListener(() => { if (what == "sleep") heard++; });
        first.onWake.AddListener(() => { if (what == "wake") Throw(); });
        second.onWake.AddListener(() => { if (what == "wake") heard++; });
        first.onFracture.AddListener((body, pieces) => Throw());
        second.onFracture.AddListener((body, pieces) => heard++);
        if (what == "break")
        {
            Hook(first).onBreak.AddListener(Throw);
            Hook(second).onBreak.AddListener(() => heard++);
        }
        Play(20);
        foreach (var body in new[] { first, second })
        {
            if (what == "sleep" || what == "wake") body.Body.PutToSleep();
            if (what == "wake") Play(1);
            if (what == "wake") body.Body.Wake();
            if (what == "break") body.Body.ApplyImpulse(new Vec3(0, 1e6f, 0));
            if (what == "fracture") body.Body.Cut(new Vec3(0, 0.55f, 0), new Vec3(0, 1, 0));
        }
        Play(3);
        Assert.Greater(heard, 0);
        AssertTold(Words);
        foreach (var body in new[] { first, second }) body.Body.SetVelocity(new Vec3(0, 3, 0));
        float low = first.transform.position.y, alsoLow = second.transform.position.y;
        Play(5);
        Assert.Greater(first.transform.position.y, low + 0.1f);
        Assert.Greater(second.transform.position.y, alsoLow + 0.1f);
        Debug.Errors.Clear();
    }

    static WobbleAttachment Hook(WobbleBody body)
    {
        var hook = new GameObject("hook");
        hook.transform.position = body.transform.position;
        var made = hook.AddComponent<WobbleAttachment>();
        made.target = body;
        made.region.radius = 0.2f;
        made.breakForce = 1e6f;
        return made;
    }

    [Test]
    public void APartThatThrowsStopsNobodyElse()
    {
        Ground();
        var broken = new GameObject("broken");
        broken.AddComponent<SphereCollider>();
        broken.AddComponent<WobbleCollider>();
        var lost = Soft(new Vector3(5, 3, 0));
        var body = Soft(new Vector3(0, 3, 0));
        Play(1);
        broken.transform.position = lost.transform.position = new Vector3(float.NaN, 0, 0);
        Play(30);
        AssertTold("position");
        Assert.Less(body.transform.position.y, 2);
    }

    [Test]
    public void AFieldThatCannotBeIsToldAndStopsNobody([Values(float.NaN, 0f, -1f, float.PositiveInfinity)] float bad)
    {
        var body = Soft(new Vector3(0, 3, 0));
        var attractor = new GameObject("attractor").AddComponent<WobbleForceField>();
        attractor.kind = FieldKind.Attractor;
        attractor.strength = 0;
        Play(1);
        attractor.radius = bad;
        attractor.drag = attractor.gusts = float.NaN;
        Play(30);
        CollectionAssert.IsEmpty(Debug.Errors);
        Assert.AreEqual(3, Debug.Warnings.Count, "each value once");
        StringAssert.Contains("attractor: radius", Debug.Warnings.First(line => line.Contains("radius")));
        Assert.Less(body.transform.position.y, 2);
        Assert.IsTrue(attractor.IsAlive);
        Assert.IsTrue(attractor.radius > 0 && attractor.radius <= 1e9f);
    }

    [Test]
    public void AMaterialThatCannotBeIsToldAndStopsNobody()
    {
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        WobbleBody one = Soft(new Vector3(0, 3, 0), b => b.material = material), other = Soft(new Vector3(3, 3, 0));
        Play(1);
        material.stiffness = float.NaN;
        material.friction = -1;
        material.plastic = material.breakable = true;
        material.recluster = 0.5f;
        material.smallestPiece = -3;
        material.Touch();
        Play(30);
        CollectionAssert.IsEmpty(Debug.Errors);
        Assert.IsTrue(Debug.Warnings.Any(line => line.Contains("stiffness is NaN")));
        Assert.Less(one.transform.position.y, 2);
        Assert.Less(other.transform.position.y, 2);
        Assert.AreEqual(0, one.Body.Surface.Friction);
        Assert.AreEqual(1.05f, one.Body.Plasticity.Value.Recluster);
        Assert.AreEqual(1, one.Body.Fracture.Value.Smallest);
    }

    [Test]
    public void WorldsCollidersBodiesAndAttachmentsCheckWhatTheyAreGiven()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube).AddComponent<WobbleCollider>();
        ground.friction = float.NaN;
        ground.conveyor = new Vector3(float.NaN, 0, 0);
        ground.Apply();
        var body = Soft(new Vector3(0, 3, 0), b =>
        {
            b.startVelocity = new Vector3(0, float.NaN, 0);
            b.levelWeights = new[] { float.NaN, float.PositiveInfinity };
            b.weighting = WobbleWeighting.ByHand;
            b.density = float.NaN;
            b.particles = -5;
        });
        var hook = new GameObject("hook");
        hook.SetActive(false);
        hook.transform.position = new Vector3(0, 3, 0);
        var attachment = hook.AddComponent<WobbleAttachment>();
        attachment.target = body;
        attachment.hertz = attachment.dampingRatio = attachment.breakForce = float.NaN;
        attachment.region.radius = 2;
        hook.SetActive(true);
        var world = body.Home;
        world.useProjectGravity = false;
        world.gravity = new Vector3(0, float.NaN, 0);
        world.substeps = 0;
        world.threads = -1;
        world.sleepSpeed = world.contactThreshold = world.jumpDistance = float.NaN;
        world.mostFractures = -1;
        world.Apply();
        Play(5);
        CollectionAssert.IsEmpty(Debug.Errors);
        Assert.IsTrue(body.IsAlive && attachment.IsAlive && ground.IsAlive);
        Assert.AreEqual(1, world.World.Substeps);
        Assert.AreEqual(0, world.jumpDistance);
        Assert.IsTrue(Debug.Warnings.Any(line => line.Contains("gravity.y is NaN")));
    }

    [Test]
    public void AWorldWithValuesThatCannotBeBeginsAllTheSame()
    {
        var made = new GameObject("world");
        made.SetActive(false);
        var world = made.AddComponent<WobbleWorld>();
        world.threads = 1000;
        world.substeps = 0;
        world.sleepSpeed = float.NaN;
        made.SetActive(true);
        var body = Soft(new Vector3(0, 3, 0));
        Play(30);
        Assert.Less(body.transform.position.y, 2);
        Assert.AreEqual(3, Debug.Warnings.Count);
    }
}
