// The inspector of bodies, with the level equaliser.

using UnityEditor;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    [CustomEditor(typeof(WobbleBody)), CanEditMultipleObjects]
    public sealed class WobbleBodyEditor : UnityEditor.Editor
    {
        const int UsualLevels = 4;
        const float Height = 80, Width = 36;

        static readonly string[] ofShape = { "shapeAsset", "particles", "density", "pinnedBy", "toughnessFrom" };
        static readonly string[] rest = {
            "pins", "startVelocity", "group", "mask", "canSleep", "world", "onContact", "onFracture", "onSleep", "onWake",
        };

        public override void OnInspectorGUI()
        {
            serializedObject.Update();
            foreach (var name in ofShape)
            {
                bool without = serializedObject.FindProperty("shapeAsset").objectReferenceValue == null;
                if (name == "shapeAsset" || without) Show(name);
            }
            Show("material");
            Show("weighting");
            if (serializedObject.FindProperty("weighting").intValue == (int)WobbleWeighting.ByHand) Equaliser();
            foreach (var name in rest) Show(name);
            // Records what changed for undo, for all selected objects.
            serializedObject.ApplyModifiedProperties();
            if (targets.Length == 1)
                foreach (var warning in WobbleWarnings.Of((WobbleBody)target))
                    EditorGUILayout.HelpBox(warning, MessageType.Warning);
            WobbleGizmos.Settings();
        }

        void Show(string name) => EditorGUILayout.PropertyField(serializedObject.FindProperty(name), true);

        /// <summary>A slider for each level, fine on the left; they count in proportion to each other.</summary>
        void Equaliser()
        {
            var weights = serializedObject.FindProperty("levelWeights");
            int levels = Levels((WobbleBody)target);
            if (weights.arraySize != levels)
            {
                int before = weights.arraySize;
                weights.arraySize = levels;
                for (int i = before; i < levels; i++) weights.GetArrayElementAtIndex(i).floatValue = 1;
            }
            EditorGUILayout.LabelField("Levels", "fine on the left, coarse on the right");
            EditorGUI.showMixedValue = weights.hasMultipleDifferentValues;
            GUILayout.BeginHorizontal();
            for (int i = 0; i < levels; i++)
            {
                var weight = weights.GetArrayElementAtIndex(i);
                GUILayout.BeginVertical(GUILayout.Width(Width));
                EditorGUI.BeginChangeCheck();
                float value = GUILayout.VerticalSlider(weight.floatValue, 1, 0, GUILayout.Height(Height));
                if (EditorGUI.EndChangeCheck()) weight.floatValue = value;
                GUILayout.Label(weight.floatValue.ToString("0.00"));
                GUILayout.EndVertical();
            }
            GUILayout.EndHorizontal();
            EditorGUI.showMixedValue = false;
        }

        /// <summary>Those of the body that plays or of the baked shape; a guess without either.</summary>
        static int Levels(WobbleBody body)
        {
            if (body.IsAlive) return body.Body.LevelCount;
            var asset = body.shapeAsset;
            return asset != null && asset.IsBaked ? asset.Shape.LevelCount : UsualLevels;
        }
    }
}
