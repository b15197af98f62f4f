// A soft block falls on rigid boxes, which feel its weight: WobbleCollider hands what it pushes with to their Rigidbody.

using UnityEngine;
using Wobble.Unity;

public sealed class SoftOnRigid : MonoBehaviour
{
    public int boxes = 4;

    void Start()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(20, 1, 20);
        ground.AddComponent<WobbleCollider>();
        for (int i = 0; i < boxes; i++)
        {
            var box = GameObject.CreatePrimitive(PrimitiveType.Cube);
            box.transform.position = new Vector3(0.6f * (i - (boxes - 1) / 2f), 0.25f, 0);
            box.transform.localScale = Vector3.one * 0.5f;
            box.AddComponent<Rigidbody>().mass = 50;
            box.AddComponent<WobbleCollider>();
        }
        var block = GameObject.CreatePrimitive(PrimitiveType.Cube);
        Destroy(block.GetComponent<Collider>());
        block.transform.position = new Vector3(0, 3, 0);
        block.transform.localScale = new Vector3(2, 0.5f, 1);
        block.SetActive(false);
        var body = block.AddComponent<WobbleBody>();
        body.density = 100;
        // One that sleeps pushes nothing, and the boxes would rise.
        body.canSleep = false;
        block.SetActive(true);
    }
}
