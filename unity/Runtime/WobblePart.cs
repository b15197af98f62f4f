// What lives in a WobbleWorld: bodies, colliders, attachments, force fields.

using System;
using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>A component that joins a world while it is enabled.</summary>
    public abstract class WobblePart : MonoBehaviour
    {
        WobbleWorld home;

        /// <summary>The world it has joined: the one above it in the hierarchy, or the scene's.</summary>
        public WobbleWorld Home => home;

        /// <summary>Whether it exists in the native world by now.</summary>
        public abstract bool IsAlive { get; }

        protected virtual void OnEnable()
        {
            home = FindHome();
            home.Add(this);
        }

        /// <summary>The world to join.</summary>
        protected virtual WobbleWorld FindHome() => WobbleWorld.For(this);

        protected virtual void OnDisable()
        {
            if (home != null) home.Remove(this);
            home = null;
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
