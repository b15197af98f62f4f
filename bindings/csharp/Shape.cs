// Rest shapes: their life, and what can be told of them.

using System;
using System.Runtime.ConstrainedExecution;
using System.Threading;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>
    /// A rest shape, which never changes and is shared by any number of bodies in any worlds. Bodies keep their shape, so
    /// it may be disposed of as soon as they are made.
    /// </summary>
    public sealed unsafe partial class Shape : CriticalFinalizerObject, IDisposable
    {
        long bits;

        internal Shape(ShapeHandle handle)
        {
            bits = (long)handle.Bits;
        }

        ~Shape()
        {
            Release();
        }

        public bool IsDisposed => Interlocked.Read(ref bits) == 0;

        public ShapeHandle Handle
        {
            get
            {
                long now = Interlocked.Read(ref bits);
                if (now == 0) throw new ObjectDisposedException(nameof(Shape));
                return new ShapeHandle { Bits = (ulong)now };
            }
        }

        /// <summary>Lets go of the shape, on any thread.</summary>
        public void Dispose()
        {
            Release();
            GC.SuppressFinalize(this);
        }

        void Release()
        {
            ulong was = (ulong)Interlocked.Exchange(ref bits, 0);
            if (was != 0) wobble_shape_release(new ShapeHandle { Bits = was });
        }

        void Done(int status)
        {
            GC.KeepAlive(this);
            if (status != WOBBLE_STATUS_OK) throw WobbleException.Last(status);
        }

        /// <summary>Another owner of the same shape, to be disposed of apart.</summary>
        public Shape Share()
        {
            Done(wobble_shape_retain(Handle));
            return new Shape(Handle);
        }

        // Bytes.

        /// <summary>The shape as bytes, mesh included, which can be read on any machine.</summary>
        public byte[] Save()
        {
            uint size;
            Done(wobble_shape_save_size(Handle, &size));
            var bytes = new byte[size];
            fixed (byte* to = bytes) Done(wobble_shape_save(Handle, to, size, &size));
            return bytes;
        }

        /// <summary>A shape from bytes of <see cref="Save"/>. Damaged ones are refused.</summary>
        public static Shape Load(byte[] bytes)
        {
            ShapeHandle made;
            fixed (byte* from = bytes)
                WobbleException.Check(wobble_shape_load(from, (uint)Memory.Count(bytes), &made));
            return new Shape(made);
        }

        // Numbers.

        public int ParticleCount
        {
            get { uint count; Done(wobble_shape_particle_count(Handle, &count)); return (int)count; }
        }

        public int LevelCount
        {
            get { uint count; Done(wobble_shape_level_count(Handle, &count)); return (int)count; }
        }

        /// <summary>kg.</summary>
        public float Mass
        {
            get { float mass; Done(wobble_shape_mass(Handle, &mass)); return mass; }
        }

        /// <summary>What tells the shape from others, equal for the built and the loaded one.</summary>
        public ulong Fingerprint
        {
            get { ulong fingerprint; Done(wobble_shape_fingerprint(Handle, &fingerprint)); return fingerprint; }
        }

        /// <summary>Where the centre of mass lay in the space of the mesh or the points.</summary>
        public Vec3 Centre
        {
            get { Vec3 centre; Done(wobble_shape_centre(Handle, &centre)); return centre; }
        }

        public bool IsNested
        {
            get { uint nested; Done(wobble_shape_is_nested(Handle, &nested)); return nested != 0; }
        }

        /// <summary>Mean distance from a particle to its nearest neighbour, metres.</summary>
        public float Spacing
        {
            get { float spacing; Done(wobble_shape_spacing(Handle, &spacing)); return spacing; }
        }

        public int PinCount
        {
            get { uint count; Done(wobble_shape_pin_count(Handle, &count)); return (int)count; }
        }

        /// <summary>Vertices of the mesh that bodies carry; 0 without a mesh.</summary>
        public int VertexCount
        {
            get { uint count; Done(wobble_shape_vertex_count(Handle, &count)); return (int)count; }
        }

        public int IndexCount
        {
            get { uint count; Done(wobble_shape_index_count(Handle, &count)); return (int)count; }
        }

        public int PlaneCount
        {
            get { uint count; Done(wobble_shape_plane_count(Handle, &count)); return (int)count; }
        }

        public int MembershipCount(int level)
        {
            uint count;
            Done(wobble_shape_membership_count(Handle, (uint)level, &count));
            return (int)count;
        }

        public LevelReport LevelReport(int level)
        {
            var report = new LevelReport { StructSize = (uint)sizeof(LevelReport) };
            Done(wobble_shape_level_report(Handle, (uint)level, &report));
            return report;
        }

        // Arrays. Each needs room for all.

        /// <summary>Rest positions, metres about the centre of mass.</summary>
        public void ReadRestPositions(Vec3* positions, int capacity) =>
            Done(wobble_shape_rest_positions(Handle, (float*)positions, 0, (uint)capacity));

        public void ReadMasses(float* masses, int capacity) =>
            Done(wobble_shape_masses(Handle, masses, 0, (uint)capacity));

        public void ReadPins(uint* particles, int capacity)
        {
            uint count;
            Done(wobble_shape_pins(Handle, particles, (uint)capacity, &count));
        }

        public void ReadClusterCentres(int level, Vec3* centres, int capacity) =>
            Done(wobble_shape_cluster_centres(Handle, (uint)level, (float*)centres, 0, (uint)capacity));

        public void ReadClusterWidths(int level, float* widths, int capacity) =>
            Done(wobble_shape_cluster_widths(Handle, (uint)level, widths, 0, (uint)capacity));

        public void ReadMemberships(int level, Membership* memberships, int capacity)
        {
            uint count;
            Done(wobble_shape_memberships(Handle, (uint)level, memberships, (uint)capacity, &count));
        }

        public void ReadPlanes(ClusterPlane* planes, int capacity)
        {
            uint count;
            Done(wobble_shape_planes(Handle, planes, (uint)capacity, &count));
        }

        /// <summary>Vertices at rest, metres about the centre of mass.</summary>
        public void ReadVertices(Vec3* positions, int capacity) =>
            Done(wobble_shape_vertices(Handle, (float*)positions, 0, (uint)capacity));

        public void ReadNormals(Vec3* normals, int capacity) =>
            Done(wobble_shape_normals(Handle, (float*)normals, 0, (uint)capacity));

        public void ReadTangents(Vec4* tangents, int capacity) =>
            Done(wobble_shape_tangents(Handle, (float*)tangents, 0, (uint)capacity));

        public void ReadIndices(uint* indices, int capacity)
        {
            uint count;
            Done(wobble_shape_indices(Handle, indices, (uint)capacity, &count));
        }

        /// <summary>WOBBLE_INFLUENCES finest clusters and weights a vertex, to skin on the GPU.</summary>
        public void ReadInfluences(uint* clusters, float* weights, int vertices) =>
            Done(wobble_shape_influences(Handle, clusters, weights, (uint)vertices));

        /// <summary>For each place of a borrowed view the particle there. Good as long as the shape lives.</summary>
        public uint* ViewOrder(out int count)
        {
            uint* order;
            uint length;
            Done(wobble_shape_view_order(Handle, &order, &length));
            count = (int)length;
            return order;
        }
    }
}
