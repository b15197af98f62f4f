// What the events of bodies tell.

using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Events;

namespace Wobble.Unity
{
    /// <summary>A body touches something, or has parted from it.</summary>
    public struct WobbleContact
    {
        /// <summary>The body that is told.</summary>
        public WobbleBody body;
        /// <summary>The other body; null if it is a collider.</summary>
        public WobbleBody otherBody;
        /// <summary>The collider; null if it is a body.</summary>
        public WobbleCollider otherCollider;
        public ContactPhase phase;
        public Vector3 point;
        /// <summary>Towards the body.</summary>
        public Vector3 normal;
        /// <summary>N s over the step.</summary>
        public float impulse;

        internal WobbleContact FromTheOther()
        {
            var told = this;
            told.body = otherBody;
            told.otherBody = body;
            told.normal = normal * -1f;
            return told;
        }
    }

    [Serializable]
    public sealed class WobbleContactEvent : UnityEvent<WobbleContact> { }

    /// <summary>A body came apart. It goes on as the largest piece; the list has the others.</summary>
    [Serializable]
    public sealed class WobbleFractureEvent : UnityEvent<WobbleBody, List<WobbleBody>> { }
}
