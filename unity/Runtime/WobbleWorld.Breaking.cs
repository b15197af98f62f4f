// Bodies that broke in a step or were cut since: their pieces become objects, then scripts hear of it.

using System;
using System.Collections.Generic;
using UnityEngine;

namespace Wobble.Unity
{
    public sealed unsafe partial class WobbleWorld
    {
        /// <summary>Of the pieces that the library tells of since the last step, those that have objects.</summary>
        int partsTold;

        /// <summary>Makes objects of new pieces. Listeners may end bodies, or the world. Without pieces it makes no garbage.</summary>
        internal void Part()
        {
            int count = world.BreakCount;
            if (count <= partsTold) return;
            var breaks = new Break[count];
            var particles = new uint[world.BrokenParticleCount];
            fixed (Break* into = breaks) world.ReadBreaks(into, count);
            fixed (uint* into = particles) world.ReadBrokenParticles(into, particles.Length);
            int first = partsTold;
            partsTold = count;
            var told = new List<WobbleBody[]>();
            for (int end; first < count; first = end)
            {
                // The largest piece comes first, and has the name of the body.
                for (end = first + 1; end < count && breaks[end].Piece.Bits != breaks[end].Body.Bits;) end++;
                var body = Of(breaks[first].Body);
                if (body == null) continue;
                var parting = new Parting(breaks, first, end, particles);
                try { told.Add(Part(body, parting)); }
                catch (Exception exception) { Debug.LogException(exception, body); }
            }
            foreach (var all in told) Tell(all);
        }

        WobbleBody[] Part(WobbleBody body, Parting parting)
        {
            var all = body.Part(parting);
            for (int i = 0; i < parts.Count; i++)
            {
                var attachment = parts[i] as WobbleAttachment;
                if (attachment != null && attachment.target == body) attachment.HandOn(parting, all);
            }
            return all;
        }

        /// <summary>
        /// Destroys the objects of bodies that the library has taken away: pieces of one that was mended, which takes
        /// over what was attached to them.
        /// </summary>
        internal void EndMissing(WobbleBody mended)
        {
            var present = new HashSet<ulong>();
            foreach (var body in world.Bodies()) present.Add(body.Handle.Bits);
            var missing = new List<WobbleBody>();
            foreach (var known in bodies) if (!present.Contains(known.Key)) missing.Add(known.Value);
            foreach (var body in missing)
            {
                HoldAnew(body, mended);
                // At once: destroying waits for the end of the frame.
                body.enabled = false;
                Destroy(body.gameObject);
            }
        }

        /// <summary>What was attached to a body takes hold of one at the next step, another or the same.</summary>
        internal void HoldAnew(WobbleBody from, WobbleBody to)
        {
            for (int i = 0; i < parts.Count; i++)
            {
                var attachment = parts[i] as WobbleAttachment;
                if (attachment == null || attachment.target != from) continue;
                attachment.LetGo();
                attachment.target = to;
            }
        }

        static void Tell(WobbleBody[] all)
        {
            var pieces = new List<WobbleBody>();
            for (int i = 1; i < all.Length; i++) if (all[i] != null) pieces.Add(all[i]);
            if (all[0] == null) return;
            try { all[0].onFracture.Invoke(all[0], pieces); }
            catch (Exception exception) { Debug.LogException(exception, all[0]); }
        }
    }

    /// <summary>A body that came apart: its pieces, and which particles went where.</summary>
    sealed class Parting
    {
        readonly Break[] breaks;
        readonly int first;
        readonly uint[] particles;

        public readonly int Count;

        public Parting(Break[] breaks, int first, int end, uint[] particles)
        {
            this.breaks = breaks;
            this.first = first;
            this.particles = particles;
            Count = end - first;
        }

        public BodyHandle PieceOf(int i) => breaks[first + i].Piece;

        public bool IsDebris(int i) => breaks[first + i].IsDebris != 0;

        public int ParticleCount(int i) => (int)breaks[first + i].ParticleCount;

        /// <summary>Those of some particles of the whole that went to a piece, by their numbers there.</summary>
        public uint[] Among(uint[] ofWhole, int piece)
        {
            var sought = new HashSet<uint>(ofWhole);
            var found = new List<uint>();
            uint start = breaks[first + piece].FirstParticle;
            for (uint k = 0; k < ParticleCount(piece); k++) if (sought.Contains(particles[start + k])) found.Add(k);
            return found.ToArray();
        }
    }
}
