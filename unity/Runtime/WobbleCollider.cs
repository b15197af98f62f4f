// Lets soft bodies meet Unity's colliders, and pushes rigid bodies back.

using System;
using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>
    /// Mirrors the Collider of this object: box, sphere, capsule, mesh or terrain. Where the object moves, the mirror
    /// moves, and jumps where it moves farther than the world's jump distance; what soft bodies push with goes to the
    /// Rigidbody it belongs to. As in Unity, a mesh that is not convex is a surface: what is in a room of it stays there.
    /// </summary>
    [DisallowMultipleComponent]
    [AddComponentMenu("Wobble/Wobble Collider")]
    public sealed class WobbleCollider : WobblePart
    {
        [Min(0)]
        public float friction = 0.5f;
        [Range(0, 1)]
        public float restitution = 0;
        public Combine combine = Combine.Natural;
        [Tooltip("The groups it is in, a bit each.")]
        public uint group = 1;
        [Tooltip("The groups it meets.")]
        public uint mask = uint.MaxValue;
        [Tooltip("Velocity of the surface in the transform's frame, m/s: a conveyor belt.")]
        public Vector3 conveyor;
        [Tooltip("Of a closed mesh that is not convex: push bodies out of its inside. Off, it is a surface with two sides, as in Unity.")]
        public bool solid = false;
        [Tooltip("Give the Rigidbody what soft bodies push with.")]
        public bool pushesBack = true;

        Collider mirror;
        UnityEngine.Collider mirrored;
        // From the transform to the collider's own frame.
        Vector3 offset;
        Quaternion turn = Quaternion.identity;
        Vector3 lastPosition;
        Quaternion lastRotation;

        public override bool IsAlive => mirror != null && !mirror.IsDisposed;

        /// <summary>The native collider, after waiting for a step in the background; null while there is none.</summary>
        public Collider Native
        {
            get
            {
                if (Home != null) Home.Finish();
                return IsAlive ? mirror : null;
            }
        }

        internal override void Join(World world)
        {
            mirrored = GetComponent<UnityEngine.Collider>();
            try
            {
                if (mirrored == null) throw new InvalidOperationException("there is no Collider on the object");
                mirror = Mirror(world);
                Home.Know(mirror, this);
                Apply();
            }
            catch (Exception exception) when (IsRefusal(exception))
            {
                Debug.LogError("Wobble: " + name + " has no collider: " + exception.Message, this);
                Leave();
            }
        }

        internal override void Leave()
        {
            if (IsAlive)
            {
                Home.Unknow(mirror);
                mirror.Dispose();
            }
            mirror = null;
        }

        /// <summary>Hands surface, groups and conveyor over; to be called after changing them from a script.</summary>
        public void Apply()
        {
            Check();
            if (Native == null) return;
            mirror.SetSurface(new Surface(friction, restitution, combine));
            mirror.SetGroups(new Groups(group, mask));
            mirror.SetConveyor((Quaternion.Inverse(turn) * conveyor).ToWobble());
        }

        void Check()
        {
            WobbleRange.Keep(ref friction, 0, 1e6f, nameof(friction), this);
            WobbleRange.Keep(ref restitution, 0, 1, nameof(restitution), this);
            WobbleRange.Keep(ref conveyor, nameof(conveyor), this);
        }

        void OnValidate()
        {
            Check();
            if (Application.isPlaying && IsAlive) Apply();
        }

        Collider Mirror(World world)
        {
            var scale = transform.lossyScale;
            if (mirrored is BoxCollider) return MirrorBox(world, (BoxCollider)mirrored, scale);
            if (mirrored is SphereCollider) return MirrorSphere(world, (SphereCollider)mirrored, scale);
            if (mirrored is CapsuleCollider) return MirrorCapsule(world, (CapsuleCollider)mirrored, scale);
            if (mirrored is MeshCollider) return MirrorMesh(world, (MeshCollider)mirrored, scale);
            if (mirrored is TerrainCollider) return MirrorTerrain(world, ((TerrainCollider)mirrored).terrainData);
            throw new InvalidOperationException(
                mirrored.GetType().Name + " is not mirrored; use a box, sphere, capsule, mesh or terrain");
        }

        /// <summary>Where the mirror is, given its own frame within that of the transform.</summary>
        ColliderDef At(ColliderDef def, Vector3 within, Quaternion turned)
        {
            offset = within;
            turn = turned;
            lastPosition = transform.position;
            lastRotation = transform.rotation;
            def.Position = (lastPosition + lastRotation * offset).ToWobble();
            def.Rotation = (lastRotation * turn).ToWobble();
            return def;
        }

        Collider MirrorBox(World world, BoxCollider box, Vector3 scale)
        {
            var half = Vector3.Scale(box.size, scale) * 0.5f;
            var def = ColliderDef.Box(new Vec3(Mathf.Abs(half.x), Mathf.Abs(half.y), Mathf.Abs(half.z)));
            return world.CreateCollider(At(def, Vector3.Scale(box.center, scale), Quaternion.identity));
        }

        Collider MirrorSphere(World world, SphereCollider sphere, Vector3 scale)
        {
            float largest = Mathf.Max(Mathf.Abs(scale.x), Mathf.Max(Mathf.Abs(scale.y), Mathf.Abs(scale.z)));
            var def = ColliderDef.Sphere(sphere.radius * largest);
            return world.CreateCollider(At(def, Vector3.Scale(sphere.center, scale), Quaternion.identity));
        }

        Collider MirrorCapsule(World world, CapsuleCollider capsule, Vector3 scale)
        {
            float x = Mathf.Abs(scale.x), y = Mathf.Abs(scale.y), z = Mathf.Abs(scale.z);
            float along = capsule.direction == 0 ? x : capsule.direction == 1 ? y : z;
            float across = capsule.direction == 0 ? Mathf.Max(y, z) : capsule.direction == 1 ? Mathf.Max(x, z) : Mathf.Max(x, y);
            float radius = capsule.radius * across;
            var turned = capsule.direction == 0 ? Quaternion.Euler(0, 0, 90) :
                capsule.direction == 1 ? Quaternion.identity : Quaternion.Euler(90, 0, 0);
            float half = capsule.height * along * 0.5f - radius;
            // Unity's capsules are never shorter than wide.
            var def = half > 1e-5f ? ColliderDef.Capsule(half, radius) : ColliderDef.Sphere(radius);
            return world.CreateCollider(At(def, Vector3.Scale(capsule.center, scale), turned));
        }

        Collider MirrorMesh(World world, MeshCollider collider, Vector3 scale)
        {
            var mesh = collider.sharedMesh;
            if (mesh == null) throw new InvalidOperationException("the MeshCollider has no mesh");
            if (!mesh.isReadable)
                throw new InvalidOperationException(mesh.name + " cannot be read: switch on Read/Write in its import settings");
            var places = Array.ConvertAll(mesh.vertices, v => Vector3.Scale(v, scale));
            if (collider.convex) places = WobbleHull.Spanning(places);
            var points = Array.ConvertAll(places, v => v.ToWobble());
            var def = At(ColliderDef.Default, Vector3.zero, Quaternion.identity);
            if (collider.convex) return world.CreateHull(points, def);
            var indices = Array.ConvertAll(mesh.triangles, index => (uint)index);
            return solid ? world.CreateMesh(points, indices, def) : world.CreateSurface(points, indices, def);
        }

        /// <summary>Terrains are not turned or scaled, and begin at their corner.</summary>
        Collider MirrorTerrain(World world, TerrainData data)
        {
            if (data == null) throw new InvalidOperationException("the TerrainCollider has no terrain data");
            int side = data.heightmapResolution;
            var samples = data.GetHeights(0, 0, side, side);
            var heights = new float[side * side];
            for (int z = 0; z < side; z++)
                for (int x = 0; x < side; x++) heights[z * side + x] = samples[z, x] * data.size.y;
            var middle = new Vector3(data.size.x / 2, 0, data.size.z / 2);
            var def = At(ColliderDef.Default, middle, Quaternion.identity);
            def.Rotation = Quat.Identity;
            return world.CreateHeightField(
                heights, side, side, data.size.x / (side - 1), data.size.z / (side - 1), def);
        }

        internal override void BeforeStep()
        {
            bool teleports = TakeTeleport();
            if (!IsAlive) return;
            Vector3 position = transform.position;
            Quaternion rotation = transform.rotation;
            // Unity's == takes turns of up to 0.16° for none: they would add up and come at once.
            if (position.Equals(lastPosition) && rotation.Equals(lastRotation)) return;
            bool jumps = teleports || Home.IsJump(lastPosition, position);
            lastPosition = position;
            lastRotation = rotation;
            Vec3 at = (position + rotation * offset).ToWobble();
            Quat turned = (rotation * turn).ToWobble();
            if (jumps) mirror.SetPose(at, turned);
            else mirror.Move(at, turned);
        }

        internal override void AfterStep()
        {
            if (!IsAlive || !pushesBack || mirrored == null) return;
            PushBack(mirrored.attachedRigidbody, mirror.Push, lastPosition + lastRotation * offset);
        }
    }
}
