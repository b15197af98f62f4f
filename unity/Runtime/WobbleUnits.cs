// Between Unity's types and the library's. Both have y up, and Unity's left-handed frame needs no conversion: the
// library computes the same in either, and triangles that are clockwise in one are counterclockwise in the other.

using UnityEngine;

namespace Wobble.Unity
{
    public static class WobbleUnits
    {
        public static Vec3 ToWobble(this Vector3 v) => new Vec3(v.x, v.y, v.z);

        public static Quat ToWobble(this Quaternion q) => new Quat(q.x, q.y, q.z, q.w);

        public static Vector3 ToUnity(this Vec3 v) => new Vector3(v.X, v.Y, v.Z);

        public static UnityEngine.Bounds ToUnity(this Bounds box)
        {
            Vector3 low = box.Low.ToUnity(), high = box.High.ToUnity();
            return new UnityEngine.Bounds((low + high) * 0.5f, high - low);
        }

        /// <summary>Three rows of four, as the library has them.</summary>
        public static unsafe void Write(Matrix4x4 m, float* rows)
        {
            rows[0] = m.m00; rows[1] = m.m01; rows[2] = m.m02; rows[3] = m.m03;
            rows[4] = m.m10; rows[5] = m.m11; rows[6] = m.m12; rows[7] = m.m13;
            rows[8] = m.m20; rows[9] = m.m21; rows[10] = m.m22; rows[11] = m.m23;
        }

        /// <summary>False for what is mirrored or flat, which the library does not deform.</summary>
        public static bool IsUpright(Vector3 scale) => scale.x * scale.y * scale.z > 1e-12f;
    }
}
