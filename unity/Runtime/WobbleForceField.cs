// Wind, attractors and water.

using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>
    /// A force field: wind along the transform's forward axis, an attractor at its place, or water below the plane
    /// through it across its up axis.
    /// </summary>
    [AddComponentMenu("Wobble/Wobble Force Field")]
    public sealed class WobbleForceField : WobblePart
    {
        public FieldKind kind = FieldKind.Wind;
        [Tooltip("Of wind and water: speed along forward, m/s.")]
        public float speed = 5;
        [Tooltip("Of wind and water: how soon particles take the speed on, 1/s."), Min(0)]
        public float drag = 1;
        [Tooltip("Of wind: how much it swells and ebbs."), Range(0, 10)]
        public float gusts = 0;
        [Tooltip("Of wind: how often, Hz."), Min(0)]
        public float gustHertz = 0.5f;
        [Tooltip("Of an attractor: m/s² near its centre; below 0 it pushes.")]
        public float strength = 10;
        [Tooltip("Of an attractor, metres."), Min(1e-3f)]
        public float radius = 10;
        [Tooltip("Of water: its density over that of bodies; above 1 they float."), Min(0)]
        public float densityRatio = 2;
        [Tooltip("The groups it acts on.")]
        public uint mask = uint.MaxValue;
        [Tooltip("The only body it acts on; none for all.")]
        public WobbleBody only;

        Field field;
        ulong actsOn;

        internal override WobbleBody Subject => only;

        public override bool IsAlive => field != null && !field.IsDisposed;

        internal override void Join(World world)
        {
            if (only != null && !only.IsAlive) return;
            var def = Definition();
            actsOn = def.Body.Bits;
            field = world.CreateField(def);
        }

        internal override void Leave()
        {
            if (IsAlive) field.Dispose();
            field = null;
        }

        internal override void BeforeStep()
        {
            // A field for one body ends with it, and begins anew with it.
            bool present = only == null || only.IsAlive;
            ulong now = only != null && present ? only.Body.Handle.Bits : 0;
            if (IsAlive && present && now == actsOn)
            {
                field.Definition = Definition();
                return;
            }
            Leave();
            Join(Home.World);
        }

        void OnValidate() => Check();

        void Check()
        {
            WobbleRange.Keep(ref speed, -WobbleRange.Largest, WobbleRange.Largest, nameof(speed), this);
            WobbleRange.Keep(ref drag, 0, 1e6f, nameof(drag), this);
            WobbleRange.Keep(ref gusts, 0, 10, nameof(gusts), this);
            WobbleRange.Keep(ref gustHertz, 0, 1e3f, nameof(gustHertz), this);
            WobbleRange.Keep(ref strength, -WobbleRange.Largest, WobbleRange.Largest, nameof(strength), this);
            WobbleRange.Keep(ref radius, 1e-3f, WobbleRange.Largest, nameof(radius), this);
            WobbleRange.Keep(ref densityRatio, 0, 1e3f, nameof(densityRatio), this);
        }

        FieldDef Definition()
        {
            Check();
            var def = FieldDef.Default;
            def.Kind = (uint)kind;
            def.Velocity = (transform.forward * speed).ToWobble();
            def.Drag = drag;
            def.Gusts = gusts;
            def.GustHertz = gustHertz;
            def.Centre = transform.position.ToWobble();
            def.Strength = strength;
            def.Radius = radius;
            def.Normal = transform.up.ToWobble();
            def.Offset = Vector3.Dot(transform.up, transform.position);
            def.DensityRatio = densityRatio;
            def.Mask = mask;
            if (only != null && only.IsAlive) def.Body = only.Body.Handle;
            return def;
        }
    }
}
