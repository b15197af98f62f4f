// Colliders.

using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>What bodies run into.</summary>
    public sealed unsafe class Collider : Inhabitant
    {
        internal Collider(World world, ulong bits) : base(world, bits) { }

        public ColliderHandle Handle => new ColliderHandle { Bits = Bits };

        internal override int Destroy(ulong bits) => wobble_collider_destroy(new ColliderHandle { Bits = bits });

        /// <summary>How it is set up at present; points, indices and heights are not given back.</summary>
        public ColliderDef Definition
        {
            get
            {
                var def = ColliderDef.Default;
                Done(wobble_collider_definition(Handle, &def));
                return def;
            }
        }

        /// <summary>False for a mesh that is not closed.</summary>
        public bool IsSolid
        {
            get { uint solid; Done(wobble_collider_is_solid(Handle, &solid)); return solid != 0; }
        }

        public Pose Pose
        {
            get
            {
                var pose = new Pose();
                Done(wobble_collider_pose(Handle, &pose.Position, &pose.Rotation));
                return pose;
            }
        }

        /// <summary>A jump: puts it somewhere at once. It meets nothing on its way and takes nothing along; bodies that
        /// jump with it are teleported.</summary>
        public void SetPose(Vec3 position, Quat rotation) => Done(wobble_collider_set_pose(Handle, &position, &rotation));

        /// <summary>Lets the next step take it there, with the velocity of that way: it pushes what is in it and drags
        /// along what lies on it. Not for jumps: ground moved by 1 km in a step throws a body that was teleported with
        /// it kilometres away; use SetPose.</summary>
        public void Move(Vec3 position, Quat rotation) => Done(wobble_collider_move(Handle, &position, &rotation));

        public void SetVelocity(Vec3 velocity, Vec3 angular) => Done(wobble_collider_set_velocity(Handle, &velocity, &angular));

        /// <summary>Velocity of its surface against itself, in its own frame: a conveyor belt.</summary>
        public void SetConveyor(Vec3 velocity) =>
            Done(wobble_collider_set_conveyor(Handle, velocity.X, velocity.Y, velocity.Z));

        public void SetSurface(Surface surface) =>
            Done(wobble_collider_set_surface(Handle, surface.Friction, surface.Restitution, (uint)surface.Combine));

        public void SetGroups(Groups groups) => Done(wobble_collider_set_groups(Handle, groups.Group, groups.Mask));

        public void SetEnabled(bool enabled) => Done(wobble_collider_set_enabled(Handle, enabled ? 1u : 0u));

        /// <summary>What bodies gave it in the last step, for a rigid body of the host's.</summary>
        public Push Push
        {
            get
            {
                var push = new Push();
                Done(wobble_collider_impulse(Handle, &push.Impulse, &push.TorqueImpulse));
                return push;
            }
        }
    }
}
