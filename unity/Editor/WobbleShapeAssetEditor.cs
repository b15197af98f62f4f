// Bakes shapes, with a progress bar that cancels.

using System;
using UnityEditor;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    [CustomEditor(typeof(WobbleShapeAsset)), CanEditMultipleObjects]
    public sealed class WobbleShapeAssetEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            foreach (var each in targets)
            {
                var asset = (WobbleShapeAsset)each;
                if (targets.Length == 1)
                    foreach (var warning in WobbleWarnings.Of(asset)) EditorGUILayout.HelpBox(warning, MessageType.Warning);
                if (asset.IsBaked && targets.Length == 1)
                    EditorGUILayout.LabelField("Baked", asset.Shape.ParticleCount + " particles, " +
                        asset.Shape.LevelCount + " levels, " + asset.BakedBytes / 1024 + " KiB");
            }
            if (!GUILayout.Button("Bake")) return;
            foreach (var each in targets) if (!Bake((WobbleShapeAsset)each)) return;
        }

        /// <summary>Whether it was baked; a cancelled or refused one is left as it was.</summary>
        public static bool Bake(WobbleShapeAsset asset)
        {
            try
            {
                Undo.RecordObject(asset, "Bake Wobble Shape");
                asset.Bake(done => !EditorUtility.DisplayCancelableProgressBar(
                    "Baking " + asset.name, "Filling the mesh and finding clusters", done));
                EditorUtility.SetDirty(asset);
                return true;
            }
            catch (WobbleException exception) when (exception.Status == Status.Cancelled)
            {
                return false;
            }
            catch (Exception exception)
            {
                Debug.LogError("Wobble: " + asset.name + " could not be baked: " + exception.Message, asset);
                return false;
            }
            finally
            {
                EditorUtility.ClearProgressBar();
            }
        }
    }
}
