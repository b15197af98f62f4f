// Holds particles of a body to a transform, firmly or by a spring, and lets go at a force.

using UnityEngine;
using UnityEngine.Events;

namespace Wobble.Unity
{
    /// <summary>
    /// Holds the particles of `target` that are in a region about this transform. Where the transform jumps, the body
    /// goes along. What they pull with goes to the Rigidbody of this object, if there is one: then hold by a spring,
    /// since the pull comes a step late.
    /// </summary>
    [AddComponentMenu("Wobble/Wobble Attachment")]
    public sealed unsafe class WobbleAttachment : WobblePart
    {
        public WobbleBody target;
        public WobbleRegion region = new WobbleRegion();
        [Tooltip("0 holds firmly; above, a spring of that many Hz. With a Rigidbody at most a tenth of the fixed steps a second."), Min(0)]
        public float hertz = 0;
        [Tooltip("1 comes to rest soonest without swinging over."), Min(0)]
        public float dampingRatio = 1;
        [Tooltip("Newtons at which it lets go; 0 for never."), Min(0)]
        public float breakForce = 0;
        public UnityEvent onBreak = new UnityEvent();

        Attachment attachment;
        Rigidbody carrier;
        uint[] particles;
        Vector3 lastPosition;
        Quaternion lastRotation;
        bool tried;

        internal override WobbleBody Subject => target;

        public override bool IsAlive => attachment != null && !attachment.IsDisposed;

        internal override void Join(World world)
        {
            carrier = GetComponentInParent<Rigidbody>();
            tried = false;
        }

        internal override void Leave()
        {
            if (IsAlive) attachment.Dispose();
            attachment = null;
        }

        /// <summary>Its body may join later than it does.</summary>
        void TakeHold()
        {
            if (tried) return;
            tried = true;
            Check();
            particles = region.Choose(target.Body, transform);
            if (particles.Length == 0)
            {
                Debug.LogWarning("Wobble: " + name + " holds nothing: no particle of " + target.name + " is in its region", this);
                return;
            }
            var def = AttachmentDef.Default;
            lastPosition = transform.position;
            lastRotation = transform.rotation;
            def.Position = lastPosition.ToWobble();
            def.Rotation = lastRotation.ToWobble();
            def.Hertz = hertz;
            def.DampingRatio = dampingRatio;
            def.BreakForce = breakForce;
            attachment = target.Body.Attach(particles, def);
        }

        void OnValidate() => Check();

        void Check()
        {
            WobbleRange.Keep(ref hertz, 0, 1e4f, nameof(hertz), this);
            WobbleRange.Keep(ref dampingRatio, 0, 100, nameof(dampingRatio), this);
            WobbleRange.Keep(ref breakForce, 0, float.PositiveInfinity, nameof(breakForce), this);
        }

        /// <summary>Its body came apart: the library gave it to the piece that has most of what it holds, the first of equals.</summary>
        internal void HandOn(Parting parting, WobbleBody[] pieces)
        {
            if (!IsAlive) return;
            var held = particles;
            int most = 0;
            for (int i = 0; i < parting.Count; i++)
            {
                var among = parting.Among(held, i);
                if (among.Length <= most) continue;
                most = among.Length;
                particles = among;
                target = pieces[i];
            }
        }

        /// <summary>It takes hold again when its body is there again.</summary>
        internal void LetGo()
        {
            Leave();
            tried = false;
        }

        internal override void BeforeStep()
        {
            if (target == null || !target.IsAlive)
            {
                LetGo();
                return;
            }
            TakeHold();
            bool teleports = TakeTeleport();
            if (IsAlive) target.Lead(attachment, transform, ref lastPosition, ref lastRotation, teleports);
        }

        internal override void AfterStep()
        {
            if (!IsAlive) return;
            if (HasBroken())
            {
                Leave();
                onBreak.Invoke();
                return;
            }
            PushBack(carrier, attachment.Push, transform.position);
        }

        bool HasBroken()
        {
            int count = attachment.World.BrokenAttachmentCount;
            if (count == 0) return false;
            var broken = stackalloc AttachmentHandle[count];
            attachment.World.ReadBrokenAttachments(broken, count);
            for (int i = 0; i < count; i++) if (broken[i].Bits == attachment.Handle.Bits) return true;
            return false;
        }
    }
}
