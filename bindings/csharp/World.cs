// Worlds: stepping, settings, what lives in them.

using System;
using System.Collections.Generic;
using System.Runtime.ConstrainedExecution;
using System.Threading;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>
    /// A world with all that lives in it. Dispose of it to end its threads at once; the collector does so in the end.
    /// </summary>
    public sealed unsafe partial class World : CriticalFinalizerObject, IDisposable
    {
        readonly Dictionary<ulong, Inhabitant> inhabitants = new Dictionary<ulong, Inhabitant>();
        long bits;

        public World() : this(WorldDef.Default) { }

        public World(WorldDef def)
        {
            Library.CheckAbi();
            WorldHandle made;
            WobbleException.Check(wobble_world_create(&def, &made));
            bits = (long)made.Bits;
            Library.Add(made.Bits, this);
        }

        ~World()
        {
            End(false);
        }

        public bool IsDisposed => Interlocked.Read(ref bits) == 0;

        public WorldHandle Handle
        {
            get
            {
                long now = Interlocked.Read(ref bits);
                if (now == 0) throw new ObjectDisposedException(nameof(World));
                return new WorldHandle { Bits = (ulong)now };
            }
        }

        /// <summary>Ends the world, on any thread; waits for a step in the background.</summary>
        public void Dispose()
        {
            End(true);
            GC.SuppressFinalize(this);
        }

        void End(bool disposing)
        {
            ulong was = (ulong)Interlocked.Exchange(ref bits, 0);
            if (was == 0) return;
            Library.Remove(was);
            wobble_world_destroy(new WorldHandle { Bits = was });
            // A finalizer must not touch other objects.
            if (!disposing) return;
            lock (inhabitants)
            {
                foreach (var inhabitant in inhabitants.Values) inhabitant.Leave();
                inhabitants.Clear();
            }
        }

        void Done(int status)
        {
            GC.KeepAlive(this);
            if (status != WOBBLE_STATUS_OK) throw WobbleException.Last(status);
        }

        // Stepping.

        /// <summary>Moves the world on by dt seconds, above 0 and up to 10.</summary>
        public void Step(float dt) => Done(wobble_world_step(Handle, dt));

        /// <summary>
        /// Begins a step in the background. Until it is waited for, bodies are read as they were before it, and changes
        /// are refused as busy.
        /// </summary>
        public void BeginStep(float dt) => Done(wobble_world_step_begin(Handle, dt));

        /// <summary>False while a step runs in the background.</summary>
        public bool IsStepDone
        {
            get { uint done; Done(wobble_world_step_is_done(Handle, &done)); return done != 0; }
        }

        /// <summary>Waits for the step in the background, if there is one.</summary>
        public void WaitForStep() => Done(wobble_world_step_wait(Handle));

        internal void AwaitStep()
        {
            long now = Interlocked.Read(ref bits);
            if (now != 0) wobble_world_step_wait(new WorldHandle { Bits = (ulong)now });
            GC.KeepAlive(this);
        }

        // Settings.

        public Vec3 Gravity
        {
            get { Vec3 gravity; Done(wobble_world_gravity(Handle, &gravity)); return gravity; }
            set { Done(wobble_world_set_gravity(Handle, value.X, value.Y, value.Z)); }
        }

        /// <summary>Threads that step; 0 takes all cores.</summary>
        public int Threads
        {
            get { uint threads; Done(wobble_world_threads(Handle, &threads)); return (int)threads; }
            set { Done(wobble_world_set_threads(Handle, (uint)value)); }
        }

        public int Substeps
        {
            get { uint substeps; Done(wobble_world_substeps(Handle, &substeps)); return (int)substeps; }
            set { Done(wobble_world_set_substeps(Handle, (uint)value)); }
        }

        /// <summary>Whether bodies push each other apart where they touch.</summary>
        public bool BodiesMeet
        {
            get { uint meet; Done(wobble_world_bodies_meet(Handle, &meet)); return meet != 0; }
            set { Done(wobble_world_set_bodies_meet(Handle, value ? 1u : 0u)); }
        }

        public Sleeping Sleeping
        {
            get
            {
                uint enabled;
                float speed;
                Done(wobble_world_sleeping(Handle, &enabled, &speed));
                return new Sleeping { Enabled = enabled != 0, Speed = speed };
            }
            set { Done(wobble_world_set_sleeping(Handle, value.Enabled ? 1u : 0u, value.Speed)); }
        }

        public ContactReporting ContactReporting
        {
            get
            {
                float threshold;
                uint most;
                Done(wobble_world_contact_reporting(Handle, &threshold, &most));
                return new ContactReporting { Threshold = threshold, Most = (int)most };
            }
            set { Done(wobble_world_set_contact_reporting(Handle, value.Threshold, (uint)value.Most)); }
        }

        public void WakeAll() => Done(wobble_world_wake_all(Handle));

        /// <summary>Pushes all particles within its reach away from a point, at once.</summary>
        public void Explode(Vec3 centre, float radius, float speed, uint mask = uint.MaxValue) =>
            Done(wobble_world_explode(Handle, &centre, radius, speed, mask));

        // What can be told of it.

        /// <summary>Where the time of the last step went.</summary>
        public Profile Profile
        {
            get
            {
                var profile = new Profile { StructSize = (uint)sizeof(Profile) };
                Done(wobble_world_profile(Handle, &profile));
                return profile;
            }
        }

        public Statistics Statistics
        {
            get
            {
                var statistics = new Statistics { StructSize = (uint)sizeof(Statistics) };
                Done(wobble_world_statistics(Handle, &statistics));
                return statistics;
            }
        }

        /// <summary>Changes with any bit of any body; equal after equal calls, on any number of threads and on
        /// every x86-64 machine.</summary>
        public ulong StateHash
        {
            get { ulong hash; Done(wobble_world_state_hash(Handle, &hash)); return hash; }
        }

        // Making.

        public Body CreateBody(Shape shape) => CreateBody(shape, BodyDef.Default);

        public Body CreateBody(Shape shape, BodyDef def)
        {
            if (shape == null) throw new ArgumentNullException(nameof(shape));
            BodyHandle made;
            int status = wobble_body_create(Handle, shape.Handle, &def, &made);
            GC.KeepAlive(shape);
            Done(status);
            return Find(made);
        }

        public Body CreateBody(Shape shape, BodyDef def, Material material)
        {
            def.Material = &material;
            return CreateBody(shape, def);
        }

        /// <summary>The ground.</summary>
        public Collider CreateCollider() => CreateCollider(ColliderDef.Default);

        public Collider CreateCollider(ColliderDef def)
        {
            ColliderHandle made;
            Done(wobble_collider_create(Handle, &def, &made));
            return Find(made);
        }

        /// <summary>
        /// The meshes of many bodies of this world at once, several at a time on its threads; one of the buffers a body, which
        /// must not overlap. The boxes that hold them go into <paramref name="bounds"/>, if that is given. No garbage for up
        /// to 256 bodies.
        /// </summary>
        public void ReadSkins(Body[] bodies, SkinBuffers[] buffers, Bounds[] bounds = null)
        {
            int count = Memory.Count(bodies);
            if (Memory.Count(buffers) < count || (bounds != null && bounds.Length < count))
                throw new ArgumentException("there must be one for each body", nameof(buffers));
            const int few = 256;
            var handles = stackalloc BodyHandle[few];
            fixed (BodyHandle* many = count > few ? new BodyHandle[count] : null)
            fixed (SkinBuffers* into = buffers)
            fixed (Bounds* boxes = bounds)
            {
                var all = count > few ? many : handles;
                for (int i = 0; i < count; i++) all[i] = bodies[i].Handle;
                Done(wobble_world_read_skins(Handle, all, into, (uint)count, boxes));
            }
        }

        /// <summary>The convex hull of 4 to 1024 points.</summary>
        public Collider CreateHull(Vec3[] points, ColliderDef def)
        {
            fixed (Vec3* at = points)
            {
                def.Kind = WOBBLE_COLLIDER_HULL;
                def.Points = (float*)at;
                def.PointCount = (uint)Memory.Count(points);
                return CreateCollider(def);
            }
        }

        /// <summary>Triangles, three indices each. Closed ones are solid.</summary>
        public Collider CreateMesh(Vec3[] points, uint[] indices, ColliderDef def) =>
            CreateTriangles(WOBBLE_COLLIDER_MESH, points, indices, def);

        /// <summary>Triangles with two sides and no inside, closed or not: what is in a room of them stays there.</summary>
        public Collider CreateSurface(Vec3[] points, uint[] indices, ColliderDef def) =>
            CreateTriangles(WOBBLE_COLLIDER_SURFACE, points, indices, def);

        Collider CreateTriangles(uint kind, Vec3[] points, uint[] indices, ColliderDef def)
        {
            fixed (Vec3* at = points)
            fixed (uint* corners = indices)
            {
                def.Kind = kind;
                def.Points = (float*)at;
                def.PointCount = (uint)Memory.Count(points);
                def.Indices = corners;
                def.IndexCount = (uint)Memory.Count(indices);
                return CreateCollider(def);
            }
        }

        /// <summary>Heights along y over a grid about the position, row by row along z.</summary>
        public Collider CreateHeightField(float[] heights, int columns, int rows, float spacingX, float spacingZ, ColliderDef def)
        {
            if (Memory.Count(heights) != (long)columns * rows)
                throw new ArgumentException("there must be columns times rows heights", nameof(heights));
            fixed (float* at = heights)
            {
                def.Kind = WOBBLE_COLLIDER_HEIGHT_FIELD;
                def.Heights = at;
                def.Columns = (uint)columns;
                def.Rows = (uint)rows;
                def.SpacingX = spacingX;
                def.SpacingZ = spacingZ;
                return CreateCollider(def);
            }
        }

        public Field CreateField(FieldDef def)
        {
            FieldHandle made;
            Done(wobble_field_create(Handle, &def, &made));
            return Find(made);
        }
    }
}
