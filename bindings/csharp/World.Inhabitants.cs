// Who lives in a world: handles, as events and lists have them, and the objects that stand for them.

using System;
using System.Collections.Generic;
using static Wobble.NativeMethods;

namespace Wobble
{
    public sealed unsafe partial class World
    {
        /// <summary>The object for a handle of a contact, a hit or a list; null for null. Does not allocate twice.</summary>
        public Body Find(BodyHandle handle)
        {
            if (handle.Bits == 0) return null;
            lock (inhabitants) return (Body)(Known(handle.Bits) ?? Add(new Body(this, handle.Bits)));
        }

        public Collider Find(ColliderHandle handle)
        {
            if (handle.Bits == 0) return null;
            lock (inhabitants) return (Collider)(Known(handle.Bits) ?? Add(new Collider(this, handle.Bits)));
        }

        public Attachment Find(AttachmentHandle handle)
        {
            if (handle.Bits == 0) return null;
            lock (inhabitants) return (Attachment)(Known(handle.Bits) ?? Add(new Attachment(this, handle.Bits)));
        }

        public Field Find(FieldHandle handle)
        {
            if (handle.Bits == 0) return null;
            lock (inhabitants) return (Field)(Known(handle.Bits) ?? Add(new Field(this, handle.Bits)));
        }

        Inhabitant Known(ulong handle)
        {
            Inhabitant found;
            return inhabitants.TryGetValue(handle, out found) ? found : null;
        }

        Inhabitant Add(Inhabitant inhabitant)
        {
            inhabitants.Add(inhabitant.Bits, inhabitant);
            return inhabitant;
        }

        internal void Forget(ulong handle)
        {
            lock (inhabitants) inhabitants.Remove(handle);
        }

        /// <summary>Objects whose handles name nothing any more, after a restore, are gone.</summary>
        void ForgetStale()
        {
            var alive = new HashSet<ulong>();
            foreach (var body in Bodies()) alive.Add(body.Bits);
            foreach (var collider in Colliders()) alive.Add(collider.Bits);
            foreach (var attachment in Attachments()) alive.Add(attachment.Bits);
            foreach (var field in Fields()) alive.Add(field.Bits);
            lock (inhabitants)
            {
                var gone = new List<ulong>();
                foreach (var handle in inhabitants.Keys) if (!alive.Contains(handle)) gone.Add(handle);
                foreach (var handle in gone)
                {
                    inhabitants[handle].Leave();
                    inhabitants.Remove(handle);
                }
            }
        }

        public int BodyCount
        {
            get { uint count; Done(wobble_world_body_count(Handle, &count)); return (int)count; }
        }

        public int ColliderCount
        {
            get { uint count; Done(wobble_world_collider_count(Handle, &count)); return (int)count; }
        }

        public int AttachmentCount
        {
            get { uint count; Done(wobble_world_attachment_count(Handle, &count)); return (int)count; }
        }

        public int FieldCount
        {
            get { uint count; Done(wobble_world_field_count(Handle, &count)); return (int)count; }
        }

        /// <summary>All bodies, in a fixed order.</summary>
        public Body[] Bodies()
        {
            var handles = new BodyHandle[BodyCount];
            uint count;
            fixed (BodyHandle* to = handles) Done(wobble_world_bodies(Handle, to, (uint)handles.Length, &count));
            return Array.ConvertAll(handles, Find);
        }

        /// <summary>All colliders, in a fixed order.</summary>
        public Collider[] Colliders()
        {
            var handles = new ColliderHandle[ColliderCount];
            uint count;
            fixed (ColliderHandle* to = handles) Done(wobble_world_colliders(Handle, to, (uint)handles.Length, &count));
            return Array.ConvertAll(handles, Find);
        }

        /// <summary>All attachments, joints and drags, in the order they were made.</summary>
        public Attachment[] Attachments()
        {
            var handles = new AttachmentHandle[AttachmentCount];
            uint count;
            fixed (AttachmentHandle* to = handles)
                Done(wobble_world_attachments(Handle, to, (uint)handles.Length, &count));
            return Array.ConvertAll(handles, Find);
        }

        /// <summary>All force fields, in the order they were made.</summary>
        public Field[] Fields()
        {
            var handles = new FieldHandle[FieldCount];
            uint count;
            fixed (FieldHandle* to = handles) Done(wobble_world_fields(Handle, to, (uint)handles.Length, &count));
            return Array.ConvertAll(handles, Find);
        }
    }
}
