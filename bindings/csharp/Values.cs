// What is added to the plain structs of NativeMethods.cs: constructors, defaults, comparison.

using System;
using static Wobble.NativeMethods;

namespace Wobble
{
    public partial struct Vec3 : IEquatable<Vec3>
    {
        public Vec3(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        public static Vec3 operator +(Vec3 a, Vec3 b) => new Vec3(a.X + b.X, a.Y + b.Y, a.Z + b.Z);
        public static Vec3 operator -(Vec3 a, Vec3 b) => new Vec3(a.X - b.X, a.Y - b.Y, a.Z - b.Z);
        public static Vec3 operator *(Vec3 a, float s) => new Vec3(a.X * s, a.Y * s, a.Z * s);
        public float Length => (float)Math.Sqrt(X * X + Y * Y + Z * Z);
        public bool Equals(Vec3 other) => X == other.X && Y == other.Y && Z == other.Z;
        public override bool Equals(object other) => other is Vec3 && Equals((Vec3)other);
        public override int GetHashCode() => X.GetHashCode() ^ Y.GetHashCode() << 8 ^ Z.GetHashCode() << 16;
        public override string ToString() => "(" + X + ", " + Y + ", " + Z + ")";
    }

    /// <summary>A tangent: a direction, and 1 or -1 for the side of the bitangent.</summary>
    public struct Vec4
    {
        public float X, Y, Z, W;

        public Vec4(float x, float y, float z, float w)
        {
            X = x;
            Y = y;
            Z = z;
            W = w;
        }
    }

    /// <summary>Three rows of four.</summary>
    public unsafe struct Matrix3x4
    {
        public fixed float Rows[12];
    }

    public partial struct Quat
    {
        public Quat(float x, float y, float z, float w)
        {
            X = x;
            Y = y;
            Z = z;
            W = w;
        }

        /// <summary>No rotation.</summary>
        public static Quat Identity => new Quat(0, 0, 0, 1);
    }

    public partial struct Bounds
    {
        public Bounds(Vec3 low, Vec3 high)
        {
            Low = low;
            High = high;
        }
    }

    /// <summary>The groups that something is in, and those that it meets, a bit each.</summary>
    public struct Groups
    {
        public uint Group, Mask;

        public Groups(uint group, uint mask)
        {
            Group = group;
            Mask = mask;
        }

        /// <summary>In the first group, meeting all.</summary>
        public static Groups Default => new Groups(1, uint.MaxValue);
    }

    /// <summary>Friction, restitution, and how they are combined with those of what is touched.</summary>
    public struct Surface
    {
        public float Friction, Restitution;
        public Combine Combine;

        public Surface(float friction, float restitution, Combine combine = Combine.Natural)
        {
            Friction = friction;
            Restitution = restitution;
            Combine = combine;
        }
    }

    /// <summary>How a body touches other bodies, and itself.</summary>
    public struct Touch
    {
        public float Parting;
        public bool Itself, Proxies;
    }

    /// <summary>Whether bodies at rest fall asleep, and what counts as rest for one of 1 m, m/s.</summary>
    public struct Sleeping
    {
        public bool Enabled;
        public float Speed;
    }

    /// <summary>From which impulse on contacts are reported, N s in a step, and the most of them.</summary>
    public struct ContactReporting
    {
        public float Threshold;
        public int Most;
    }

    /// <summary>What was taken from soft bodies: N s, and N m s about the position.</summary>
    public struct Push
    {
        public Vec3 Impulse, TorqueImpulse;
    }

    /// <summary>Where something is and how it is turned.</summary>
    public struct Pose
    {
        public Vec3 Position;
        public Quat Rotation;

        public Pose(Vec3 position, Quat rotation)
        {
            Position = position;
            Rotation = rotation;
        }
    }

    public partial struct WorldDef
    {
        public static unsafe WorldDef Default
        {
            get { WorldDef def; WobbleException.Check(wobble_world_def_init(&def, (uint)sizeof(WorldDef))); return def; }
        }
    }

    public partial struct BodyDef
    {
        public static unsafe BodyDef Default
        {
            get { BodyDef def; WobbleException.Check(wobble_body_def_init(&def, (uint)sizeof(BodyDef))); return def; }
        }
    }

    public partial struct ColliderDef
    {
        /// <summary>The ground: solid below y = 0.</summary>
        public static unsafe ColliderDef Default
        {
            get
            {
                ColliderDef def;
                WobbleException.Check(wobble_collider_def_init(&def, (uint)sizeof(ColliderDef)));
                return def;
            }
        }

        public static ColliderDef Plane(Vec3 normal, float offset)
        {
            var def = Default;
            def.Normal = normal;
            def.Offset = offset;
            return def;
        }

        public static ColliderDef Sphere(float radius)
        {
            var def = Default;
            def.Kind = WOBBLE_COLLIDER_SPHERE;
            def.Radius = radius;
            return def;
        }

        public static ColliderDef Box(Vec3 halfExtents)
        {
            var def = Default;
            def.Kind = WOBBLE_COLLIDER_BOX;
            def.HalfExtents = halfExtents;
            return def;
        }

        /// <summary>Along y; half the height reaches to the centres of the round ends.</summary>
        public static ColliderDef Capsule(float halfHeight, float radius) =>
            Round(WOBBLE_COLLIDER_CAPSULE, halfHeight, radius);

        /// <summary>Along y.</summary>
        public static ColliderDef Cylinder(float halfHeight, float radius) =>
            Round(WOBBLE_COLLIDER_CYLINDER, halfHeight, radius);

        static ColliderDef Round(uint kind, float halfHeight, float radius)
        {
            var def = Default;
            def.Kind = kind;
            def.HalfHeight = halfHeight;
            def.Radius = radius;
            return def;
        }
    }

    public partial struct AttachmentDef
    {
        public static unsafe AttachmentDef Default
        {
            get
            {
                AttachmentDef def;
                WobbleException.Check(wobble_attachment_def_init(&def, (uint)sizeof(AttachmentDef)));
                return def;
            }
        }
    }

    public partial struct JointDef
    {
        public static unsafe JointDef Default
        {
            get { JointDef def; WobbleException.Check(wobble_joint_def_init(&def, (uint)sizeof(JointDef))); return def; }
        }
    }

    public partial struct DragDef
    {
        public static unsafe DragDef Default
        {
            get { DragDef def; WobbleException.Check(wobble_drag_def_init(&def, (uint)sizeof(DragDef))); return def; }
        }
    }

    public partial struct FieldDef
    {
        public static unsafe FieldDef Default
        {
            get { FieldDef def; WobbleException.Check(wobble_field_def_init(&def, (uint)sizeof(FieldDef))); return def; }
        }
    }

    public partial struct ShapeDef
    {
        public static unsafe ShapeDef Default
        {
            get { ShapeDef def; WobbleException.Check(wobble_shape_def_init(&def, (uint)sizeof(ShapeDef))); return def; }
        }
    }

    public partial struct SamplingDef
    {
        public static unsafe SamplingDef Default
        {
            get
            {
                SamplingDef def;
                WobbleException.Check(wobble_sampling_def_init(&def, (uint)sizeof(SamplingDef)));
                return def;
            }
        }
    }

    public partial struct SkinBuffers
    {
        public static unsafe SkinBuffers Default
        {
            get
            {
                SkinBuffers buffers;
                WobbleException.Check(wobble_skin_buffers_init(&buffers, (uint)sizeof(SkinBuffers)));
                return buffers;
            }
        }
    }

    /// <summary>What a body is made of: a value, so there is nothing to dispose of.</summary>
    public partial struct Material
    {
        public static unsafe Material Default
        {
            get { Material made; WobbleException.Check(wobble_material_init(&made, (uint)sizeof(Material))); return made; }
        }

        /// <summary>"jelly", "rubber", "flesh", "foam", "gummy" or "water balloon".</summary>
        public static unsafe Material Named(string name)
        {
            var made = Default;
            fixed (byte* text = Text.Write(name)) WobbleException.Check(wobble_material_named(text, &made));
            return made;
        }
    }

    public partial struct Hit
    {
        public bool IsFound => Found != 0;
    }

    public partial struct Contact
    {
        public ContactPhase When => (ContactPhase)Phase;
    }
}
