// What a refused call throws.

using System;
using System.Text;
using static Wobble.NativeMethods;

namespace Wobble
{
    /// <summary>Why a call was refused.</summary>
    public enum Status
    {
        Ok = WOBBLE_STATUS_OK,
        NullPointer = WOBBLE_STATUS_NULL_POINTER,
        NullHandle = WOBBLE_STATUS_NULL_HANDLE,
        InvalidHandle = WOBBLE_STATUS_INVALID_HANDLE,
        StaleHandle = WOBBLE_STATUS_STALE_HANDLE,
        InvalidArgument = WOBBLE_STATUS_INVALID_ARGUMENT,
        BufferTooSmall = WOBBLE_STATUS_BUFFER_TOO_SMALL,
        StructSize = WOBBLE_STATUS_STRUCT_SIZE,
        Busy = WOBBLE_STATUS_BUSY,
        Cancelled = WOBBLE_STATUS_CANCELLED,
        Corrupt = WOBBLE_STATUS_CORRUPT,
        Version = WOBBLE_STATUS_VERSION,
        MissingShape = WOBBLE_STATUS_MISSING_SHAPE,
        UnknownName = WOBBLE_STATUS_UNKNOWN_NAME,
        OutOfMemory = WOBBLE_STATUS_OUT_OF_MEMORY,
        TooMany = WOBBLE_STATUS_TOO_MANY,
        Poisoned = WOBBLE_STATUS_POISONED,
        Internal = WOBBLE_STATUS_INTERNAL,
    }

    /// <summary>
    /// A call was refused and has changed nothing. The message is the library's sentence: which field, which value,
    /// what to do.
    /// </summary>
    public sealed class WobbleException : Exception
    {
        public Status Status { get; }

        public WobbleException(Status status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>Throws unless the status is ok.</summary>
        internal static void Check(int status)
        {
            if (status != WOBBLE_STATUS_OK) throw Last(status);
        }

        /// <summary>What the last call on this thread was refused for.</summary>
        internal static unsafe WobbleException Last(int status)
        {
            return new WobbleException((Status)status, Text.Read(wobble_last_error()));
        }
    }

    /// <summary>Text as C has it.</summary>
    static unsafe class Text
    {
        internal static string Read(byte* text)
        {
            if (text == null) return "";
            int length = 0;
            while (text[length] != 0) length++;
            return Encoding.UTF8.GetString(text, length);
        }

        /// <summary>Bytes that end with zero; null for null, which the library refuses with a sentence.</summary>
        internal static byte[] Write(string text)
        {
            return text == null ? null : Encoding.UTF8.GetBytes(text + "\0");
        }
    }

    /// <summary>Tells IL2CPP, which knows it by name, that native code calls a method.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }
}
