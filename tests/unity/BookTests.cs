// The book's snippets for Unity, between their anchors.

using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;
using static Playing;

// ANCHOR: script
public class Splash : MonoBehaviour
{
    public WobbleBody jelly;

    void OnEnable()
    {
        jelly.onContact.AddListener(OnContact);
        jelly.SetLevelWeights(new[] { 0.7f, 0.2f, 0.1f });
    }

    void OnDisable() => jelly.onContact.RemoveListener(OnContact);

    void OnContact(WobbleContact contact)
    {
        if (contact.impulse > 5) jelly.Body.ApplyImpulse(new Vec3(0, 20, 0));
    }

    public int Slice() => jelly.Cut(new UnityEngine.Plane(Vector3.right, jelly.transform.position));
}
// ANCHOR_END: script

[TestFixture]
public class BookTests
{
    [SetUp]
    public void Begin() => Stage.Clear();

    [TearDown]
    public void End() => Stage.Clear();

    [Test]
    public void TheScriptOfTheBookHearsALandingAndSlices()
    {
        var ground = GameObject.CreatePrimitive(PrimitiveType.Cube);
        ground.transform.position = new Vector3(0, -0.5f, 0);
        ground.transform.localScale = new Vector3(9, 1, 9);
        ground.AddComponent<WobbleCollider>();
        var jelly = Soften(PrimitiveType.Cube, new Vector3(0, 1.5f, 0), 150, body => body.density = 10);
        var scripted = new GameObject("Splash");
        scripted.SetActive(false);
        scripted.AddComponent<Splash>().jelly = jelly;
        scripted.SetActive(true);
        float highest = 0;
        for (int i = 0; i < 240; i++)
        {
            Play(1);
            if (i > 60) highest = Mathf.Max(highest, jelly.transform.position.y);
        }
        Assert.Greater(highest, 0.6f, "the impulse throws it up again");
        Assert.AreEqual(2, scripted.GetComponent<Splash>().Slice());
        EndClean();
    }
}
