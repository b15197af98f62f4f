// Stand-in for UnityEngine: vectors, rotations, matrices.

using System;

namespace UnityEngine
{
    public struct Vector3 : IEquatable<Vector3>
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero => new Vector3();
        public static Vector3 one => new Vector3(1, 1, 1);
        public static Vector3 right => new Vector3(1, 0, 0);
        public static Vector3 operator +(Vector3 a, Vector3 b) => new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
        public static Vector3 operator -(Vector3 a, Vector3 b) => new Vector3(a.x - b.x, a.y - b.y, a.z - b.z);
        public static Vector3 operator *(Vector3 a, float s) => new Vector3(a.x * s, a.y * s, a.z * s);
        public static bool operator ==(Vector3 a, Vector3 b) => (a - b).sqrMagnitude < 9.99999944e-11f;
        public static bool operator !=(Vector3 a, Vector3 b) => !(a == b);
        public static float Dot(Vector3 a, Vector3 b) => a.x * b.x + a.y * b.y + a.z * b.z;
        public static Vector3 Min(Vector3 a, Vector3 b) => new Vector3(Math.Min(a.x, b.x), Math.Min(a.y, b.y), Math.Min(a.z, b.z));
        public static Vector3 Max(Vector3 a, Vector3 b) => new Vector3(Math.Max(a.x, b.x), Math.Max(a.y, b.y), Math.Max(a.z, b.z));
        public static Vector3 Scale(Vector3 a, Vector3 b) => new Vector3(a.x * b.x, a.y * b.y, a.z * b.z);
        public static Vector3 Cross(Vector3 a, Vector3 b) =>
            new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        public float sqrMagnitude => Dot(this, this);
        public float magnitude => (float)Math.Sqrt(sqrMagnitude);
        public Vector3 normalized => magnitude > 1e-5f ? this * (1 / magnitude) : zero;
        public bool Equals(Vector3 other) => x == other.x && y == other.y && z == other.z;
        public override bool Equals(object other) => other is Vector3 && Equals((Vector3)other);
        public override int GetHashCode() => x.GetHashCode() ^ y.GetHashCode() << 2 ^ z.GetHashCode() >> 2;
        public override string ToString() => "(" + x + ", " + y + ", " + z + ")";
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
        public static Vector2 Lerp(Vector2 a, Vector2 b, float t) => new Vector2(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
    }

    /// <summary>The points where dot(normal, point) + distance is 0.</summary>
    public struct Plane
    {
        public Vector3 normal;
        public float distance;
        public Plane(Vector3 normal, Vector3 point)
        {
            this.normal = normal.normalized;
            distance = -Vector3.Dot(this.normal, point);
        }
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
    }

    public struct Color
    {
        public float r, g, b, a;
        public Color(float r, float g, float b, float a = 1) { this.r = r; this.g = g; this.b = b; this.a = a; }
        public static Color Lerp(Color a, Color b, float t) =>
            new Color(a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t, a.a + (b.a - a.a) * t);
        public static Color red => new Color(1, 0, 0);
        public static Color cyan => new Color(0, 1, 1);
        public static Color yellow => new Color(1, 1, 0);
    }

    public struct Quaternion : IEquatable<Quaternion>
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity => new Quaternion(0, 0, 0, 1);
        public static Quaternion Inverse(Quaternion q) => new Quaternion(-q.x, -q.y, -q.z, q.w);
        public static Quaternion operator *(Quaternion a, Quaternion b) => new Quaternion(
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
            a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            var u = new Vector3(q.x, q.y, q.z);
            var t = Vector3.Cross(u, v) * 2;
            return v + t * q.w + Vector3.Cross(u, t);
        }
        static Quaternion About(Vector3 axis, float degrees)
        {
            double half = degrees * Math.PI / 360;
            float s = (float)Math.Sin(half);
            return new Quaternion(axis.x * s, axis.y * s, axis.z * s, (float)Math.Cos(half));
        }
        public static Quaternion Euler(float x, float y, float z) =>
            About(new Vector3(0, 1, 0), y) * About(new Vector3(1, 0, 0), x) * About(new Vector3(0, 0, 1), z);
        public static bool operator ==(Quaternion a, Quaternion b) =>
            a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w > 1 - 1e-6f;
        public static bool operator !=(Quaternion a, Quaternion b) => !(a == b);
        public bool Equals(Quaternion other) => x == other.x && y == other.y && z == other.z && w == other.w;
        public override bool Equals(object other) => other is Quaternion && Equals((Quaternion)other);
        public override int GetHashCode() => x.GetHashCode() ^ w.GetHashCode();
    }

    public struct Matrix4x4
    {
        public float m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23;

        public static Matrix4x4 TRS(Vector3 position, Quaternion rotation, Vector3 scale)
        {
            Vector3 x = rotation * new Vector3(scale.x, 0, 0), y = rotation * new Vector3(0, scale.y, 0);
            Vector3 z = rotation * new Vector3(0, 0, scale.z);
            return new Matrix4x4
            {
                m00 = x.x, m01 = y.x, m02 = z.x, m03 = position.x,
                m10 = x.y, m11 = y.y, m12 = z.y, m13 = position.y,
                m20 = x.z, m21 = y.z, m22 = z.z, m23 = position.z,
            };
        }
    }

    public struct Bounds
    {
        public Vector3 center, size;
        public Bounds(Vector3 center, Vector3 size) { this.center = center; this.size = size; }
        public Vector3 min => center - size * 0.5f;
        public Vector3 max => center + size * 0.5f;
    }

    public static class Mathf
    {
        public const float PI = (float)Math.PI;
        public static float Abs(float a) => Math.Abs(a);
        public static float Sqrt(float a) => (float)Math.Sqrt(a);
        public static float Cos(float a) => (float)Math.Cos(a);
        public static float Sin(float a) => (float)Math.Sin(a);
        public static float Max(float a, float b) => Math.Max(a, b);
        public static int Clamp(int a, int low, int high) => Math.Max(low, Math.Min(high, a));
        public static float Clamp(float a, float low, float high) => Math.Max(low, Math.Min(high, a));
        public static float Clamp01(float a) => Clamp(a, 0, 1);
    }
}
