// Arrays on their way to native code.

using System;

namespace Wobble
{
    static class Memory
    {
        /// <summary>How many elements there are; none in null.</summary>
        internal static int Count(Array array) => array == null ? 0 : array.Length;
    }
}
