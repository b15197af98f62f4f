// Solids by rule, or by a function of the host's.

using System;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>A solid about the origin, y up. A value, so there is nothing to dispose of.</summary>
    public unsafe struct Solid
    {
        SolidDef def;

        /// <summary>Of a solid by function: tells distances.</summary>
        public Distance Distance { get; private set; }

        static Solid Of(SolidKind kind)
        {
            Solid solid = default(Solid);
            WobbleException.Check(wobble_solid_def_init(&solid.def, (uint)sizeof(SolidDef)));
            solid.def.Kind = (uint)kind;
            return solid;
        }

        public static Solid Ball(float radius)
        {
            var solid = Of(SolidKind.Ball);
            solid.def.Radius = radius;
            return solid;
        }

        public static Solid Box(Vec3 size)
        {
            var solid = Of(SolidKind.Box);
            solid.def.Size = size;
            return solid;
        }

        /// <summary>Along y; the height is that of all of it.</summary>
        public static Solid Capsule(float radius, float height)
        {
            var solid = Of(SolidKind.Capsule);
            solid.def.Radius = radius;
            solid.def.Height = height;
            return solid;
        }

        /// <summary>A ring about y.</summary>
        public static Solid Torus(float radius, float tube)
        {
            var solid = Of(SolidKind.Torus);
            solid.def.Radius = radius;
            solid.def.Tube = tube;
            return solid;
        }

        public static Solid Cylinder(float radius, float height)
        {
            var solid = Of(SolidKind.Cylinder);
            solid.def.Radius = radius;
            solid.def.Height = height;
            return solid;
        }

        /// <summary>Stands on y = 0 and looks along z.</summary>
        public static Solid GummyBear(float height)
        {
            var solid = Of(SolidKind.GummyBear);
            solid.def.Height = height;
            return solid;
        }

        /// <summary>
        /// Whatever `distance` describes between two corners. It is asked on the calling thread alone, unless
        /// <see cref="Threads"/> says otherwise.
        /// </summary>
        public static Solid ByDistance(Vec3 low, Vec3 high, Distance distance)
        {
            if (distance == null) throw new ArgumentNullException(nameof(distance));
            var solid = Of(SolidKind.Distance);
            solid.def.Low = low;
            solid.def.High = high;
            solid.def.Threads = 1;
            solid.Distance = distance;
            return solid;
        }

        /// <summary>Triangles are about a share 1/Cells of the longest side wide, 4 to 256.</summary>
        public int Cells
        {
            get { return (int)def.Cells; }
            set { def.Cells = (uint)value; }
        }

        /// <summary>Threads that find the surface; 0 takes all cores.</summary>
        public int Threads
        {
            get { return (int)def.Threads; }
            set { def.Threads = (uint)value; }
        }

        internal SolidDef Native(Relay distance)
        {
            var native = def;
            native.Distance = distance.Function;
            native.DistanceUser = distance.User;
            return native;
        }

        /// <summary>Metres from a point to the surface, less than zero inside.</summary>
        public float DistanceTo(Vec3 point)
        {
            using (var relay = new Relay(Distance))
            {
                var native = Native(relay);
                float distance;
                relay.Check(wobble_solid_distance(&native, &point, &distance));
                return distance;
            }
        }

        public Bounds Bounds
        {
            get
            {
                using (var relay = new Relay(Distance))
                {
                    var native = Native(relay);
                    Bounds bounds;
                    relay.Check(wobble_solid_bounds(&native, &bounds));
                    return bounds;
                }
            }
        }

        /// <summary>Its surface as triangles, closed, with sharp edges kept.</summary>
        public MeshSource Mesh()
        {
            using (var relay = new Relay(Distance))
            {
                var native = Native(relay);
                uint vertices, corners;
                relay.Check(wobble_solid_mesh_size(&native, &vertices, &corners));
                var mesh = new MeshSource
                {
                    Positions = new Vec3[vertices],
                    Normals = new Vec3[vertices],
                    Indices = new uint[corners],
                };
                fixed (Vec3* positions = mesh.Positions)
                fixed (Vec3* normals = mesh.Normals)
                fixed (uint* indices = mesh.Indices)
                    relay.Check(wobble_solid_mesh(
                        &native, (float*)positions, (float*)normals, 0, vertices, indices, corners));
                return mesh;
            }
        }
    }
}
