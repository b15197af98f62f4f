// Which particles are meant: those in a ball or a box about a transform.

using System;
using System.Collections.Generic;
using UnityEngine;

namespace Wobble.Unity
{
    public enum WobbleRegionKind
    {
        Sphere,
        Box,
    }

    /// <summary>A part of space that goes with a transform.</summary>
    [Serializable]
    public sealed class WobbleRegion
    {
        public WobbleRegionKind kind = WobbleRegionKind.Sphere;
        [Tooltip("Metres."), Min(0)]
        public float radius = 0.25f;
        [Tooltip("Of a box, metres along the transform's axes.")]
        public Vector3 size = Vector3.one * 0.5f;

        public bool Contains(UnityEngine.Transform frame, Vector3 point)
        {
            var at = Quaternion.Inverse(frame.rotation) * (point - frame.position);
            if (kind == WobbleRegionKind.Sphere) return at.sqrMagnitude <= radius * radius;
            return Mathf.Abs(at.x) <= size.x / 2 && Mathf.Abs(at.y) <= size.y / 2 && Mathf.Abs(at.z) <= size.z / 2;
        }

        /// <summary>The particles of a body that are in it now.</summary>
        public unsafe uint[] Choose(Body body, UnityEngine.Transform frame)
        {
            var positions = new Vec3[body.ParticleCount];
            fixed (Vec3* into = positions) body.ReadPositions(into, positions.Length);
            var chosen = new List<uint>();
            for (int i = 0; i < positions.Length; i++)
                if (Contains(frame, positions[i].ToUnity())) chosen.Add((uint)i);
            return chosen.ToArray();
        }
    }

    /// <summary>Particles of a body that are held firmly to a transform, from the start.</summary>
    [Serializable]
    public sealed class WobblePin
    {
        public UnityEngine.Transform frame;
        public WobbleRegion region = new WobbleRegion();
    }
}
