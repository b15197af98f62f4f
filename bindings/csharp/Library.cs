// The library as a whole: its version, its log, its end.

using System;
using System.Collections.Generic;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>How much a log line matters.</summary>
    public enum Severity : uint
    {
        Warning = WOBBLE_LOG_WARNING,
        Error = WOBBLE_LOG_ERROR,
    }

    /// <summary>Receives a line for people.</summary>
    public delegate void LogListener(Severity severity, string message);

    /// <summary>The native library as a whole.</summary>
    public static unsafe class Library
    {
        /// <summary>The binary interface that these sources were made for.</summary>
        public const uint ExpectedAbi = WOBBLE_ABI_VERSION;

        static readonly Dictionary<ulong, WeakReference> worlds = new Dictionary<ulong, WeakReference>();
        // The library keeps a pointer to it, so it must not be collected.
        static readonly wobble_set_log_callback_callback_delegate heard = Hear;
        static LogListener listener;

        static Library()
        {
            // A host that unloads the code, as Unity's editor does, must find no thread and no callback of it left.
            AppDomain.CurrentDomain.DomainUnload += (sender, arguments) => Shutdown();
        }

        /// <summary>The version of the library, such as "0.1.0".</summary>
        public static string Version => Text.Read(wobble_version());

        /// <summary>The binary interface of the library that was loaded.</summary>
        public static uint Abi => wobble_abi_version();

        /// <summary>The name of a status, as the library has it.</summary>
        public static string NameOf(Status status) => Text.Read(wobble_status_name((int)status));

        /// <summary>
        /// Throws if the library that was loaded is not the one these sources were made for. An editor keeps a library
        /// loaded until it ends, so one that was replaced meanwhile is only seen after a restart.
        /// </summary>
        public static void CheckAbi()
        {
            uint found = Abi;
            if (found != ExpectedAbi) throw new WobbleException(Status.Version, AbiMessage(found));
        }

        /// <summary>What <see cref="CheckAbi"/> says of a library with another interface.</summary>
        public static string AbiMessage(uint found)
        {
            return "the wobble library that is loaded has the binary interface " + found + ", but these scripts need " +
                ExpectedAbi + ": restart the editor, so that it loads the library of the installed package";
        }

        /// <summary>
        /// Who hears of bodies that went out of bounds and of faults. Lines come on the thread whose call caused them, or
        /// on that of a step in the background. What a listener throws is dropped: there is nobody to catch it.
        /// </summary>
        public static LogListener Log
        {
            get { return listener; }
            set
            {
                // Nothing to end: the library may not even be there.
                if (value == null && listener == null) return;
                listener = value;
                wobble_set_log_callback(value == null ? null : heard, null);
            }
        }

        /// <summary>Number of worlds that are not disposed of.</summary>
        public static int LiveWorlds
        {
            get { lock (worlds) return worlds.Count; }
        }

        /// <summary>
        /// Ends every world, with its threads, and the log. To be called before managed code is unloaded: threads that
        /// have run a callback would else keep it from ending.
        /// </summary>
        public static void Shutdown()
        {
            Log = null;
            List<KeyValuePair<ulong, WeakReference>> all;
            lock (worlds) all = new List<KeyValuePair<ulong, WeakReference>>(worlds);
            foreach (var entry in all)
            {
                var world = entry.Value.Target as World;
                if (world != null) world.Dispose();
                else wobble_world_destroy(new WorldHandle { Bits = entry.Key });
            }
            lock (worlds) foreach (var entry in all) worlds.Remove(entry.Key);
        }

        internal static void Add(ulong bits, World world)
        {
            lock (worlds) worlds.Add(bits, new WeakReference(world));
        }

        internal static void Remove(ulong bits)
        {
            lock (worlds) worlds.Remove(bits);
        }

        [MonoPInvokeCallback(typeof(wobble_set_log_callback_callback_delegate))]
        static void Hear(uint severity, byte* message, void* user)
        {
            try
            {
                var heard = listener;
                if (heard != null) heard((Severity)severity, Text.Read(message));
            }
            catch (Exception)
            {
                // An exception that leaves here would end the process.
            }
        }
    }
}
