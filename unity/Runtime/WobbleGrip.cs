// What a pin holds.

using UnityEngine;

namespace Wobble.Unity
{
    /// <summary>Particles of a body that a pin holds to its transform.</summary>
    sealed class WobbleGrip
    {
        public readonly WobblePin pin;
        public readonly uint[] particles;
        readonly Attachment attachment;
        Vec3 position;
        Quat rotation;

        public WobbleGrip(WobblePin pin, Body body, uint[] particles)
            : this(pin, body, particles, pin.frame.position.ToWobble(), pin.frame.rotation.ToWobble()) { }

        WobbleGrip(WobblePin pin, Body body, uint[] particles, Vec3 position, Quat rotation)
        {
            this.pin = pin;
            this.particles = particles;
            this.position = position;
            this.rotation = rotation;
            var def = AttachmentDef.Default;
            def.Position = position;
            def.Rotation = rotation;
            attachment = body.Attach(particles, def);
        }

        /// <summary>The same hold of a piece: from where the frame was last.</summary>
        public WobbleGrip Of(Body piece, uint[] chosen) => new WobbleGrip(pin, piece, chosen, position, rotation);

        public void Follow()
        {
            if (pin.frame == null) return;
            position = pin.frame.position.ToWobble();
            rotation = pin.frame.rotation.ToWobble();
            attachment.Move(position, rotation);
        }

        public void LetGo() => attachment.Dispose();
    }
}
