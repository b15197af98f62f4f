// The world of a scene: when it steps, and who hears of what happened.

using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Wobble.Unity
{
    /// <summary>When a world steps.</summary>
    public enum WobbleStepping
    {
        /// <summary>In FixedUpdate, which waits for it.</summary>
        FixedUpdate,
        /// <summary>From FixedUpdate to Update, beside Unity's own physics.</summary>
        Background,
    }

    /// <summary>
    /// Steps all soft bodies of a scene. One is made for a scene that has none; bodies of different worlds do not meet.
    /// Steps come after the FixedUpdate of other scripts, so that these may still change things.
    /// </summary>
    [DefaultExecutionOrder(1000)]
    [DisallowMultipleComponent]
    [AddComponentMenu("Wobble/Wobble World")]
    public sealed unsafe partial class WobbleWorld : MonoBehaviour
    {
        [Tooltip("Background steps beside Unity's own physics and is waited for in Update.")]
        public WobbleStepping stepping = WobbleStepping.FixedUpdate;
        [Tooltip("Draw between the last two steps, a step late but smooth.")]
        public bool interpolate = true;
        [Tooltip("Take gravity from the project's physics settings.")]
        public bool useProjectGravity = true;
        public Vector3 gravity = new Vector3(0, -9.81f, 0);
        [Range(1, 64), Tooltip("Parts of a step. More is stiffer and costs as much more.")]
        public int substeps = 4;
        [Range(0, 64), Tooltip("0 takes all cores. Results do not depend on it.")]
        public int threads = 0;
        public bool bodiesMeet = true;
        public bool sleeping = true;
        [Tooltip("What counts as rest for a body of 1 m, m/s.")]
        public float sleepSpeed = 0.03f;
        [Tooltip("Contacts that press less, N s in a step, are not told.")]
        public float contactThreshold = 0;
        [Range(0, 1000), Tooltip("Cracks that open in a step; the others wait for the next.")]
        public int mostFractures = 16;
        [Min(0), Tooltip("Metres. A collider, attachment or pin that moves farther than this between two steps jumps there: it pushes and pulls nothing on its way. 0 for never.")]
        public float jumpDistance = 2;

        static readonly List<WobbleWorld> all = new List<WobbleWorld>();

        readonly List<WobblePart> parts = new List<WobblePart>();
        readonly Dictionary<ulong, WobbleBody> bodies = new Dictionary<ulong, WobbleBody>();
        readonly Dictionary<ulong, WobbleCollider> colliders = new Dictionary<ulong, WobbleCollider>();
        Contact[] contacts = new Contact[64];
        BodyHandle[] handles = new BodyHandle[16];
        World world;
        bool isStepping;

        /// <summary>The native world, after waiting for a step in the background; null while disabled.</summary>
        public World World
        {
            get
            {
                Finish();
                return world != null && !world.IsDisposed ? world : null;
            }
        }

        /// <summary>Where between the last two steps to draw: 1 is now.</summary>
        public float Fraction
        {
            get
            {
                if (!interpolate || Time.fixedDeltaTime <= 0) return 1;
                return Mathf.Clamp01((Time.time - Time.fixedTime) / Time.fixedDeltaTime);
            }
        }

        /// <summary>The world above a component in the hierarchy, or the first of its scene, or a new one there.</summary>
        public static WobbleWorld For(Component component)
        {
            var above = component.GetComponentInParent<WobbleWorld>();
            if (above != null) return above;
            var scene = component.gameObject.scene;
            foreach (var each in all) if (each.gameObject.scene == scene) return each;
            // One that is in the scene, but was not enabled yet.
#if UNITY_2023_1_OR_NEWER
            var found = FindObjectsByType<WobbleWorld>(FindObjectsSortMode.InstanceID);
#else
            var found = FindObjectsOfType<WobbleWorld>();
#endif
            foreach (var each in found) if (each.gameObject.scene == scene) return each;
            var made = new GameObject("Wobble World");
            SceneManager.MoveGameObjectToScene(made, scene);
            return made.AddComponent<WobbleWorld>();
        }

        /// <summary>With domain reload off, statics live on: nothing of the last time may be left.</summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        static void Forget()
        {
            Library.Shutdown();
            all.Clear();
        }

        void OnEnable()
        {
            all.Add(this);
            Check();
            try
            {
                Library.CheckAbi();
                var def = WorldDef.Default;
                def.Threads = (uint)threads;
                world = new World(def);
            }
            // The latter if the library is missing, or so old that it lacks a function.
            catch (Exception exception) when (exception is WobbleException || exception is TypeLoadException)
            {
                Debug.LogError(Words(exception), this);
                enabled = false;
                return;
            }
            Library.Log = Tell;
            Apply();
            for (int i = 0; i < parts.Count; i++) Join(parts[i]);
        }

        void OnDisable()
        {
            all.Remove(this);
            if (world == null) return;
            // What a step in the background did is of no use any more; the end of the world waits for it.
            isStepping = false;
            for (int i = parts.Count - 1; i >= 0; i--) parts[i].Leave();
            bodies.Clear();
            colliders.Clear();
            world.Dispose();
            world = null;
            partsTold = 0;
        }

        void OnDestroy()
        {
            for (int i = 0; i < parts.Count; i++) parts[i].Orphan();
            parts.Clear();
        }

        void OnValidate()
        {
            Check();
            if (world != null && Application.isPlaying) Apply();
        }

        void Check()
        {
            WobbleRange.Keep(ref gravity, nameof(gravity), this);
            WobbleRange.Keep(ref substeps, 1, 64, nameof(substeps), this);
            WobbleRange.Keep(ref threads, 0, 256, nameof(threads), this);
            WobbleRange.Keep(ref sleepSpeed, 0, 1e6f, nameof(sleepSpeed), this);
            WobbleRange.Keep(ref contactThreshold, 0, 1e9f, nameof(contactThreshold), this);
            WobbleRange.Keep(ref mostFractures, 0, 1000, nameof(mostFractures), this);
            WobbleRange.Keep(ref jumpDistance, 0, float.PositiveInfinity, nameof(jumpDistance), this);
        }

        /// <summary>Hands all settings over; to be called after changing them from a script.</summary>
        public void Apply()
        {
            Check();
            if (World == null) return;
            world.Gravity = (useProjectGravity ? Physics.gravity : gravity).ToWobble();
            world.Substeps = substeps;
            if (threads != 0) world.Threads = threads;
            world.BodiesMeet = bodiesMeet;
            world.Sleeping = new Sleeping { Enabled = sleeping, Speed = sleepSpeed };
            world.ContactReporting = new ContactReporting { Threshold = contactThreshold, Most = 4096 };
            world.MostFractures = mostFractures;
        }

        void FixedUpdate()
        {
            if (World == null) return;
            if (useProjectGravity && world.Gravity.ToUnity() != Physics.gravity) world.Gravity = Physics.gravity.ToWobble();
            // What scripts cut by the binding since the last step.
            Part();
            if (World == null) return;
            for (int i = 0; i < parts.Count; i++) BeforeStep(parts[i]);
            partsTold = 0;
            if (stepping == WobbleStepping.Background)
            {
                world.BeginStep(Time.fixedDeltaTime);
                isStepping = true;
                return;
            }
            world.Step(Time.fixedDeltaTime);
            AfterStep();
        }

        void Update() => Finish();

        /// <summary>Waits for a step in the background and tells of it. Does nothing if there is none.</summary>
        public void Finish()
        {
            if (!isStepping) return;
            isStepping = false;
            // Before scripts are compiled anew, all worlds end first.
            if (world == null || world.IsDisposed) return;
            world.WaitForStep();
            AfterStep();
        }

        void AfterStep()
        {
            for (int i = 0; i < parts.Count; i++) AfterStep(parts[i]);
            // Whoever is told may end the world.
            if (World == null) return;
            Part();
            if (World == null) return;
            TellContacts();
            if (World == null) return;
            if (handles.Length < world.BodyCount) handles = new BodyHandle[2 * world.BodyCount];
            fixed (BodyHandle* into = handles)
            {
                int slept = world.ReadSlept(into, handles.Length);
                for (int i = 0; i < slept; i++) TellSleep(into[i], true);
                if (World == null) return;
                int woke = world.ReadWoke(into, handles.Length);
                for (int i = 0; i < woke; i++) TellSleep(into[i], false);
            }
        }

        // What one part or listener throws is told, and the others go on.

        void Join(WobblePart part)
        {
            try { part.Join(world); }
            catch (Exception exception) { Debug.LogException(exception, part); }
        }

        static void BeforeStep(WobblePart part)
        {
            try
            {
                if (part.IsAstray) part.Follow();
                else part.BeforeStep();
            }
            catch (Exception exception) { Debug.LogException(exception, part); }
        }

        static void AfterStep(WobblePart part)
        {
            try { part.AfterStep(); }
            catch (Exception exception) { Debug.LogException(exception, part); }
        }

        void TellSleep(BodyHandle handle, bool asleep)
        {
            var body = Of(handle);
            if (body == null) return;
            try { (asleep ? body.onSleep : body.onWake).Invoke(); }
            catch (Exception exception) { Debug.LogException(exception, body); }
        }

        static void TellContact(WobbleBody body, WobbleContact contact)
        {
            if (body == null) return;
            try { body.onContact.Invoke(contact); }
            catch (Exception exception) { Debug.LogException(exception, body); }
        }

        void TellContacts()
        {
            int count = world.ContactCount;
            if (contacts.Length < count) contacts = new Contact[2 * count];
            fixed (Contact* into = contacts) count = world.ReadContacts(into, contacts.Length);
            for (int i = 0; i < count; i++)
            {
                var contact = contacts[i];
                WobbleBody body = Of(contact.Body), other = Of(contact.OtherBody);
                WobbleCollider collider;
                colliders.TryGetValue(contact.OtherCollider.Bits, out collider);
                var told = new WobbleContact
                {
                    body = body,
                    otherBody = other,
                    otherCollider = collider,
                    phase = contact.When,
                    point = contact.Point.ToUnity(),
                    normal = contact.Normal.ToUnity(),
                    impulse = contact.Impulse,
                };
                TellContact(body, told);
                TellContact(other, told.FromTheOther());
            }
        }

        /// <summary>The component of a body, or null.</summary>
        public WobbleBody Of(BodyHandle handle)
        {
            WobbleBody body;
            return bodies.TryGetValue(handle.Bits, out body) ? body : null;
        }

        /// <summary>The component of a collider, or null.</summary>
        public WobbleCollider Of(ColliderHandle handle)
        {
            WobbleCollider collider;
            return colliders.TryGetValue(handle.Bits, out collider) ? collider : null;
        }

        internal void Add(WobblePart part)
        {
            parts.Add(part);
            if (World != null) Join(part);
        }

        internal void Remove(WobblePart part)
        {
            parts.Remove(part);
            Finish();
            // It may hold memory of its own, even if the native world is gone.
            part.Leave();
        }

        /// <summary>Whether the way from one place to another is too far for one step, and so a jump.</summary>
        internal bool IsJump(Vector3 from, Vector3 to) =>
            jumpDistance > 0 && (to - from).sqrMagnitude > jumpDistance * jumpDistance;

        internal void Know(Body body, WobbleBody component) => bodies[body.Handle.Bits] = component;

        internal void Know(Collider collider, WobbleCollider component) => colliders[collider.Handle.Bits] = component;

        internal void Unknow(Body body) => bodies.Remove(body.Handle.Bits);

        internal void Unknow(Collider collider) => colliders.Remove(collider.Handle.Bits);

        /// <summary>What to tell people when the library could not be used.</summary>
        public static string Words(Exception exception)
        {
            if (exception is DllNotFoundException)
                return "Wobble: the native library for this platform is missing from the package.";
            return "Wobble: " + exception.Message + (exception is WobbleException ? "" :
                ": restart the editor, so that it loads the library of the installed package");
        }

        static void Tell(Severity severity, string line)
        {
            if (severity == Severity.Error) Debug.LogError("Wobble: " + line);
            else Debug.LogWarning("Wobble: " + line);
        }
    }
}
