// Values that people and scripts set, brought into what the library takes.

using UnityEngine;

namespace Wobble.Unity
{
    static class WobbleRange
    {
        /// <summary>The largest coordinate or speed that the library takes.</summary>
        public const float Largest = 1e9f;

        /// <summary>Brings a field into its range and warns of it. What is no number counts as 0.</summary>
        public static void Keep(ref float value, float low, float high, string field, Object of)
        {
            if (value >= low && value <= high) return;
            float kept = Mathf.Clamp(float.IsNaN(value) ? 0 : value, low, high);
            Warn(value, kept, field, of);
            value = kept;
        }

        public static void Keep(ref int value, int low, int high, string field, Object of)
        {
            if (value >= low && value <= high) return;
            int kept = Mathf.Clamp(value, low, high);
            Warn(value, kept, field, of);
            value = kept;
        }

        public static void Keep(ref Vector3 value, string field, Object of)
        {
            if (IsOrdinary(value.x) && IsOrdinary(value.y) && IsOrdinary(value.z)) return;
            Keep(ref value.x, -Largest, Largest, field + ".x", of);
            Keep(ref value.y, -Largest, Largest, field + ".y", of);
            Keep(ref value.z, -Largest, Largest, field + ".z", of);
        }

        static bool IsOrdinary(float value) => Mathf.Abs(value) <= Largest;

        static void Warn(float value, float kept, string field, Object of) =>
            Debug.LogWarning("Wobble: " + of.name + ": " + field + " is " + value + ", which cannot be; it is " + kept + " now", of);
    }
}
