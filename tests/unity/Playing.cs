// What tests on the stand-in's stage share.

using System.Linq;
using System.Reflection;
using NUnit.Framework;
using StandIn;
using Unity.Collections;
using UnityEngine;
using Wobble;
using Wobble.Unity;

static class Playing
{
    public static void Play(int frames)
    {
        for (int i = 0; i < frames; i++) Stage.Frame();
    }

    /// <summary>A primitive that is soft.</summary>
    public static WobbleBody Soften(PrimitiveType type, Vector3 at, int particles, System.Action<WobbleBody> setUp)
    {
        var made = GameObject.CreatePrimitive(type);
        Object.Destroy(made.GetComponent<UnityEngine.Collider>());
        made.transform.position = at;
        made.SetActive(false);
        var body = made.AddComponent<WobbleBody>();
        body.particles = particles;
        if (setUp != null) setUp(body);
        made.SetActive(true);
        return body;
    }

    public static UnityEngine.Mesh MeshOf(WobbleBody body) => body.GetComponent<MeshFilter>().sharedMesh;

    public static Vector3[] InWorld(WobbleBody body) =>
        MeshOf(body).vertices.Select(v => body.transform.TransformPoint(v)).ToArray();

    public static System.Action Message(object o, string name) => (System.Action)System.Delegate.CreateDelegate(
        typeof(System.Action), o, o.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic));

    /// <summary>Bytes that frames of a world and its bodies allocate.</summary>
    public static long Garbage(int frames, WobbleWorld world, params WobbleBody[] bodies)
    {
        var steps = new[] { Message(world, "FixedUpdate"), Message(world, "Update") };
        var draws = bodies.Select(b => Message(b, "LateUpdate")).ToArray();
        long before = System.GC.GetAllocatedBytesForCurrentThread();
        for (int frame = 0; frame < frames; frame++)
        {
            foreach (var step in steps) step();
            foreach (var draw in draws) draw();
        }
        return System.GC.GetAllocatedBytesForCurrentThread() - before;
    }

    /// <summary>The scene ends without errors, and with it all meshes, worlds and native arrays.</summary>
    public static void EndClean()
    {
        string[] errors = Debug.Errors.ToArray();
        Stage.EndScene();
        Assert.AreEqual(0, Stage.MeshCopies, "meshes left");
        Stage.Clear();
        Assert.AreEqual(0, Library.LiveWorlds, "worlds left");
        Assert.AreEqual(0, NativeArray<Vector3>.Live + NativeArray<Vector4>.Live, "native arrays left");
        CollectionAssert.IsEmpty(errors);
    }
}
