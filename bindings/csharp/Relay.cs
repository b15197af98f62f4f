// Callbacks of the host's: called by native code, which must never see an exception.

using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Wobble
{
    /// <summary>Told the fraction of a build done, 0 to 1; false cancels. What it throws comes out of the build.</summary>
    public delegate bool Progress(float fraction);

    /// <summary>
    /// Metres from a point to the surface of a solid, less than zero inside; the same for the same point. What it throws
    /// comes out of the call that asked.
    /// </summary>
    public delegate float Distance(Vec3 point);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate uint NativeProgress(float fraction, void* user);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate float NativeDistance(float x, float y, float z, void* user);

    /// <summary>Keeps a callback alive while native code may call it, and what it threw until the call is over.</summary>
    sealed unsafe class Relay : IDisposable
    {
        static readonly NativeProgress progressed = OnProgress;
        static readonly NativeDistance asked = OnDistance;
        static readonly void* progressFunction = (void*)Marshal.GetFunctionPointerForDelegate(progressed);
        static readonly void* distanceFunction = (void*)Marshal.GetFunctionPointerForDelegate(asked);

        readonly Delegate callback;
        GCHandle self;
        Exception thrown;

        internal Relay(Delegate callback)
        {
            this.callback = callback;
            if (callback != null) self = GCHandle.Alloc(this);
        }

        internal void* Function
        {
            get
            {
                if (callback == null) return null;
                return callback is Progress ? progressFunction : distanceFunction;
            }
        }

        internal void* User => callback == null ? null : (void*)GCHandle.ToIntPtr(self);

        internal bool HasThrown => thrown != null;

        /// <summary>Throws what the callback threw, or what the status tells.</summary>
        internal void Check(int status)
        {
            var first = thrown;
            if (first != null) ExceptionDispatchInfo.Capture(first).Throw();
            WobbleException.Check(status);
        }

        public void Dispose()
        {
            if (self.IsAllocated) self.Free();
        }

        static Relay Of(void* user) => (Relay)GCHandle.FromIntPtr((IntPtr)user).Target;

        [MonoPInvokeCallback(typeof(NativeProgress))]
        static uint OnProgress(float fraction, void* user)
        {
            var relay = Of(user);
            try
            {
                return ((Progress)relay.callback)(fraction) ? 1u : 0u;
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref relay.thrown, exception, null);
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(NativeDistance))]
        static float OnDistance(float x, float y, float z, void* user)
        {
            var relay = Of(user);
            try
            {
                return relay.thrown != null ? 1 : ((Distance)relay.callback)(new Vec3(x, y, z));
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref relay.thrown, exception, null);
                return 1;
            }
        }
    }
}
