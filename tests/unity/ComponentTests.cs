// Every component by itself, the inspectors and the samples.

using System.Linq;
using NUnit.Framework;
using StandIn;
using UnityEditor;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using Wobble.Unity.Editor;

[TestFixture]
public class ComponentTests
{
    [SetUp]
    public void Begin()
    {
        Stage.Clear();
        EditorGUILayout.Help.Clear();
        Undo.Records.Clear();
        GUILayout.Slide = float.NaN;
        GUILayout.Press = EditorUtility.Cancel = false;
    }

    [TearDown]
    public void End()
    {
        Stage.Clear();
        Assert.AreEqual(0, Library.LiveWorlds);
    }

    static void Play(int frames)
    {
        for (int i = 0; i < frames; i++) Stage.Frame();
    }

    static WobbleBody Soft(Vector3 at, System.Action<WobbleBody> setUp = null)
    {
        var made = GameObject.CreatePrimitive(PrimitiveType.Cube);
        Object.Destroy(made.GetComponent<UnityEngine.Collider>());
        made.transform.position = at;
        made.SetActive(false);
        var body = made.AddComponent<WobbleBody>();
        body.particles = 150;
        if (setUp != null) setUp(body);
        made.SetActive(true);
        return body;
    }

    static WobbleShapeAsset Asset()
    {
        var asset = ScriptableObject.CreateInstance<WobbleShapeAsset>();
        asset.mesh = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh;
        asset.particles = 150;
        return asset;
    }

    [Test]
    public void CollidersOfAllKindsCarryABody([Values("box", "sphere", "capsule", "hull", "mesh", "terrain")] string kind)
    {
        var ground = new GameObject(kind);
        ground.transform.localScale = Vector3.one;
        float top = 0;
        var cube = GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh;
        if (kind == "box") { ground.AddComponent<BoxCollider>().size = new Vector3(9, 2, 9); top = 1; }
        if (kind == "sphere")
        {
            var sphere = ground.AddComponent<SphereCollider>();
            sphere.radius = 50;
            sphere.center = new Vector3(0, -50, 0);
        }
        if (kind == "capsule")
        {
            var capsule = ground.AddComponent<CapsuleCollider>();
            capsule.radius = 50;
            capsule.height = 200;
            capsule.direction = 0;
            capsule.center = new Vector3(0, -50, 0);
        }
        if (kind == "hull" || kind == "mesh")
        {
            ground.transform.localScale = new Vector3(9, 1, 9);
            var mesh = ground.AddComponent<MeshCollider>();
            mesh.sharedMesh = cube;
            mesh.convex = kind == "hull";
            top = 0.5f;
        }
        if (kind == "terrain")
        {
            ground.transform.position = new Vector3(-5, 0, -5);
            ground.AddComponent<TerrainCollider>().terrainData = new TerrainData { height = (x, z) => 0.5f };
            top = 0.5f;
        }
        ground.AddComponent<WobbleCollider>();
        var body = Soft(new Vector3(0, top + 1, 0));
        Play(100);
        CollectionAssert.IsEmpty(Debug.Errors);
        Assert.AreEqual(top, body.Body.Bounds.Low.Y, 0.08f);
    }

    [Test]
    public void ARigidBodyIsPushedByTheWeightOfWhatLiesOnIt()
    {
        var box = GameObject.CreatePrimitive(PrimitiveType.Cube);
        box.transform.localScale = new Vector3(3, 1, 3);
        var rigid = box.AddComponent<Rigidbody>();
        box.AddComponent<WobbleCollider>();
        var body = Soft(new Vector3(0, 1.02f, 0), b => b.canSleep = false);
        Play(150);
        rigid.pushed = Vector3.zero;
        Play(50);
        float weight = 9.81f * body.Body.GetShape().Mass;
        Assert.AreEqual(-weight, rigid.pushed.y, 0.05f * weight, "N s in a second");
    }

    [Test]
    public void AMovedColliderTakesBodiesAlong()
    {
        var lift = GameObject.CreatePrimitive(PrimitiveType.Cube);
        lift.transform.localScale = new Vector3(3, 1, 3);
        lift.AddComponent<WobbleCollider>();
        var body = Soft(new Vector3(0, 1.01f, 0));
        for (int i = 0; i < 100; i++)
        {
            lift.transform.position += new Vector3(0, 0.01f, 0);
            Stage.Frame();
        }
        Assert.AreEqual(1.5f, body.Body.Bounds.Low.Y, 0.08f);
    }

    [Test]
    public void WhatCannotBeIsToldAndLeftOut()
    {
        new GameObject("bare").AddComponent<WobbleCollider>();
        StringAssert.Contains("there is no Collider", Debug.Errors.Last());
        var wheel = new GameObject("wheel");
        wheel.AddComponent<WheelCollider>();
        wheel.AddComponent<WobbleCollider>();
        StringAssert.Contains("WheelCollider is not mirrored", Debug.Errors.Last());
        var empty = Soft(Vector3.zero, b => b.GetComponent<MeshFilter>().sharedMesh = null);
        StringAssert.Contains("no mesh to fill", Debug.Errors.Last());
        Soft(Vector3.zero, b => b.transform.localScale = new Vector3(-1, 1, 1));
        StringAssert.Contains("mirrored", Debug.Errors.Last());
        Play(3);
        Assert.IsFalse(empty.IsAlive);
        Assert.AreEqual(4, Debug.Errors.Count);
    }

    [Test]
    public void PinsHoldToTransformsAndPaint()
    {
        var hook = new GameObject("hook");
        hook.transform.position = new Vector3(0, 0.5f, 0);
        var hung = Soft(Vector3.zero, b => b.pins.Add(new WobblePin
        {
            frame = hook.transform,
            region = new WobbleRegion { kind = WobbleRegionKind.Box, size = new Vector3(2, 0.2f, 2) },
        }));
        var mesh = Object.Instantiate(GameObject.CreatePrimitive(PrimitiveType.Cube).GetComponent<MeshFilter>().sharedMesh);
        mesh.colors = mesh.vertices.Select(v => new Color(v.y > 0.4f ? 1 : 0, 0, 0)).ToArray();
        var painted = Soft(new Vector3(5, 0, 0), b =>
        {
            b.GetComponent<MeshFilter>().sharedMesh = mesh;
            b.pinnedBy = WobblePinChannel.Red;
        });
        Play(60);
        Assert.Greater(painted.Body.PinCount, 0);
        Assert.AreEqual(0.5f, hung.Body.Bounds.High.Y, 0.05f);
        Assert.AreEqual(0.5f, painted.Body.Bounds.High.Y, 0.05f);
        hook.transform.position = new Vector3(0, 1.5f, 0);
        painted.transform.position = new Vector3(5, 1, 0);
        Play(60);
        Assert.AreEqual(1.5f, hung.Body.Bounds.High.Y, 0.1f);
        Assert.AreEqual(1.5f, painted.Body.Bounds.High.Y, 0.1f);
    }

    [Test]
    public void AnAttachmentHoldsPullsAndBreaks()
    {
        var body = Soft(Vector3.zero);
        var hook = new GameObject("hook");
        hook.transform.position = new Vector3(0, 0.5f, 0);
        hook.SetActive(false);
        var rigid = hook.AddComponent<Rigidbody>();
        var attachment = hook.AddComponent<WobbleAttachment>();
        attachment.target = body;
        attachment.hertz = 4;
        attachment.breakForce = 1e6f;
        bool broke = false;
        attachment.onBreak.AddListener(() => broke = true);
        hook.SetActive(true);
        Play(100);
        Assert.IsTrue(attachment.IsAlive);
        Assert.Less(rigid.pushed.y, -1000);
        Assert.Greater(body.Body.Bounds.High.Y, -1);
        body.Body.ApplyImpulse(new Vec3(0, -1e6f, 0));
        Play(5);
        Assert.IsTrue(broke);
        Assert.IsFalse(attachment.IsAlive);
    }

    [Test]
    public void FieldsBlowAttractAndFloat()
    {
        var body = Soft(new Vector3(0, 0, 0));
        var water = new GameObject("water").AddComponent<WobbleForceField>();
        water.kind = FieldKind.Buoyancy;
        water.speed = 0;
        water.drag = 2;
        Play(200);
        Assert.AreEqual(0, body.Body.CentreOfMass.Y, 0.2f);
        var wind = new GameObject("wind").AddComponent<WobbleForceField>();
        wind.only = body;
        wind.enabled = false;
        wind.enabled = true;
        Play(20);
        Assert.Greater(body.Body.Momentum.Z, 100);
        water.enabled = false;
        Play(50);
        Assert.Less(body.Body.CentreOfMass.Y, -1);
    }

    [Test]
    public void AMaterialThatChangesShowsAtOnce()
    {
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        var body = Soft(Vector3.zero, b => b.material = material);
        Assert.AreEqual(40, body.Body.Material.Stiffness);
        material.stiffness = 7;
        material.friction = 0.1f;
        material.Touch();
        Play(1);
        Assert.AreEqual(7, body.Body.Material.Stiffness);
        Assert.AreEqual(0.1f, body.Body.Surface.Friction);
        Assert.IsFalse(body.Body.Plasticity.HasValue);
        material.plastic = true;
        material.yieldStrain = 0.2f;
        material.Touch();
        Play(1);
        Assert.AreEqual(0.2f, body.Body.Plasticity.Value.YieldStrain);
        foreach (WobbleSubstance each in System.Enum.GetValues(typeof(WobbleSubstance)))
        {
            material.substance = each;
            material.Touch();
            Play(1);
            if (each == WobbleSubstance.Gummy)
                Assert.AreEqual(Wobble.Material.Named("gummy").Stiffness, body.Body.Material.Stiffness);
        }
        CollectionAssert.IsEmpty(Debug.Errors);
    }

    [Test]
    public void WeightingsAreHandedOver()
    {
        var body = Soft(Vector3.zero);
        int levels = body.Body.LevelCount;
        foreach (WobbleWeighting each in System.Enum.GetValues(typeof(WobbleWeighting)))
        {
            body.weighting = each;
            body.levelWeights = new[] { 1f };
            body.Apply();
            if (each == WobbleWeighting.Uniform) Assert.AreEqual(1f / levels, body.Body.GetLevelWeight(0), 1e-5f);
            if (each == WobbleWeighting.GaussianCoarse)
                Assert.Greater(body.Body.GetLevelWeight(levels - 1), body.Body.GetLevelWeight(0));
        }
        Assert.AreEqual(1, body.Body.GetLevelWeight(0), 1e-5f);
    }

    [Test]
    public void ABakedShapeIsSharedAndMatchesItsMesh()
    {
        var asset = Asset();
        Assert.IsNull(asset.Shape);
        asset.Bake();
        WobbleBody one = Soft(Vector3.zero, b => b.shapeAsset = asset), two = Soft(new Vector3(3, 0, 0), b => b.shapeAsset = asset);
        Play(2);
        Assert.AreEqual(1, (int)one.Home.World.Statistics.Shapes);
        Assert.AreEqual(asset.Shape.Fingerprint, two.Body.GetShape().Fingerprint);
        var ball = GameObject.CreatePrimitive(PrimitiveType.Sphere);
        ball.SetActive(false);
        ball.AddComponent<WobbleBody>().shapeAsset = asset;
        ball.SetActive(true);
        StringAssert.Contains("must be the one of its shape", Debug.Errors.Single());
    }

    [Test]
    public void BakingShowsProgressAndCanBeCancelled()
    {
        var asset = Asset();
        EditorUtility.Cancel = true;
        Assert.IsFalse(WobbleShapeAssetEditor.Bake(asset));
        Assert.IsFalse(asset.IsBaked);
        Assert.IsFalse(EditorUtility.IsShowing);
        EditorUtility.Cancel = false;
        GUILayout.Press = true;
        new WobbleShapeAssetEditor { targets = new Object[] { asset } }.OnInspectorGUI();
        Assert.IsTrue(asset.IsBaked);
        Assert.Greater(EditorUtility.Shown, 0);
        Assert.IsFalse(EditorUtility.IsShowing);
        CollectionAssert.Contains(Undo.Records, "Bake Wobble Shape");
        new WobbleShapeAssetEditor { targets = new Object[] { asset } }.OnInspectorGUI();
        StringAssert.Contains("particles", EditorGUILayout.Labels.Last());
        asset.mesh = null;
        Assert.IsFalse(WobbleShapeAssetEditor.Bake(asset));
        StringAssert.Contains("could not be baked", Debug.Errors.Single());
        Assert.IsTrue(asset.IsBaked);
    }

    [Test]
    public void TheEqualiserSetsTheLevelsOfAllSelectedBodies()
    {
        WobbleBody one = Soft(Vector3.zero), two = Soft(new Vector3(3, 0, 0));
        one.weighting = two.weighting = WobbleWeighting.ByHand;
        two.levelWeights = new float[] { 0.25f };
        GUILayout.Slide = 0.5f;
        var editor = new WobbleBodyEditor { targets = new Object[] { one, two } };
        editor.OnInspectorGUI();
        int levels = one.Body.LevelCount;
        CollectionAssert.AreEqual(Enumerable.Repeat(0.5f, levels), one.levelWeights);
        CollectionAssert.AreEqual(one.levelWeights, two.levelWeights);
        Assert.AreEqual(1f / levels, two.Body.GetLevelWeight(0), 1e-5f);
        CollectionAssert.Contains(Undo.Records, "Inspector");
    }

    [Test]
    public void InspectorsWarn()
    {
        var body = Soft(Vector3.zero);
        var editor = new WobbleBodyEditor { targets = new Object[] { body } };
        editor.OnInspectorGUI();
        CollectionAssert.IsEmpty(EditorGUILayout.Help);
        body.transform.localScale = new Vector3(1, 2, 1);
        body.GetComponent<MeshFilter>().sharedMesh.isReadable = false;
        editor.OnInspectorGUI();
        StringAssert.Contains("Read/Write", EditorGUILayout.Help[0]);
        StringAssert.Contains("differs along the axes", EditorGUILayout.Help[1]);
        body.shapeAsset = Asset();
        EditorGUILayout.Help.Clear();
        editor.OnInspectorGUI();
        Assert.IsTrue(EditorGUILayout.Help.Any(line => line.Contains("not baked")));
        Assert.IsTrue(EditorGUILayout.Help.Any(line => line.Contains("the object (1, 2, 1)")));
        EditorGUILayout.Help.Clear();
        new WobbleColliderEditor { targets = new Object[] { new GameObject("x").AddComponent<WobbleCollider>() } }.OnInspectorGUI();
        StringAssert.Contains("no Collider", EditorGUILayout.Help.Single());
        new WobbleWorldEditor { targets = new Object[] { body.Home } }.OnInspectorGUI();
        Assert.IsTrue(EditorGUILayout.Labels.Any(line => line.StartsWith("Bodies: 1")));
        WobbleLifecycle.Check();
        body.GetComponent<MeshFilter>().sharedMesh.isReadable = true;
    }

    [Test]
    public void GizmosAreDrawn()
    {
        var asset = Asset();
        asset.Bake();
        var body = Soft(Vector3.zero, b => b.shapeAsset = asset);
        body.pins.Add(new WobblePin { frame = body.transform });
        EditorGUILayout.Toggled = true;
        WobbleGizmos.Settings();
        Gizmos.Drawn = 0;
        WobbleGizmos.Draw(body, GizmoType.Selected);
        int expected = 1 + body.Body.ParticleCount + (int)asset.Shape.LevelReport(0).Clusters;
        Assert.AreEqual(expected, Gizmos.Drawn);
        body.enabled = false;
        Gizmos.Drawn = 0;
        WobbleGizmos.Draw(body, GizmoType.Selected);
        Assert.AreEqual(1 + asset.Shape.ParticleCount, Gizmos.Drawn);
        var attachment = new GameObject("hook").AddComponent<WobbleAttachment>();
        attachment.region.kind = WobbleRegionKind.Box;
        Gizmos.Drawn = 0;
        WobbleGizmos.Draw(attachment, GizmoType.Selected);
        Assert.AreEqual(1, Gizmos.Drawn);
    }

    [Test]
    public void TheSamplesPlay()
    {
        new GameObject("jelly").AddComponent<JellyDrop>().particles = 150;
        Play(60);
        Stage.Clear();
        var pile = new GameObject("pile").AddComponent<Pile>();
        pile.count = 5;
        pile.particles = 60;
        Play(60);
        Stage.Clear();
        var plinko = new GameObject("plinko").AddComponent<Plinko>();
        plinko.rows = 3;
        plinko.mostBalls = 2;
        Play(200);
        Assert.Greater(plinko.Hits, 0);
        Stage.Clear();
        new GameObject("soft on rigid").AddComponent<SoftOnRigid>();
        Play(60);
        CollectionAssert.IsEmpty(Debug.Errors);
    }
}
