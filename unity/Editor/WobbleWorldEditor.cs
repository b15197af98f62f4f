// The inspectors of worlds and colliders.

using UnityEditor;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    [CustomEditor(typeof(WobbleWorld)), CanEditMultipleObjects]
    public sealed class WobbleWorldEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            var world = (WobbleWorld)target;
            if (targets.Length > 1 || !Application.isPlaying || world.World == null) return;
            var statistics = world.World.Statistics;
            EditorGUILayout.LabelField("Bodies", statistics.Bodies + ", " + statistics.Sleeping + " asleep");
            EditorGUILayout.LabelField("Particles", statistics.Particles.ToString());
            EditorGUILayout.LabelField("Last step", (world.World.Profile.Total * 1e3f).ToString("0.00") + " ms");
        }
    }

    [CustomEditor(typeof(WobbleCollider)), CanEditMultipleObjects]
    public sealed class WobbleColliderEditor : UnityEditor.Editor
    {
        public override void OnInspectorGUI()
        {
            DrawDefaultInspector();
            if (targets.Length == 1 && ((WobbleCollider)target).GetComponent<UnityEngine.Collider>() == null)
                EditorGUILayout.HelpBox("There is no Collider on the object to mirror.", MessageType.Warning);
        }
    }
}
