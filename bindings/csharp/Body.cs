// Bodies: moving and holding them.

using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>A soft body. Particles count from 0 in the order the points of its shape were given in.</summary>
    public sealed unsafe partial class Body : Inhabitant
    {
        internal Body(World world, ulong bits) : base(world, bits) { }

        public BodyHandle Handle => new BodyHandle { Bits = Bits };

        internal override int Destroy(ulong bits) => wobble_body_destroy(new BodyHandle { Bits = bits });

        /// <summary>Its shape, with a reference of its own: dispose of it when done.</summary>
        public Shape GetShape()
        {
            ShapeHandle shape;
            Done(wobble_body_shape(Handle, &shape));
            return new Shape(shape);
        }

        /// <summary>The handle of the world it lives in, as the library has it.</summary>
        public WorldHandle WorldHandle
        {
            get { WorldHandle world; Done(wobble_body_world(Handle, &world)); return world; }
        }

        // Moving.

        public bool Enabled
        {
            get { uint enabled; Done(wobble_body_is_enabled(Handle, &enabled)); return enabled != 0; }
            set { Done(wobble_body_set_enabled(Handle, value ? 1u : 0u)); }
        }

        public void SetVelocity(Vec3 v) => Done(wobble_body_set_velocity(Handle, v.X, v.Y, v.Z));

        /// <summary>Puts the centre of mass at `position`, and the body about it in its rest shape, turned by `rotation`
        /// and at rest. Dents, cuts and breaks stay; Reset ends them. Pins go along; frames that hold it are put there
        /// by Attachment.SetPose.</summary>
        public void Teleport(Vec3 position, Quat rotation) => Done(wobble_body_teleport(Handle, &position, &rotation));

        /// <summary>Back to the rest shape, upright and at rest, where it is.</summary>
        public void Reset() => Done(wobble_body_reset(Handle));

        /// <summary>Newtons on the whole body during the next step.</summary>
        public void ApplyForce(Vec3 f) => Done(wobble_body_apply_force(Handle, f.X, f.Y, f.Z));

        public void ApplyForceTo(int particle, Vec3 f) =>
            Done(wobble_body_apply_force_to(Handle, (uint)particle, f.X, f.Y, f.Z));

        /// <summary>Newton seconds on the whole body at once.</summary>
        public void ApplyImpulse(Vec3 j) => Done(wobble_body_apply_impulse(Handle, j.X, j.Y, j.Z));

        public void ApplyImpulseTo(int particle, Vec3 j) =>
            Done(wobble_body_apply_impulse_to(Handle, (uint)particle, j.X, j.Y, j.Z));

        /// <summary>To the particles within `radius` of a point, more to nearer ones.</summary>
        public void ApplyImpulseAt(Vec3 point, Vec3 impulse, float radius) =>
            Done(wobble_body_apply_impulse_at(Handle, &point, &impulse, radius));

        public void ApplyTorqueImpulse(Vec3 j) => Done(wobble_body_apply_torque_impulse(Handle, j.X, j.Y, j.Z));

        public void SetPositionOf(int particle, Vec3 p) =>
            Done(wobble_body_set_position_of(Handle, (uint)particle, p.X, p.Y, p.Z));

        public void SetVelocityOf(int particle, Vec3 v) =>
            Done(wobble_body_set_velocity_of(Handle, (uint)particle, v.X, v.Y, v.Z));

        public void SetPositions(Vec3* positions, int count, int stride = 0) =>
            Done(wobble_body_set_positions(Handle, (float*)positions, (uint)count, (uint)stride));

        public void SetVelocities(Vec3* velocities, int count, int stride = 0) =>
            Done(wobble_body_set_velocities(Handle, (float*)velocities, (uint)count, (uint)stride));

        // Holding.

        public void Pin(int particle) => Done(wobble_body_pin(Handle, (uint)particle));

        public void Unpin(int particle) => Done(wobble_body_unpin(Handle, (uint)particle));

        /// <summary>Moves a pinned particle in the course of the next step.</summary>
        public void MovePin(int particle, Vec3 p) => Done(wobble_body_move_pin(Handle, (uint)particle, p.X, p.Y, p.Z));

        public bool IsPinned(int particle)
        {
            uint pinned;
            Done(wobble_body_is_pinned(Handle, (uint)particle, &pinned));
            return pinned != 0;
        }

        public int PinCount
        {
            get { uint count; Done(wobble_body_pin_count(Handle, &count)); return (int)count; }
        }

        /// <summary>The pinned particles, in the order they were pinned in; returns how many.</summary>
        public int ReadPins(uint* particles, int capacity)
        {
            uint count;
            Done(wobble_body_pins(Handle, particles, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>Holds particles to a frame that <see cref="Attachment.Move"/> moves.</summary>
        public Attachment Attach(uint[] particles, AttachmentDef def)
        {
            AttachmentHandle made;
            fixed (uint* numbers = particles)
                Done(wobble_body_attach(Handle, numbers, (uint)Memory.Count(particles), &def, &made));
            return World.Find(made);
        }

        /// <summary>Joins it to another body, or to another place of itself.</summary>
        public Attachment Join(Body other, JointDef def)
        {
            AttachmentHandle made;
            Done(wobble_body_join(Handle, other.Handle, &def, &made));
            return World.Find(made);
        }

        /// <summary>Takes hold of a point to drag it by a spring of bounded force.</summary>
        public Attachment Drag(DragDef def)
        {
            AttachmentHandle made;
            Done(wobble_body_drag(Handle, &def, &made));
            return World.Find(made);
        }

        // Snapshots.

        /// <summary>Its state as bytes, material and level weights included, its shape not.</summary>
        public byte[] Snapshot()
        {
            uint size;
            Done(wobble_body_snapshot_size(Handle, &size));
            var bytes = new byte[size];
            fixed (byte* to = bytes) Done(wobble_body_snapshot(Handle, to, size, &size));
            return bytes;
        }

        public void Restore(byte[] snapshot)
        {
            fixed (byte* bytes = snapshot) Done(wobble_body_restore(Handle, bytes, (uint)Memory.Count(snapshot)));
        }
    }
}
