// Attachments, joints and drags; force fields.

using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>Held particles, a joint or a drag. It may break: then calls are refused as stale.</summary>
    public sealed unsafe class Attachment : Inhabitant
    {
        internal Attachment(World world, ulong bits) : base(world, bits) { }

        public AttachmentHandle Handle => new AttachmentHandle { Bits = Bits };

        internal override int Destroy(ulong bits) => wobble_attachment_destroy(new AttachmentHandle { Bits = bits });

        /// <summary>Moves the frame of held particles, or the target of a drag, in the course of the next step: what is
        /// held is swept along and has its velocity. To jump, use SetPose.</summary>
        public void Move(Vec3 position, Quat rotation) => Done(wobble_attachment_move(Handle, &position, &rotation));

        /// <summary>Puts the frame, or the target of a drag, somewhere at once, without velocity, as when a character is
        /// teleported. Particles stay where they are: put their body there too, before the next step.</summary>
        public void SetPose(Vec3 position, Quat rotation) =>
            Done(wobble_attachment_set_pose(Handle, &position, &rotation));

        /// <summary>What it took in the last step, for a rigid body that carries the frame.</summary>
        public Push Push
        {
            get
            {
                var push = new Push();
                Done(wobble_attachment_impulse(Handle, &push.Impulse, &push.TorqueImpulse));
                return push;
            }
        }
    }

    /// <summary>Wind, an attractor or water.</summary>
    public sealed unsafe class Field : Inhabitant
    {
        internal Field(World world, ulong bits) : base(world, bits) { }

        public FieldHandle Handle => new FieldHandle { Bits = Bits };

        internal override int Destroy(ulong bits) => wobble_field_destroy(new FieldHandle { Bits = bits });

        /// <summary>What it does, and on whom. Gusts go on when it is set.</summary>
        public FieldDef Definition
        {
            get
            {
                var def = FieldDef.Default;
                Done(wobble_field_definition(Handle, &def));
                return def;
            }
            set { Done(wobble_field_set_definition(Handle, &value)); }
        }
    }
}
