// Scenes that are loaded beside each other: a world each, and nobody is left without one.

using NUnit.Framework;
using StandIn;
using UnityEngine;
using UnityEngine.SceneManagement;
using Wobble;
using Wobble.Unity;
using static Playing;

[TestFixture]
public class SceneTests
{
    [SetUp]
    public void Begin() => Stage.Clear();

    [TearDown]
    public void End() => EndClean();

    static WobbleBody Soft(Scene scene, Vector3 at) => Soften(PrimitiveType.Cube, at, 150,
        body => SceneManager.MoveGameObjectToScene(body.gameObject, scene));

    static T Made<T>(Scene scene) where T : Component, new()
    {
        var made = new GameObject(typeof(T).Name);
        SceneManager.MoveGameObjectToScene(made, scene);
        return made.AddComponent<T>();
    }

    static void AssertFalls(WobbleBody body)
    {
        Assert.IsTrue(body.IsAlive, "no body");
        float before = body.transform.position.y;
        Play(5);
        Assert.Less(body.transform.position.y, before - 1e-3f);
    }

    [Test]
    public void EachSceneHasAWorldOfItsOwn()
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        WobbleBody a = Soft(one, Vector3.zero), b = Soft(two, Vector3.zero), c = Soft(two, Vector3.one * 3);
        Assert.AreNotSame(a.Home, b.Home);
        Assert.AreSame(b.Home, c.Home);
        Assert.IsTrue(a.Home.gameObject.scene == one);
        Assert.IsTrue(b.Home.gameObject.scene == two);
        var third = SceneManager.CreateScene("three");
        var own = Made<WobbleWorld>(third);
        Assert.AreSame(own, Soft(third, Vector3.zero).Home);
    }

    [Test]
    public void ScenesAreUnloadedInAnyOrder([Values(false, true)] bool lastFirst)
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        SceneManager.SetActiveScene(one);
        WobbleBody a = Soft(one, Vector3.zero), b = Soft(two, Vector3.zero);
        Play(2);
        SceneManager.UnloadSceneAsync(lastFirst ? two : one);
        Play(2);
        AssertFalls(lastFirst ? a : b);
        Assert.AreEqual(1, Library.LiveWorlds);
    }

    [Test]
    public void ABodyWhoseWorldWentWithAnotherSceneJoinsThatOfItsOwn()
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        SceneManager.SetActiveScene(one);
        WobbleBody moved = Soft(one, Vector3.zero), there = Soft(two, Vector3.one * 3);
        Play(2);
        SceneManager.MoveGameObjectToScene(moved.gameObject, two);
        Play(2);
        AssertFalls(moved);
        SceneManager.UnloadSceneAsync(one);
        Play(2);
        Assert.AreSame(there.Home, moved.Home);
        AssertFalls(moved);
    }

    [Test]
    public void WhatIsLeftWithoutAWorldMakesOne()
    {
        var scene = SceneManager.GetActiveScene();
        var body = Soft(scene, Vector3.zero);
        var wind = Made<WobbleForceField>(scene);
        wind.only = body;
        var off = Soft(scene, Vector3.one * 3);
        Play(2);
        off.enabled = false;
        Object.Destroy(body.Home.gameObject);
        Play(2);
        AssertFalls(body);
        Assert.AreSame(body.Home, wind.Home);
        Assert.IsTrue(wind.IsAlive);
        Assert.AreEqual(1, body.Home.World.BodyCount);
        off.enabled = true;
        AssertFalls(off);
        Assert.AreSame(body.Home, off.Home);
    }

    [Test]
    public void APieceWhoseWorldWentBeginsAnewAsThePieceItIs()
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        SceneManager.SetActiveScene(one);
        var body = Soft(one, Vector3.zero);
        Assert.AreEqual(2, body.Cut(new UnityEngine.Plane(Vector3.right, new Vector3(0.05f, 0, 0))));
        int particles = body.Body.ParticleCount;
        SceneManager.MoveGameObjectToScene(body.gameObject, two);
        SceneManager.UnloadSceneAsync(one);
        Play(2);
        AssertFalls(body);
        Assert.AreEqual(particles, body.Body.ParticleCount);
    }

    [Test]
    public void AWorldThatIsSwitchedOffKeepsItsBodies()
    {
        var body = Soft(SceneManager.GetActiveScene(), Vector3.zero);
        var home = body.Home;
        home.enabled = false;
        Play(3);
        Assert.AreSame(home, body.Home);
        Assert.AreEqual(0, Library.LiveWorlds);
        home.enabled = true;
        AssertFalls(body);
    }

    [Test]
    public void WhatActsOnABodyJoinsTheWorldOfThatBody([Values(false, true)] bool worldGoes)
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        var body = Soft(two, Vector3.zero);
        var hook = Made<WobbleAttachment>(one);
        var wind = Made<WobbleForceField>(one);
        Assert.AreNotSame(body.Home, hook.Home);
        hook.target = wind.only = body;
        hook.region.radius = 2;
        if (worldGoes) Object.Destroy(hook.Home.gameObject);
        Play(4);
        Assert.AreSame(body.Home, hook.Home);
        Assert.AreSame(body.Home, wind.Home);
        Assert.IsTrue(hook.IsAlive && wind.IsAlive);
        hook.target = null;
        wind.only = null;
        Play(2);
        Assert.IsFalse(hook.IsAlive);
        Assert.IsTrue(wind.IsAlive);
    }

    [Test]
    public void AWorldThatIsNamedIsJoinedFromAnyScene()
    {
        Scene one = SceneManager.CreateScene("one"), two = SceneManager.CreateScene("two");
        var shared = Made<WobbleWorld>(one);
        var ground = new GameObject("ground");
        SceneManager.MoveGameObjectToScene(ground, one);
        ground.transform.position = new Vector3(0, -1, 0);
        ground.AddComponent<BoxCollider>().size = new Vector3(9, 1, 9);
        ground.AddComponent<WobbleCollider>();
        var body = Soften(PrimitiveType.Cube, Vector3.zero, 150, b =>
        {
            SceneManager.MoveGameObjectToScene(b.gameObject, two);
            b.world = shared;
        });
        Assert.AreSame(shared, body.Home);
        Play(100);
        Assert.AreEqual(-0.5f, body.Body.Bounds.Low.Y, 0.08f);
        SceneManager.UnloadSceneAsync(one);
        Play(2);
        AssertFalls(body);
        Assert.IsTrue(body.Home.gameObject.scene == two);
    }
}
