// Lasting change: plasticity, cutting, breaking.

using System;
using static Wobble.NativeMethods;

namespace Wobble
{
    public partial struct Plasticity
    {
        public static unsafe Plasticity Default
        {
            get
            {
                Plasticity made;
                WobbleException.Check(wobble_plasticity_init(&made, (uint)sizeof(Plasticity)));
                return made;
            }
        }
    }

    public partial struct Fracture
    {
        public static unsafe Fracture Default
        {
            get
            {
                Fracture made;
                WobbleException.Check(wobble_fracture_init(&made, (uint)sizeof(Fracture)));
                return made;
            }
        }
    }

    public sealed unsafe partial class Body
    {
        /// <summary>How deformation lasts; null if it does not. What has lasted stays until a reset.</summary>
        public Plasticity? Plasticity
        {
            get
            {
                uint enabled;
                var rule = new Plasticity { StructSize = (uint)sizeof(Plasticity) };
                Done(wobble_body_plasticity(Handle, &rule, &enabled));
                return enabled != 0 ? rule : (Plasticity?)null;
            }
            set
            {
                var rule = value.GetValueOrDefault();
                Done(wobble_body_set_plasticity(Handle, value.HasValue ? &rule : null));
            }
        }

        public float GetLevelFlow(int level)
        {
            float multiplier;
            Done(wobble_body_level_flow(Handle, (uint)level, &multiplier));
            return multiplier;
        }

        /// <summary>Multiplies the flow of a level, 0 to 1.</summary>
        public void SetLevelFlow(int level, float multiplier) =>
            Done(wobble_body_set_level_flow(Handle, (uint)level, multiplier));

        /// <summary>The largest lasting strain of a finest cluster; 0 where nothing lasts.</summary>
        public float LastingStrain
        {
            get { float strain; Done(wobble_body_lasting_strain(Handle, &strain)); return strain; }
        }

        /// <summary>How the body breaks; null if it does not.</summary>
        public Fracture? Fracture
        {
            get
            {
                uint enabled;
                var rule = new Fracture { StructSize = (uint)sizeof(Fracture) };
                Done(wobble_body_fracture(Handle, &rule, &enabled));
                return enabled != 0 ? rule : (Fracture?)null;
            }
            set
            {
                var rule = value.GetValueOrDefault();
                Done(wobble_body_set_fracture(Handle, value.HasValue ? &rule : null));
            }
        }

        /// <summary>Multiplies the toughness about each particle; none makes it the same everywhere.</summary>
        public void PaintToughness(float* map, int count) =>
            Done(wobble_body_paint_toughness(Handle, map, (uint)count, 0));

        /// <summary>Cuts by a plane without end. Returns how many bodies it is then.</summary>
        public int Cut(Vec3 point, Vec3 normal)
        {
            uint bodies;
            Done(wobble_body_cut_plane(Handle, &point, &normal, &bodies));
            return (int)bodies;
        }

        /// <summary>Cuts by what an edge sweeps on its way from one place to another.</summary>
        public int Cut(Vec3 from, Vec3 fromEnd, Vec3 to, Vec3 toEnd)
        {
            uint bodies;
            Vec3* ends = stackalloc Vec3[4];
            ends[0] = from;
            ends[1] = fromEnd;
            ends[2] = to;
            ends[3] = toEnd;
            Done(wobble_body_cut_blade(Handle, ends, ends + 2, &bodies));
            return (int)bodies;
        }
    }

    public sealed unsafe partial class World
    {
        /// <summary>Number of pieces of bodies that broke in the last step or were cut since.</summary>
        public int BreakCount
        {
            get { uint count, particles; Done(wobble_world_break_count(Handle, &count, &particles)); return (int)count; }
        }

        /// <summary>Number of particles of those pieces.</summary>
        public int BrokenParticleCount
        {
            get { uint count, particles; Done(wobble_world_break_count(Handle, &count, &particles)); return (int)particles; }
        }

        public int ReadBreaks(Break* breaks, int capacity)
        {
            uint count;
            Done(wobble_world_breaks(Handle, breaks, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>Which particle of the body that broke each particle of each piece was.</summary>
        public int ReadBrokenParticles(uint* particles, int capacity)
        {
            uint count;
            Done(wobble_world_broken_particles(Handle, particles, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>The most cracks that open in a step.</summary>
        public int MostFractures
        {
            get { uint most; Done(wobble_world_most_fractures(Handle, &most)); return (int)most; }
            set { Done(wobble_world_set_most_fractures(Handle, (uint)value)); }
        }
    }

    public sealed unsafe partial class Shape
    {
        /// <summary>Where the vertices of a piece's mesh lie in the mesh before it broke.</summary>
        public int ReadSkinSources(SkinSource* sources, int capacity)
        {
            uint count;
            Done(wobble_shape_skin_sources(Handle, sources, (uint)capacity, &count));
            return (int)count;
        }
    }
}
