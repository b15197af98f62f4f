// What happened in the last step, polled; queries; snapshots. Nothing here allocates but what returns an array.

using System;
using static Wobble.NativeMethods;

namespace Wobble
{
    public sealed unsafe partial class World
    {
        // Events of the last step. Each returns how many were written.

        /// <summary>Number of pairs that touched in the last step or parted in it.</summary>
        public int ContactCount
        {
            get { uint count; Done(wobble_world_contact_count(Handle, &count)); return (int)count; }
        }

        public int ReadContacts(Contact* contacts, int capacity)
        {
            uint count;
            Done(wobble_world_contacts(Handle, contacts, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>Bodies that fell asleep; room for <see cref="BodyCount"/> is always enough.</summary>
        public int ReadSlept(BodyHandle* bodies, int capacity)
        {
            uint count;
            Done(wobble_world_slept(Handle, bodies, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>Bodies that woke.</summary>
        public int ReadWoke(BodyHandle* bodies, int capacity)
        {
            uint count;
            Done(wobble_world_woke(Handle, bodies, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>Bodies that went out of bounds, were put back and are frozen.</summary>
        public int ReadNewlyFrozen(BodyHandle* bodies, int capacity)
        {
            uint count;
            Done(wobble_world_newly_frozen(Handle, bodies, (uint)capacity, &count));
            return (int)count;
        }

        public int BrokenAttachmentCount
        {
            get { uint count; Done(wobble_world_broken_attachment_count(Handle, &count)); return (int)count; }
        }

        /// <summary>Attachments that broke. They are gone: the handles only tell which.</summary>
        public int ReadBrokenAttachments(AttachmentHandle* attachments, int capacity)
        {
            uint count;
            Done(wobble_world_broken_attachments(Handle, attachments, (uint)capacity, &count));
            return (int)count;
        }

        // Queries.

        /// <summary>The first body or collider that a ray meets.</summary>
        public Hit CastRay(Vec3 origin, Vec3 direction, float most) => CastRay(origin, direction, most, Groups.Default);

        public Hit CastRay(Vec3 origin, Vec3 direction, float most, Groups groups)
        {
            Hit hit;
            Done(wobble_world_cast_ray(Handle, &origin, &direction, most, groups.Group, groups.Mask, &hit));
            return hit;
        }

        /// <summary>The point nearest to a point on the surface of a body or collider.</summary>
        public Hit ClosestPoint(Vec3 point, float most) => ClosestPoint(point, most, Groups.Default);

        public Hit ClosestPoint(Vec3 point, float most, Groups groups)
        {
            Hit hit;
            Done(wobble_world_closest_point(Handle, &point, most, groups.Group, groups.Mask, &hit));
            return hit;
        }

        /// <summary>The bodies and colliders that a sphere has points in common with; returns how many.</summary>
        public int OverlapSphere(Vec3 centre, float radius, Groups groups, Partner* found, int capacity)
        {
            uint count;
            Done(wobble_world_overlap_sphere(
                Handle, &centre, radius, groups.Group, groups.Mask, found, (uint)capacity, &count));
            return (int)count;
        }

        /// <summary>The bodies and colliders that a turned box has points in common with; returns how many.</summary>
        public int OverlapBox(Vec3 centre, Vec3 halfExtents, Quat rotation, Groups groups, Partner* found, int capacity)
        {
            uint count;
            Done(wobble_world_overlap_box(
                Handle, &centre, &halfExtents, &rotation, groups.Group, groups.Mask, found, (uint)capacity, &count));
            return (int)count;
        }

        // Snapshots.

        /// <summary>The state of the world as bytes. Shapes are not in it.</summary>
        public byte[] Snapshot()
        {
            uint size;
            Done(wobble_world_snapshot_size(Handle, &size));
            var bytes = new byte[size];
            fixed (byte* to = bytes) Done(wobble_world_snapshot(Handle, to, size, &size));
            return bytes;
        }

        /// <summary>
        /// Goes back to a snapshot, of this or another world. `shapes` are those of the snapshot's bodies that no body of
        /// this world has at present. Objects for what was not there at the time are gone.
        /// </summary>
        public void Restore(byte[] snapshot, params Shape[] shapes)
        {
            var handles = Array.ConvertAll(shapes, shape => shape.Handle);
            fixed (byte* bytes = snapshot)
            fixed (ShapeHandle* among = handles)
                Done(wobble_world_restore(Handle, bytes, (uint)Memory.Count(snapshot), among, (uint)handles.Length));
            GC.KeepAlive(shapes);
            ForgetStale();
        }
    }
}
