// The scripts of the package with another library than theirs loaded, or none: they must say so, and nothing else.

using System;
using System.Runtime.CompilerServices;
using UnityEngine;
using Wobble.Unity;
using Wobble.Unity.Editor;

static class Outdated
{
    static int Main(string[] arguments)
    {
        // What InitializeOnLoad does.
        RuntimeHelpers.RunClassConstructor(typeof(WobbleLifecycle).TypeHandle);
        var world = new GameObject("world").AddComponent<WobbleWorld>();
        new GameObject("wind").AddComponent<WobbleForceField>();
        for (int i = 0; i < 3; i++) StandIn.Stage.Frame();
        Console.WriteLine(string.Join("\n", Debug.Errors.ToArray()));
        bool told = Debug.Errors.Count == 2 && Debug.Errors.TrueForAll(line => line.Contains(arguments[0]));
        return told && !world.enabled && world.World == null ? 0 : 1;
    }
}
