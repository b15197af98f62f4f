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
        Vector3 position;
        Quaternion rotation;

        public WobbleGrip(WobblePin pin, Body body, uint[] particles)
            : this(pin, body, particles, pin.frame.position, pin.frame.rotation) { }

        WobbleGrip(WobblePin pin, Body body, uint[] particles, Vector3 position, Quaternion rotation)
        {
            this.pin = pin;
            this.particles = particles;
            this.position = position;
            this.rotation = rotation;
            var def = AttachmentDef.Default;
            def.Position = position.ToWobble();
            def.Rotation = rotation.ToWobble();
            attachment = body.Attach(particles, def);
        }

        /// <summary>The same hold of a piece: from where the frame was last.</summary>
        public WobbleGrip Of(Body piece, uint[] chosen) => new WobbleGrip(pin, piece, chosen, position, rotation);

        public void Follow(WobbleBody held, bool teleports)
        {
            if (pin.frame != null) held.Lead(attachment, pin.frame, ref position, ref rotation, teleports);
        }

        public void LetGo() => attachment.Dispose();
    }
}
