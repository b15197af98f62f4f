// Three jelly balls fall on the ground. The sliders set the level weights of the middle one, finest first, while it plays.
// Put this on an empty object in a new scene, and press play.

using UnityEngine;
using Wobble.Unity;

public sealed class JellyDrop : MonoBehaviour
{
    public int particles = 800;
    public float[] weights = { 1, 1, 1 };

    WobbleBody middle;

    void Start()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(10, 1, 10);
        ground.AddComponent<WobbleCollider>();
        Ball(-1.5f, WobbleWeighting.GaussianCoarse);
        middle = Ball(0, WobbleWeighting.ByHand);
        Ball(1.5f, WobbleWeighting.GaussianFine);
    }

    WobbleBody Ball(float x, WobbleWeighting weighting)
    {
        var ball = GameObject.CreatePrimitive(PrimitiveType.Sphere);
        Destroy(ball.GetComponent<Collider>());
        ball.transform.position = new Vector3(x, 3, 0);
        ball.SetActive(false);
        var body = ball.AddComponent<WobbleBody>();
        body.particles = particles;
        body.weighting = weighting;
        body.levelWeights = weights;
        ball.SetActive(true);
        return body;
    }

    void OnGUI()
    {
        GUILayout.Label("Level weights of the middle ball, finest first");
        for (int i = 0; i < weights.Length; i++) weights[i] = GUILayout.HorizontalSlider(weights[i], 0, 1, GUILayout.Width(200));
        if (middle != null) middle.SetLevelWeights(weights);
    }
}
