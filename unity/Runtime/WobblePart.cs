// What lives in a WobbleWorld: bodies, colliders, attachments, force fields.

using System;
using System.Collections;
using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>A component that joins a world while it is enabled.</summary>
    public abstract class WobblePart : MonoBehaviour
    {
        [Tooltip("The world to join; none for the one above it in the hierarchy, or else that of its scene.")]
        public WobbleWorld world;

        WobbleWorld home;
        bool teleports;

        /// <summary>The world it has joined.</summary>
        public WobbleWorld Home => home;

        /// <summary>Whether it exists in the native world by now.</summary>
        public abstract bool IsAlive { get; }

        /// <summary>The body that it acts on alone, whose world it shares; null if there is none.</summary>
        internal virtual WobbleBody Subject => null;

        /// <summary>Whether its body has joined another world than it has.</summary>
        internal bool IsAstray => Subject != null && Subject.Home != null && Subject.Home != home;

        protected virtual void OnEnable()
        {
            home = FindHome();
            home.Add(this);
        }

        /// <summary>The world to join.</summary>
        protected virtual WobbleWorld FindHome()
        {
            if (Subject != null && Subject.Home != null) return Subject.Home;
            return world != null ? world : WobbleWorld.For(this);
        }

        protected virtual void OnDisable()
        {
            if (home != null) home.Remove(this);
            home = null;
        }

        /// <summary>Its world has ended: it looks for another.</summary>
        internal void Orphan()
        {
            home = null;
            if (isActiveAndEnabled) StartCoroutine(JoinAnew());
        }

        /// <summary>Its body has joined another world: it goes there, too.</summary>
        internal void Follow()
        {
            Leave();
            StartCoroutine(JoinAnew());
        }

        /// <summary>In the next frame: by then it is known what else ends in this one, and no world goes over its parts.</summary>
        IEnumerator JoinAnew()
        {
            yield return null;
            if (!isActiveAndEnabled || (home != null && !IsAstray)) yield break;
            OnDisable();
            OnEnable();
        }

        /// <summary>
        /// Moves what stands for this to where its transforms are by the next step, at once: nothing on the way is pushed
        /// or pulled. Moves that are longer than the world's jump distance are taken so anyway.
        /// </summary>
        public void Teleport() => teleports = true;

        /// <summary>Whether Teleport was called since this was last asked.</summary>
        internal bool TakeTeleport()
        {
            bool asked = teleports;
            teleports = false;
            return asked;
        }

        /// <summary>Makes what it stands for.</summary>
        internal abstract void Join(World world);

        /// <summary>Takes it out again. The native world may be gone already.</summary>
        internal abstract void Leave();

        /// <summary>Before each step: what the scene says goes to the library.</summary>
        internal virtual void BeforeStep() { }

        /// <summary>After each step: what the library says goes to the scene.</summary>
        internal virtual void AfterStep() { }

        /// <summary>Whether what was thrown says what is wrong with the scene, rather than with the scripts.</summary>
        internal static bool IsRefusal(Exception exception) => exception is WobbleException ||
            exception is ArgumentException || exception is InvalidOperationException;

        /// <summary>Gives a rigid body what soft bodies gave to something at `position`.</summary>
        internal static void PushBack(Rigidbody rigid, Push push, Vector3 position)
        {
            if (rigid == null || rigid.isKinematic) return;
            rigid.AddForceAtPosition(push.Impulse.ToUnity(), position, ForceMode.Impulse);
            rigid.AddTorque(push.TorqueImpulse.ToUnity(), ForceMode.Impulse);
        }
    }
}
