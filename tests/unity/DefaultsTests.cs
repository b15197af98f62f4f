// What the inspector shows at first and says is what the library does.

using NUnit.Framework;
using StandIn;
using UnityEngine;
using Wobble;
using Wobble.Unity;

[TestFixture]
public class DefaultsTests
{
    [TearDown]
    public void End() => Stage.Clear();

    [Test]
    public void ANewMaterialIsTheLibrarysDefault()
    {
        var material = ScriptableObject.CreateInstance<WobbleMaterial>();
        // Not used by rigid goals: where the slider stands for those who choose others.
        material.goalsBeta = 0;
        AssertSame(Wobble.Material.Default, material.ToNative());
        material.plastic = material.breakable = true;
        AssertSame(Wobble.Plasticity.Default, material.Plasticity.Value);
        AssertSame(Wobble.Fracture.Default, material.Fracture.Value);
    }

    static void AssertSame<T>(T expected, T present)
    {
        foreach (var field in typeof(T).GetFields())
            Assert.AreEqual(field.GetValue(expected), field.GetValue(present), field.Name);
    }

    [Test]
    public void ANewWorldIsTheLibrarysDefault()
    {
        var component = new GameObject("world").AddComponent<WobbleWorld>();
        using (var plain = new World())
        {
            Assert.AreEqual(plain.Gravity, component.World.Gravity);
            Assert.AreEqual(plain.Substeps, component.World.Substeps);
            Assert.AreEqual(plain.Sleeping, component.World.Sleeping);
            Assert.AreEqual(plain.BodiesMeet, component.World.BodiesMeet);
            Assert.AreEqual(plain.MostFractures, component.World.MostFractures);
        }
    }

    [Test]
    public void CanSleepSaysWhatItDoes()
    {
        var field = typeof(WobbleBody).GetField("canSleep");
        var tooltip = (TooltipAttribute)field.GetCustomAttributes(typeof(TooltipAttribute), false)[0];
        StringAssert.StartsWith("Allow this body to sleep", tooltip.tooltip);
    }
}
