// Bodies: positions, meshes and measures. Nothing here allocates.

using static Wobble.NativeMethods;

namespace Wobble
{
    public sealed unsafe partial class Body
    {
        public int ParticleCount
        {
            get { uint count; Done(wobble_body_particle_count(Handle, &count)); return (int)count; }
        }

        // Arrays. A stride is bytes from one element to the next, 0 for tightly packed.

        /// <summary>Positions, metres, world space.</summary>
        public void ReadPositions(Vec3* positions, int capacity, int stride = 0) =>
            Done(wobble_body_positions(Handle, (float*)positions, (uint)stride, (uint)capacity));

        /// <summary>Positions between the last two steps: 0 is before the last one, 1 is now.</summary>
        public void ReadPositionsAt(float fraction, Vec3* positions, int capacity, int stride = 0) =>
            Done(wobble_body_positions_at(Handle, fraction, (float*)positions, (uint)stride, (uint)capacity));

        public void ReadPreviousPositions(Vec3* positions, int capacity, int stride = 0) =>
            Done(wobble_body_previous_positions(Handle, (float*)positions, (uint)stride, (uint)capacity));

        public void ReadVelocities(Vec3* velocities, int capacity, int stride = 0) =>
            Done(wobble_body_velocities(Handle, (float*)velocities, (uint)stride, (uint)capacity));

        public void ReadClusterTransforms(int level, Transform* transforms, int capacity) =>
            Done(wobble_body_cluster_transforms(Handle, (uint)level, transforms, 0, (uint)capacity));

        /// <summary>A matrix for each finest cluster, to skin on the GPU with <see cref="Shape.ReadInfluences"/>.</summary>
        public void ReadBones(float fraction, Matrix3x4* matrices, int capacity) =>
            Done(wobble_body_bones(Handle, fraction, (float*)matrices, 0, (uint)capacity));

        /// <summary>Writes the deformed mesh into vertex buffers; returns the box that holds it.</summary>
        public Bounds ReadSkin(SkinBuffers buffers)
        {
            Bounds bounds;
            Done(wobble_body_read_skin(Handle, &buffers, &bounds));
            return bounds;
        }

        /// <summary>
        /// Positions where the library keeps them, 16 bytes apart, in the order of <see cref="Shape.ViewOrder"/>. Good
        /// until the next step or change.
        /// </summary>
        public View ViewPositions
        {
            get { View view; Done(wobble_body_view_positions(Handle, &view)); return view; }
        }

        public View ViewVelocities
        {
            get { View view; Done(wobble_body_view_velocities(Handle, &view)); return view; }
        }

        // One particle.

        public Vec3 PositionOf(int particle)
        {
            Vec3 position;
            Done(wobble_body_position_of(Handle, (uint)particle, &position));
            return position;
        }

        public Vec3 VelocityOf(int particle)
        {
            Vec3 velocity;
            Done(wobble_body_velocity_of(Handle, (uint)particle, &velocity));
            return velocity;
        }

        // Choosing particles. Room for ParticleCount is always enough; each returns how many there are.

        public int ParticlesInBox(Bounds box, Space space, uint* particles, int capacity)
        {
            uint count;
            Done(wobble_body_particles_in_box(Handle, &box, (uint)space, particles, (uint)capacity, &count));
            return (int)count;
        }

        public int ParticlesInSphere(Vec3 centre, float radius, Space space, uint* particles, int capacity)
        {
            uint count;
            Done(wobble_body_particles_in_sphere(
                Handle, &centre, radius, (uint)space, particles, (uint)capacity, &count));
            return (int)count;
        }

        public int NearestParticle(Vec3 point, Space space)
        {
            uint particle;
            Done(wobble_body_nearest_particle(Handle, &point, (uint)space, &particle));
            return (int)particle;
        }

        // Measures.

        public Vec3 CentreOfMass
        {
            get { Vec3 centre; Done(wobble_body_centre_of_mass(Handle, &centre)); return centre; }
        }

        public Vec3 Momentum
        {
            get { Vec3 momentum; Done(wobble_body_momentum(Handle, &momentum)); return momentum; }
        }

        public Vec3 AngularMomentum
        {
            get { Vec3 momentum; Done(wobble_body_angular_momentum(Handle, &momentum)); return momentum; }
        }

        public Bounds Bounds
        {
            get { Bounds bounds; Done(wobble_body_bounds(Handle, &bounds)); return bounds; }
        }

        /// <summary>How far it is from its rest shape, as a share of its size.</summary>
        public float ShapeError
        {
            get { float error; Done(wobble_body_shape_error(Handle, &error)); return error; }
        }

        /// <summary>The present volume over that at rest.</summary>
        public float Volume
        {
            get { float volume; Done(wobble_body_volume(Handle, &volume)); return volume; }
        }

        public float KineticEnergy
        {
            get { float energy; Done(wobble_body_kinetic_energy(Handle, &energy)); return energy; }
        }

        public float ElasticEnergy
        {
            get { float energy; Done(wobble_body_elastic_energy(Handle, &energy)); return energy; }
        }

        /// <summary>Whether it went out of bounds, was put back and waits to be reset or teleported.</summary>
        public bool IsFrozen
        {
            get { uint frozen; Done(wobble_body_is_frozen(Handle, &frozen)); return frozen != 0; }
        }
    }
}
