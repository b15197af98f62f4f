// A block is cut again and again through the middle of its largest piece; each cut is told, and small pieces vanish.
// Put this on an empty object in a new scene, and press play.

using System.Collections.Generic;
using UnityEngine;
using Wobble.Unity;

public sealed class Cutting : MonoBehaviour
{
    public int particles = 800;
    public float secondsBetweenCuts = 1;
    public int mostCuts = 8;
    [Tooltip("Pieces of fewer particles are taken away.")]
    public int smallest = 20;
    public WobbleMaterial material;

    readonly List<WobbleBody> pieces = new List<WobbleBody>();
    float next;

    public int Cuts { get; private set; }
    public int Pieces => pieces.Count;

    void Start()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(10, 1, 10);
        ground.AddComponent<WobbleCollider>();
        var block = GameObject.CreatePrimitive(PrimitiveType.Cube);
        Destroy(block.GetComponent<Collider>());
        block.transform.position = new Vector3(0, 1, 0);
        block.SetActive(false);
        var body = block.AddComponent<WobbleBody>();
        body.particles = particles;
        body.material = material;
        // Pieces share the event: this hears of them as well.
        body.onFracture.AddListener(Broke);
        block.SetActive(true);
        pieces.Add(body);
        next = Time.time + secondsBetweenCuts;
    }

    void Broke(WobbleBody body, List<WobbleBody> others)
    {
        pieces.AddRange(others);
        for (int i = pieces.Count - 1; i >= 0; i--)
        {
            if (pieces[i].IsAlive && pieces[i].Body.ParticleCount >= smallest) continue;
            var small = pieces[i];
            pieces.RemoveAt(i);
            Destroy(small.gameObject);
        }
    }

    void Update()
    {
        if (Cuts >= mostCuts || pieces.Count == 0 || Time.time < next) return;
        next = Time.time + secondsBetweenCuts;
        var largest = pieces[0];
        foreach (var piece in pieces)
            if (piece.Body.ParticleCount > largest.Body.ParticleCount) largest = piece;
        var normal = Quaternion.Euler(0, 40 * Cuts, 70 * Cuts) * new Vector3(1, 0, 0);
        Cuts++;
        largest.Cut(new Plane(normal, largest.Body.CentreOfMass.ToUnity()));
    }
}
