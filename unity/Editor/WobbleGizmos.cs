// Particles, clusters of a level, and pins of the selected body in the scene view.

using UnityEditor;
using UnityEngine;

namespace Wobble.Unity.Editor
{
    public static unsafe class WobbleGizmos
    {
        /// <summary>More are not drawn: the scene view would stall.</summary>
        const int Most = 4000;

        static bool showParticles, showClusters;
        static int level;

        /// <summary>What to draw, in the inspector of a body.</summary>
        public static void Settings()
        {
            showParticles = EditorGUILayout.Toggle("Draw particles", showParticles);
            showClusters = EditorGUILayout.Toggle("Draw clusters", showClusters);
            if (showClusters) level = EditorGUILayout.IntSlider("Of level", level, 0, 8);
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        public static void Draw(WobbleBody component, GizmoType type)
        {
            DrawPins(component);
            if (component.IsAlive)
            {
                var body = component.Body;
                if (showParticles) DrawParticles(body);
                if (showClusters && level < body.LevelCount) DrawClusters(body);
                return;
            }
            var asset = component.shapeAsset;
            if (asset == null || !asset.IsBaked || !showParticles) return;
            var rest = new Vec3[asset.Shape.ParticleCount];
            fixed (Vec3* into = rest) asset.Shape.ReadRestPositions(into, rest.Length);
            var centre = asset.Shape.Centre;
            Gizmos.color = Color.cyan;
            for (int i = 0; i < rest.Length && i < Most; i++)
                Gizmos.DrawSphere(component.transform.position + component.transform.rotation * (rest[i] + centre).ToUnity(),
                    asset.Shape.Spacing * 0.2f);
        }

        static void DrawParticles(Body body)
        {
            var at = new Vec3[body.ParticleCount];
            fixed (Vec3* into = at) body.ReadPositions(into, at.Length);
            float size;
            using (var shape = body.GetShape()) size = shape.Spacing * 0.2f;
            for (int i = 0; i < at.Length && i < Most; i++)
            {
                Gizmos.color = body.IsPinned(i) ? Color.red : Color.cyan;
                Gizmos.DrawSphere(at[i].ToUnity(), size);
            }
        }

        static void DrawClusters(Body body)
        {
            using (var shape = body.GetShape())
            {
                int count = (int)shape.LevelReport(level).Clusters;
                var transforms = new Transform[count];
                var widths = new float[count];
                fixed (Transform* into = transforms) body.ReadClusterTransforms(level, into, count);
                fixed (float* into = widths) shape.ReadClusterWidths(level, into, count);
                Gizmos.color = Color.yellow;
                for (int i = 0; i < count && i < Most; i++) Gizmos.DrawWireSphere(transforms[i].Position.ToUnity(), widths[i]);
            }
        }

        static void DrawPins(WobbleBody component)
        {
            Gizmos.color = Color.red;
            foreach (var pin in component.pins)
                if (pin.frame != null) DrawRegion(pin.region, pin.frame);
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        public static void Draw(WobbleAttachment attachment, GizmoType type)
        {
            Gizmos.color = Color.red;
            DrawRegion(attachment.region, attachment.transform);
        }

        static void DrawRegion(WobbleRegion region, UnityEngine.Transform frame)
        {
            if (region.kind == WobbleRegionKind.Sphere)
            {
                Gizmos.DrawWireSphere(frame.position, region.radius);
                return;
            }
            var before = Gizmos.matrix;
            Gizmos.matrix = Matrix4x4.TRS(frame.position, frame.rotation, Vector3.one);
            Gizmos.DrawWireCube(Vector3.zero, region.size);
            Gizmos.matrix = before;
        }
    }
}
