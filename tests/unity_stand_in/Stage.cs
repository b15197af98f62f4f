// Plays scenes as Unity does: messages in the order of execution, frames of one fixed step each.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using UnityEngine;

namespace StandIn
{
    public static class Stage
    {
        internal static readonly List<GameObject> Objects = new List<GameObject>();
        internal static readonly List<UnityEngine.Object> Assets = new List<UnityEngine.Object>();

        internal static IEnumerable<Component> Components => Objects.SelectMany(o => o.components).ToArray();

        static IEnumerable<MonoBehaviour> Scripts =>
            Components.OfType<MonoBehaviour>().Where(s => s.isOn).OrderBy(s => OrderOf(s.GetType())).ToArray();

        static int OrderOf(Type type) =>
            type.GetCustomAttributes(typeof(DefaultExecutionOrder), true).Cast<DefaultExecutionOrder>().Select(a => a.order).FirstOrDefault();

        /// <summary>Calls a message method, public or not, of the class or one above it.</summary>
        internal static void Send(object receiver, string message)
        {
            const BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            for (var type = receiver.GetType(); type != null; type = type.BaseType)
            {
                var method = type.GetMethod(message, all, null, Type.EmptyTypes, null);
                if (method == null) continue;
                ((Action)Delegate.CreateDelegate(typeof(Action), receiver, method))();
                return;
            }
        }

        internal static void Added(Component component)
        {
            if (component is Behaviour) Reconsider((Behaviour)component);
        }

        internal static void Reconsider(Behaviour behaviour)
        {
            bool on = behaviour.enabled && behaviour.gameObject.activeInHierarchy && !behaviour.isDestroyed;
            var script = behaviour as MonoBehaviour;
            if (on && script != null && !script.isAwake)
            {
                script.isAwake = true;
                Send(script, "Awake");
            }
            if (on == behaviour.isOn) return;
            behaviour.isOn = on;
            Send(behaviour, on ? "OnEnable" : "OnDisable");
        }

        internal static void Destroy(UnityEngine.Object what)
        {
            if (ReferenceEquals(what, null) || what.isDestroyed) return;
            var gameObject = what as GameObject;
            if (!ReferenceEquals(gameObject, null))
            {
                foreach (var component in gameObject.components.ToArray()) Destroy(component);
                Objects.Remove(gameObject);
            }
            var behaviour = what as Behaviour;
            if (!ReferenceEquals(behaviour, null))
            {
                if (behaviour.isOn)
                {
                    behaviour.isOn = false;
                    Send(behaviour, "OnDisable");
                }
                Send(behaviour, "OnDestroy");
            }
            if (what is ScriptableObject) Send(what, "OnDisable");
            what.isDestroyed = true;
            Assets.Remove(what);
        }

        /// <summary>A frame with one fixed step, drawn `late` of a step after it.</summary>
        public static void Frame(float late = 0)
        {
            foreach (var script in Scripts.Where(s => !s.hasStarted))
            {
                script.hasStarted = true;
                Send(script, "Start");
            }
            Time.fixedTime += Time.fixedDeltaTime;
            Time.time = Time.fixedTime;
            foreach (var script in Scripts) Send(script, "FixedUpdate");
            Time.time = Time.fixedTime + late * Time.fixedDeltaTime;
            foreach (var script in Scripts) Send(script, "Update");
            Coroutines.Resume();
            foreach (var script in Scripts) Send(script, "LateUpdate");
            foreach (var script in Scripts) Send(script, "OnGUI");
        }

        /// <summary>Scripts are compiled anew while playing: all is disabled, the domain goes, all is enabled.</summary>
        public static void ReloadAssemblies(Action before)
        {
            var on = Scripts;
            foreach (var script in on)
            {
                script.isOn = false;
                Send(script, "OnDisable");
            }
            before();
            Coroutines.Clear();
            foreach (var script in on) Reconsider(script);
        }

        /// <summary>Ends the scene, in the order the objects were made or the other way round.</summary>
        public static void EndScene(bool lastFirst = false)
        {
            var all = Objects.ToArray();
            foreach (var o in lastFirst ? all.Reverse() : all) Destroy(o);
        }

        /// <summary>Copies of meshes that nobody has destroyed.</summary>
        public static int MeshCopies => Assets.OfType<UnityEngine.Mesh>().Count();

        /// <summary>Ends the scene and all that it left.</summary>
        public static void Clear()
        {
            EndScene();
            foreach (var asset in Assets.ToArray()) Destroy(asset);
            Coroutines.Clear();
            Debug.Errors.Clear();
            Debug.Warnings.Clear();
            Time.time = Time.fixedTime = 0;
        }
    }

    /// <summary>Meshes of Unity's primitives, from the library's solids: 1 m wide, the capsule 2 m high.</summary>
    static class Primitives
    {
        static readonly Dictionary<PrimitiveType, UnityEngine.Mesh> made = new Dictionary<PrimitiveType, UnityEngine.Mesh>();

        public static UnityEngine.Mesh Mesh(PrimitiveType type)
        {
            UnityEngine.Mesh mesh;
            if (made.TryGetValue(type, out mesh)) return mesh;
            var solid = type == PrimitiveType.Cube ? Wobble.Solid.Box(new Wobble.Vec3(1, 1, 1)) :
                type == PrimitiveType.Sphere ? Wobble.Solid.Ball(0.5f) : Wobble.Solid.Capsule(0.5f, 2);
            solid.Cells = 12;
            var source = solid.Mesh();
            mesh = new UnityEngine.Mesh
            {
                name = type.ToString(),
                vertices = Array.ConvertAll(source.Positions, v => new Vector3(v.X, v.Y, v.Z)),
                normals = Array.ConvertAll(source.Normals, v => new Vector3(v.X, v.Y, v.Z)),
                triangles = Array.ConvertAll(source.Indices, i => (int)i),
            };
            // It outlives scenes.
            Stage.Assets.Remove(mesh);
            return made[type] = mesh;
        }
    }
}
