// A soft body: MeshFilter in, deforming mesh out.

using System;
using System.Collections.Generic;
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
using UnityEngine;
using UnityEngine.Events;

namespace Wobble.Unity
{
    /// <summary>How the levels of a body share the pull.</summary>
    public enum WobbleWeighting
    {
        /// <summary>As the material's substance says; uniform for a custom one.</summary>
        OfMaterial,
        Uniform,
        LinearFine,
        LinearCoarse,
        GaussianFine,
        GaussianCoarse,
        ByHand,
    }

    /// <summary>
    /// A soft body of the mesh in the MeshFilter. The transform follows its centre of mass; one that is moved from
    /// outside takes the body along, bent as it is. Bodies with painted pins do not move their transform: moving it
    /// moves the pins.
    /// </summary>
    [RequireComponent(typeof(MeshFilter))]
    [DisallowMultipleComponent]
    [AddComponentMenu("Wobble/Wobble Body")]
    public sealed unsafe partial class WobbleBody : WobblePart
    {
        [Tooltip("A baked shape. Without one the mesh is filled when the body starts, which takes a while.")]
        public WobbleShapeAsset shapeAsset;
        [Tooltip("Without a baked shape: about this many particles."), Range(8, 20000)]
        public int particles = 500;
        [Tooltip("Without a baked shape: kg/m³."), Min(1e-3f)]
        public float density = 1000;
        [Tooltip("Without a baked shape: particles at vertices painted with 0.5 or more start pinned.")]
        public WobblePinChannel pinnedBy = WobblePinChannel.None;
        [Tooltip("Without a baked shape: multiplies the material's toughness. 1 is as tough as the material, less is weaker.")]
        public WobblePinChannel toughnessFrom = WobblePinChannel.None;
        public WobbleMaterial material;
        public WobbleWeighting weighting = WobbleWeighting.OfMaterial;
        [Tooltip("By hand, finest level first.")]
        public float[] levelWeights = new float[0];
        [Tooltip("Particles held to transforms.")]
        public List<WobblePin> pins = new List<WobblePin>();
        public Vector3 startVelocity;
        [Tooltip("The groups it is in, a bit each.")]
        public uint group = 1;
        [Tooltip("The groups it meets.")]
        public uint mask = uint.MaxValue;
        [Tooltip("Allow this body to sleep when it comes to rest. One that sleeps pushes nothing: switch this off where it lies on rigid bodies.")]
        public bool canSleep = true;
        public WobbleContactEvent onContact = new WobbleContactEvent();
        [Tooltip("It broke or was cut: hears itself, which is the largest piece, and the others.")]
        public WobbleFractureEvent onFracture = new WobbleFractureEvent();
        public UnityEvent onSleep = new UnityEvent();
        public UnityEvent onWake = new UnityEvent();

        readonly List<WobbleGrip> held = new List<WobbleGrip>();
        Body body;
        Mesh source, deformed;
        NativeArray<Vector3> positions, normals;
        NativeArray<Vector4> tangents;
        Vec3 centre;
        Vector3 lastPosition;
        Quaternion lastRotation;
        Vec3[] painted, scratch;
        uint[] paintedParticles;
        int materialVersion;
        // Since the last step, from outside.
        bool moved;

        public override bool IsAlive => body != null && !body.IsDisposed;

        /// <summary>The native body, after waiting for a step in the background; null while there is none.</summary>
        public Body Body
        {
            get
            {
                if (Home != null) Home.Finish();
                return IsAlive ? body : null;
            }
        }

        /// <summary>The mesh that deforms; null while there is no body.</summary>
        public Mesh DeformedMesh => deformed;

        internal override void Join(World world)
        {
            if (adopted != null)
            {
                Adopt();
                return;
            }
            Check();
            var filter = GetComponent<MeshFilter>();
            source = filter.sharedMesh;
            Shape built = null;
            try
            {
                if (isPiece)
                {
                    BeginAgain(world);
                    return;
                }
                var shape = shapeAsset != null ? shapeAsset.Shape : null;
                if (shape == null)
                    shape = built = WobbleShapeAsset.Build(
                        source, transform.lossyScale, particles, density, false, pinnedBy, null, toughnessFrom);
                Make(world, shape);
                Dress(filter, shape);
            }
            catch (Exception exception) when (IsRefusal(exception))
            {
                Debug.LogError("Wobble: " + name + " has no body: " + exception.Message, this);
                Leave();
            }
            finally
            {
                if (built != null) built.Dispose();
            }
        }

        void Make(World world, Shape shape)
        {
            centre = shape.Centre;
            var def = BodyDef.Default;
            def.Position = (transform.position + transform.rotation * centre.ToUnity()).ToWobble();
            def.Rotation = transform.rotation.ToWobble();
            def.Velocity = startVelocity.ToWobble();
            def.Group = group;
            def.Mask = mask;
            def.CanSleep = canSleep ? 1u : 0u;
            body = world.CreateBody(shape, def);
            scratch = new Vec3[shape.ParticleCount];
            Home.Know(body, this);
            Apply();
            Remember();
            FindPainted(shape);
            TakeHold();
        }

        void TakeHold()
        {
            foreach (var pin in pins)
            {
                if (pin.frame == null) continue;
                var chosen = pin.region.Choose(body, pin.frame);
                if (chosen.Length > 0) held.Add(new WobbleGrip(pin, body, chosen));
            }
        }

        void FindPainted(Shape shape)
        {
            paintedParticles = new uint[shape.PinCount];
            painted = new Vec3[paintedParticles.Length];
            fixed (uint* into = paintedParticles) shape.ReadPins(into, paintedParticles.Length);
            var rest = new Vec3[shape.ParticleCount];
            fixed (Vec3* into = rest) shape.ReadRestPositions(into, rest.Length);
            for (int i = 0; i < painted.Length; i++) painted[i] = rest[paintedParticles[i]] + centre;
        }

        internal override void Leave()
        {
            held.Clear();
            if (IsAlive)
            {
                Home.Unknow(body);
                body.Dispose();
            }
            body = null;
            Undress();
            Store();
        }

        /// <summary>Hands material, weights, surface and groups over; to be called after changing them from a script.</summary>
        public void Apply()
        {
            Check();
            if (Body == null) return;
            // Before what may be refused, which would be tried again in every step.
            materialVersion = material != null ? material.Version : 0;
            string preset = material != null ? material.PresetName : null;
            if (preset != null) body.SetPreset(preset);
            else
            {
                body.Material = material != null ? material.ToNative() : Material.Default;
                body.SetWeighting("uniform");
            }
            if (material != null)
            {
                body.Surface = material.Surface;
                body.Plasticity = material.Plasticity;
                body.Fracture = material.Fracture;
            }
            if (body.Groups.Group != group || body.Groups.Mask != mask) body.Groups = new Groups(group, mask);
            body.CanSleep = canSleep;
            ApplyWeights();
        }

        void ApplyWeights()
        {
            switch (weighting)
            {
                case WobbleWeighting.Uniform: body.SetWeighting("uniform"); break;
                case WobbleWeighting.LinearFine: body.SetWeighting("linear_fine"); break;
                case WobbleWeighting.LinearCoarse: body.SetWeighting("linear_coarse"); break;
                case WobbleWeighting.GaussianFine: body.SetWeighting("gaussian_fine"); break;
                case WobbleWeighting.GaussianCoarse: body.SetWeighting("gaussian_coarse"); break;
                case WobbleWeighting.ByHand: SetLevelWeights(levelWeights); break;
            }
        }

        /// <summary>Weights finest first, 0 or more; those that are missing count as 0. All 0 leaves them as they are.</summary>
        public void SetLevelWeights(float[] weights)
        {
            if (Body == null || weights == null) return;
            int levels = body.LevelCount;
            float* all = stackalloc float[levels];
            float sum = 0;
            for (int i = 0; i < levels; i++) sum += all[i] = i < weights.Length ? Mathf.Max(0, weights[i]) : 0;
            if (sum > 0) body.SetLevelWeights(all, levels);
        }

        void Check()
        {
            if (material != null) material.Check();
            WobbleRange.Keep(ref particles, 8, 20000, nameof(particles), this);
            WobbleRange.Keep(ref density, 1e-3f, WobbleRange.Largest, nameof(density), this);
            WobbleRange.Keep(ref startVelocity, nameof(startVelocity), this);
            if (levelWeights == null) levelWeights = new float[0];
            for (int i = 0; i < levelWeights.Length; i++)
                WobbleRange.Keep(ref levelWeights[i], 0, WobbleRange.Largest, nameof(levelWeights), this);
        }

        void OnValidate()
        {
            Check();
            if (Application.isPlaying && IsAlive) Apply();
        }

        internal override void BeforeStep()
        {
            if (!IsAlive) return;
            if (material != null && material.Version != materialVersion) Apply();
            bool teleports = TakeTeleport();
            MoveAlong(teleports);
            for (int i = 0; i < held.Count; i++) held[i].Follow(this, teleports);
        }

        /// <summary>Does nothing unless the transform was moved from outside.</summary>
        void MoveAlong(bool teleports)
        {
            Vector3 position = transform.position;
            Quaternion rotation = transform.rotation;
            // Unity's == takes turns of up to 0.16° for none: they would add up and come at once.
            if (position.Equals(lastPosition) && rotation.Equals(lastRotation)) return;
            moved = true;
            bool asAWhole = painted.Length == 0 || teleports || Home.IsJump(lastPosition, position);
            if (asAWhole) Shift(position, rotation * Quaternion.Inverse(lastRotation));
            for (int i = 0; i < painted.Length; i++)
                body.MovePin((int)paintedParticles[i], (position + rotation * painted[i].ToUnity()).ToWobble());
            Remember();
        }

        /// <summary>Takes what holds some of it to a transform. Where that has jumped, the whole body goes along.</summary>
        internal void Lead(Attachment hold, UnityEngine.Transform frame, ref Vector3 position, ref Quaternion rotation, bool teleports)
        {
            Vector3 to = frame.position;
            Quaternion turned = frame.rotation;
            bool jumps = teleports || Home.IsJump(position, to);
            if (jumps) GoAlong(position, to, turned * Quaternion.Inverse(rotation));
            position = to;
            rotation = turned;
            if (jumps) hold.SetPose(to.ToWobble(), turned.ToWobble());
            else hold.Move(to.ToWobble(), turned.ToWobble());
        }

        /// <summary>Once in a step: others that hold it may jump as well, and its own transform.</summary>
        void GoAlong(Vector3 from, Vector3 to, Quaternion turn)
        {
            MoveAlong(true);
            if (moved) return;
            transform.position = to + turn * (transform.position - from);
            transform.rotation = turn * transform.rotation;
            MoveAlong(true);
        }

        /// <summary>Moves every particle as the transform was moved; velocities stay.</summary>
        void Shift(Vector3 position, Quaternion turn)
        {
            fixed (Vec3* all = scratch)
            {
                body.ReadPositions(all, scratch.Length);
                for (int i = 0; i < scratch.Length; i++)
                    all[i] = (position + turn * (all[i].ToUnity() - lastPosition)).ToWobble();
                body.SetPositions(all, scratch.Length);
            }
        }

        internal override void AfterStep()
        {
            moved = false;
            if (!IsAlive || painted.Length > 0) return;
            transform.position = body.CentreOfMass.ToUnity() - transform.rotation * centre.ToUnity();
            Remember();
        }

        void Remember()
        {
            lastPosition = transform.position;
            lastRotation = transform.rotation;
        }
    }
}
