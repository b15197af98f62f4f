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
            catch (Exception exception) when (exception is WobbleException || exception is TypeLoadException)
            {
                Debug.LogError(WobbleWorld.Words(exception));
            }
        }
    }
}
