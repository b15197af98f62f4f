// Building shapes from points, particles, meshes and solids.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>A triangle mesh. Null stands for what there is not.</summary>
    public sealed class MeshSource
    {
        /// <summary>Metres.</summary>
        public Vec3[] Positions;
        /// <summary>Null to have smooth ones found.</summary>
        public Vec3[] Normals;
        public Vec4[] Tangents;
        /// <summary>Three a triangle.</summary>
        public uint[] Indices;
        /// <summary>A number a vertex: multiplies the material's stiffness.</summary>
        public float[] Stiffness;
        /// <summary>Multiplies the material's damping.</summary>
        public float[] Damping;
        /// <summary>0 to 1: bodies start with particles of 0.5 and more pinned.</summary>
        public float[] Pin;
        /// <summary>Multiplies the density.</summary>
        public float[] Density;
        /// <summary>0.001 to 1e6: multiplies the toughness of bodies that break.</summary>
        public float[] Toughness;
    }

    /// <summary>Particles of the host's choice. Null stands for what there is not.</summary>
    public sealed class ParticleSource
    {
        public Vec3[] Points;
        /// <summary>kg; null for 1 kg in all.</summary>
        public float[] Masses;
        public float[] Stiffness;
        public float[] Damping;
        public float[] Pin;
        public float[] Toughness;
    }

    public sealed unsafe partial class Shape
    {
        public static Shape FromPoints(Vec3[] points, float[] masses = null) =>
            FromPoints(points, masses, ShapeDef.Default);

        public static Shape FromPoints(Vec3[] points, float[] masses, ShapeDef def, Progress progress = null)
        {
            SameCount(points, masses, nameof(masses));
            ShapeHandle made;
            using (var relay = new Relay(progress))
            fixed (Vec3* at = points)
            fixed (float* weights = masses)
            {
                def.Progress = relay.Function;
                def.ProgressUser = relay.User;
                relay.Check(wobble_shape_create_from_points(
                    (float*)at, (uint)Memory.Count(points), 0, weights, 0, &def, &made));
            }
            return new Shape(made);
        }

        public static Shape FromMesh(MeshSource mesh) => FromMesh(mesh, SamplingDef.Default, ShapeDef.Default);

        /// <summary>Fills a mesh with particles; bodies carry it, and <see cref="Body.ReadSkin"/> gives it deformed.</summary>
        public static Shape FromMesh(MeshSource mesh, SamplingDef sampling, ShapeDef def, Progress progress = null)
        {
            using (var held = new Held())
            using (var relay = new Relay(progress))
            {
                var native = held.Mesh(mesh);
                def.Progress = relay.Function;
                def.ProgressUser = relay.User;
                ShapeHandle made;
                relay.Check(wobble_shape_create_from_mesh(&native, &sampling, &def, &made));
                return new Shape(made);
            }
        }

        /// <summary>Particles of the host's choice, and a mesh for bodies to carry, or none.</summary>
        public static Shape FromParticles(ParticleSource particles, MeshSource mesh, ShapeDef def, Progress progress = null)
        {
            using (var held = new Held())
            using (var relay = new Relay(progress))
            {
                var native = held.Particles(particles);
                var carried = mesh == null ? new MeshDef() : held.Mesh(mesh);
                def.Progress = relay.Function;
                def.ProgressUser = relay.User;
                ShapeHandle made;
                relay.Check(wobble_shape_create_from_particles(&native, mesh == null ? null : &carried, &def, &made));
                return new Shape(made);
            }
        }

        /// <summary>This shape with lengths multiplied along each axis, its mesh too. It weighs that many kg, or as much more
        /// or less as its volume grows or shrinks if that is 0.</summary>
        public Shape Scaled(Vec3 by, float mass = 0)
        {
            ShapeHandle made;
            WobbleException.Check(wobble_shape_create_scaled(Handle, by.X, by.Y, by.Z, mass, &made));
            GC.KeepAlive(this);
            return new Shape(made);
        }

        public static Shape FromSolid(Solid solid) => FromSolid(solid, SamplingDef.Default, ShapeDef.Default);

        public static Shape FromSolid(Solid solid, SamplingDef sampling, ShapeDef def, Progress progress = null)
        {
            using (var distance = new Relay(solid.Distance))
            using (var relay = new Relay(progress))
            {
                var native = solid.Native(distance);
                def.Progress = relay.Function;
                def.ProgressUser = relay.User;
                ShapeHandle made;
                int status = wobble_shape_create_from_solid(&native, &sampling, &def, &made);
                // What the distance function threw comes first: it is why the rest failed, if it did.
                if (status == WOBBLE_STATUS_OK && distance.HasThrown) wobble_shape_release(made);
                distance.Check(WOBBLE_STATUS_OK);
                relay.Check(status);
                return new Shape(made);
            }
        }

        internal static void SameCount(Array elements, Array map, string name)
        {
            if (map != null && Memory.Count(elements) != map.Length)
                throw new ArgumentException(
                    name + " has " + map.Length + " elements, but there are " + Memory.Count(elements) + " to describe", name);
        }

        /// <summary>Arrays that stay where they are while native code reads them.</summary>
        sealed class Held : IDisposable
        {
            readonly List<GCHandle> handles = new List<GCHandle>();

            public void Dispose()
            {
                foreach (var handle in handles) handle.Free();
            }

            void* Pin(Array array)
            {
                if (Memory.Count(array) == 0) return null;
                var handle = GCHandle.Alloc(array, GCHandleType.Pinned);
                handles.Add(handle);
                return (void*)handle.AddrOfPinnedObject();
            }

            float* Map(Array elements, Array map, string name)
            {
                SameCount(elements, map, name);
                return (float*)Pin(map);
            }

            internal MeshDef Mesh(MeshSource mesh)
            {
                if (mesh == null) throw new ArgumentNullException(nameof(mesh));
                MeshDef def;
                WobbleException.Check(wobble_mesh_def_init(&def, (uint)sizeof(MeshDef)));
                def.VertexCount = (uint)Memory.Count(mesh.Positions);
                def.Positions = (float*)Pin(mesh.Positions);
                def.Normals = Map(mesh.Positions, mesh.Normals, nameof(mesh.Normals));
                def.Tangents = Map(mesh.Positions, mesh.Tangents, nameof(mesh.Tangents));
                def.Indices = Pin(mesh.Indices);
                def.IndexCount = (uint)Memory.Count(mesh.Indices);
                def.Stiffness = Map(mesh.Positions, mesh.Stiffness, nameof(mesh.Stiffness));
                def.Damping = Map(mesh.Positions, mesh.Damping, nameof(mesh.Damping));
                def.Pin = Map(mesh.Positions, mesh.Pin, nameof(mesh.Pin));
                def.Density = Map(mesh.Positions, mesh.Density, nameof(mesh.Density));
                def.Toughness = Map(mesh.Positions, mesh.Toughness, nameof(mesh.Toughness));
                return def;
            }

            internal ParticlesDef Particles(ParticleSource particles)
            {
                if (particles == null) throw new ArgumentNullException(nameof(particles));
                ParticlesDef def;
                WobbleException.Check(wobble_particles_def_init(&def, (uint)sizeof(ParticlesDef)));
                def.Count = (uint)Memory.Count(particles.Points);
                def.Points = (float*)Pin(particles.Points);
                def.Masses = Map(particles.Points, particles.Masses, nameof(particles.Masses));
                def.Stiffness = Map(particles.Points, particles.Stiffness, nameof(particles.Stiffness));
                def.Damping = Map(particles.Points, particles.Damping, nameof(particles.Damping));
                def.Pin = Map(particles.Points, particles.Pin, nameof(particles.Pin));
                def.Toughness = Map(particles.Points, particles.Toughness, nameof(particles.Toughness));
                return def;
            }
        }
    }
}
