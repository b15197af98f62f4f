// Soft balls fall through rows of pegs; each counts the pegs that it hits, by its contact event.

using UnityEngine;
using Wobble;
using Wobble.Unity;

public sealed class Plinko : MonoBehaviour
{
    public int rows = 6;
    public float secondsBetweenBalls = 1;
    public int mostBalls = 10;

    float next;
    int balls, hits;

    public int Hits => hits;

    void Start()
    {
        for (int row = 0; row < rows; row++)
            for (int i = 0; i <= rows; i++) Peg(new Vector3(1.6f * (i - rows / 2f) + row % 2 * 0.8f, 1.5f * row, 0));
        Wall(new Vector3(0, -2, 0), new Vector3(20, 1, 4));
        Wall(new Vector3(0, 5, 1.1f), new Vector3(20, 20, 1));
        Wall(new Vector3(0, 5, -1.1f), new Vector3(20, 20, 1));
    }

    void Peg(Vector3 at)
    {
        var peg = GameObject.CreatePrimitive(PrimitiveType.Capsule);
        peg.transform.position = at;
        peg.transform.rotation = Quaternion.Euler(90, 0, 0);
        peg.transform.localScale = new Vector3(0.3f, 0.8f, 0.3f);
        peg.AddComponent<WobbleCollider>();
    }

    void Wall(Vector3 at, Vector3 size)
    {
        var wall = GameObject.CreatePrimitive(PrimitiveType.Cube);
        wall.transform.position = at;
        wall.transform.localScale = size;
        wall.AddComponent<WobbleCollider>().friction = 0;
    }

    void Update()
    {
        if (balls >= mostBalls || Time.time < next) return;
        next = Time.time + secondsBetweenBalls;
        balls++;
        var ball = GameObject.CreatePrimitive(PrimitiveType.Sphere);
        Destroy(ball.GetComponent<UnityEngine.Collider>());
        ball.transform.position = new Vector3(0.37f * (balls % 5 - 2), 1.5f * rows + 2, 0);
        ball.SetActive(false);
        var body = ball.AddComponent<WobbleBody>();
        body.particles = 200;
        body.onContact.AddListener(Count);
        ball.SetActive(true);
    }

    void Count(WobbleContact contact)
    {
        if (contact.phase == ContactPhase.Begin && contact.otherCollider != null) hits++;
    }
}
