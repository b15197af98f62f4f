// Many bodies of one shape fall on a heap. The shape is found once and shared.

using UnityEngine;
using Wobble.Unity;

public sealed class Pile : MonoBehaviour
{
    public int count = 40;
    public int particles = 200;
    public WobbleMaterial material;

    WobbleShapeAsset shape;

    void Start()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(20, 1, 20);
        ground.AddComponent<WobbleCollider>();
        for (int i = 0; i < count; i++) Add(new Vector3(i % 2 * 0.3f, 1 + 1.2f * i, i % 3 * 0.3f));
    }

    void Add(Vector3 at)
    {
        var cube = GameObject.CreatePrimitive(PrimitiveType.Cube);
        Destroy(cube.GetComponent<Collider>());
        cube.transform.position = at;
        cube.SetActive(false);
        var body = cube.AddComponent<WobbleBody>();
        if (shape == null)
        {
            shape = ScriptableObject.CreateInstance<WobbleShapeAsset>();
            shape.mesh = cube.GetComponent<MeshFilter>().sharedMesh;
            shape.particles = particles;
            shape.Bake();
        }
        body.shapeAsset = shape;
        body.material = material;
        cube.SetActive(true);
    }

    void OnDestroy()
    {
        if (shape != null) Destroy(shape);
    }
}
