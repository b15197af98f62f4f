// What bodies, colliders, attachments and force fields have in common: they live in a world.

using System;
using System.Threading;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>
    /// Something that lives in a world until it is disposed of, or the world is. One that is merely forgotten stays: what
    /// a world holds must not depend on when the collector runs.
    /// </summary>
    public abstract class Inhabitant : IDisposable
    {
        long bits;

        internal Inhabitant(World world, ulong bits)
        {
            World = world;
            this.bits = (long)bits;
        }

        /// <summary>Where it lives.</summary>
        public World World { get; }

        /// <summary>Whether it is gone, by itself or with its world.</summary>
        public bool IsDisposed => Interlocked.Read(ref bits) == 0;

        internal ulong Bits
        {
            get
            {
                long now = Interlocked.Read(ref bits);
                if (now == 0) throw new ObjectDisposedException(GetType().Name);
                return (ulong)now;
            }
        }

        /// <summary>
        /// Takes it out of the world, on any thread; waits for a step in the background. Does nothing if it is gone.
        /// </summary>
        public void Dispose()
        {
            ulong was = Leave();
            if (was == 0) return;
            World.Forget(was);
            int status;
            while ((status = Destroy(was)) == WOBBLE_STATUS_BUSY) World.AwaitStep();
            // Stale: it broke, or ended with its body.
            if (status != WOBBLE_STATUS_STALE_HANDLE) WobbleException.Check(status);
        }

        /// <summary>Marks it as gone; returns what it was, 0 if it was gone before.</summary>
        internal ulong Leave() => (ulong)Interlocked.Exchange(ref bits, 0);

        /// <summary>Throws unless a call went well. Its world is in use until then, so the collector leaves it alone.</summary>
        internal void Done(int status)
        {
            GC.KeepAlive(World);
            if (status != WOBBLE_STATUS_OK) throw WobbleException.Last(status);
        }

        internal abstract int Destroy(ulong bits);
    }
}
