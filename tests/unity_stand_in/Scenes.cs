// Stand-in for UnityEngine: scenes that are loaded beside each other, and coroutines.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using StandIn;

namespace UnityEngine
{
    public sealed class Coroutine { }
}

namespace UnityEngine.SceneManagement
{
    public struct Scene : IEquatable<Scene>
    {
        internal readonly int number;
        internal Scene(int number) { this.number = number; }
        public static bool operator ==(Scene a, Scene b) => a.number == b.number;
        public static bool operator !=(Scene a, Scene b) => a.number != b.number;
        public bool Equals(Scene other) => this == other;
        public override bool Equals(object other) => other is Scene && Equals((Scene)other);
        public override int GetHashCode() => number;
    }

    public static class SceneManager
    {
        static readonly Scene first = new Scene(1);
        static Scene active = first;
        static int made = 1;

        public static Scene GetActiveScene() => active;
        public static Scene CreateScene(string name) => new Scene(++made);
        public static void SetActiveScene(Scene scene) => active = scene;

        public static void MoveGameObjectToScene(GameObject moved, Scene to)
        {
            if (moved.transform.parent != null) throw new ArgumentException("only roots move to another scene");
            moved.own = to;
        }

        /// <summary>At once, where Unity takes a while.</summary>
        public static void UnloadSceneAsync(Scene scene)
        {
            if (active == scene) active = first;
            foreach (var o in Stage.Objects.Where(o => o.scene == scene).ToArray()) Stage.Destroy(o);
        }
    }
}

namespace StandIn
{
    /// <summary>Coroutines that wait for the next frame; they end with their object, or when it is switched off.</summary>
    static class Coroutines
    {
        sealed class Running
        {
            public UnityEngine.MonoBehaviour owner;
            public IEnumerator steps;
        }

        static readonly List<Running> all = new List<Running>();

        public static void Start(UnityEngine.MonoBehaviour owner, IEnumerator steps)
        {
            if (!IsOn(owner)) throw new InvalidOperationException("a coroutine needs an object that is active");
            if (steps.MoveNext()) all.Add(new Running { owner = owner, steps = steps });
        }

        public static void Resume()
        {
            foreach (var each in all.ToArray())
                if (!IsOn(each.owner) || !each.steps.MoveNext()) all.Remove(each);
        }

        public static void Clear() => all.Clear();

        static bool IsOn(UnityEngine.MonoBehaviour owner) => owner != null && owner.gameObject.activeInHierarchy;
    }
}
