// The convex hull of more points than the library takes.

using System.Collections.Generic;
using UnityEngine;

namespace Wobble.Unity
{
    static class WobbleHull
    {
        /// <summary>The most points of a hull in the library.</summary>
        const int Most = 1024;

        /// <summary>
        /// Few points that span about the same hull as many: the farthest one in each of 1,024 directions, spread evenly
        /// over the box of all as if it were a cube. Corners stay; a ball loses less than 0.005 of its radius.
        /// </summary>
        public static Vector3[] Spanning(Vector3[] points)
        {
            if (points.Length <= Most) return points;
            Vector3 low = points[0], high = points[0];
            foreach (var p in points)
            {
                low = Vector3.Min(low, p);
                high = Vector3.Max(high, p);
            }
            var size = high - low;
            var perSize = new Vector3(Inverse(size.x), Inverse(size.y), Inverse(size.z));
            var chosen = new HashSet<Vector3>();
            for (int i = 0; i < Most; i++) chosen.Add(Farthest(points, Vector3.Scale(Direction(i), perSize)));
            var few = new Vector3[chosen.Count];
            chosen.CopyTo(few);
            return few;
        }

        static float Inverse(float size) => size > 0 ? 1 / size : 0;

        /// <summary>Points of a sunflower's spiral, wound around a ball.</summary>
        static Vector3 Direction(int i)
        {
            float turn = Mathf.PI * (3 - Mathf.Sqrt(5)) * i;
            float y = 1 - (2 * i + 1f) / Most, across = Mathf.Sqrt(1 - y * y);
            return new Vector3(across * Mathf.Cos(turn), y, across * Mathf.Sin(turn));
        }

        static Vector3 Farthest(Vector3[] points, Vector3 direction)
        {
            int farthest = 0;
            float most = float.NegativeInfinity, x = direction.x, y = direction.y, z = direction.z;
            // Written out: calls take five times as long, and there may be a hundred million.
            for (int i = 0; i < points.Length; i++)
            {
                float along = points[i].x * x + points[i].y * y + points[i].z * z;
                if (along <= most) continue;
                most = along;
                farthest = i;
            }
            return points[farthest];
        }
    }
}
