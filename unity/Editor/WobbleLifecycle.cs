// Nothing of the library's outlives the managed code that uses it.

using System;
using UnityEditor;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    [InitializeOnLoad]
    public static class WobbleLifecycle
    {
        static WobbleLifecycle()
        {
            // Scripts are compiled anew, in play mode too: worlds end with their threads before the domain does.
            AssemblyReloadEvents.beforeAssemblyReload += Library.Shutdown;
            EditorApplication.quitting += Library.Shutdown;
            EditorApplication.playModeStateChanged += Changed;
            Check();
        }

        static void Changed(PlayModeStateChange change)
        {
            if (change == PlayModeStateChange.EnteredEditMode) Library.Shutdown();
        }

        /// <summary>Tells whoever has updated the package while the editor keeps the old library loaded.</summary>
        public static void Check()
        {
            try
            {
                Library.CheckAbi();
            }
            catch (WobbleException exception)
            {
                Debug.LogError("Wobble: " + exception.Message);
            }
            catch (DllNotFoundException)
            {
                Debug.LogError("Wobble: the native library for this platform is missing from the package.");
            }
            catch (EntryPointNotFoundException exception)
            {
                Debug.LogError("Wobble: " + exception.Message + ": restart the editor, so that it loads the library of the installed package.");
            }
        }
    }
}
