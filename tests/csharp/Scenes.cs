// Shapes and worlds that the tests share.

using System;
using System.IO;
using NUnit.Framework;
using Wobble;

static class Scenes
{
    public const float Frame = 1f / 60f;

    static Shape cube;

    /// <summary>The folder of the repository.</summary>
    public static string Root
    {
        get
        {
            string root = Environment.GetEnvironmentVariable("WOBBLE_ROOT");
            Assert.IsNotNull(root, "WOBBLE_ROOT must name the folder of the repository");
            return root;
        }
    }

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    /// <summary>side³ points, 1 m wide about the origin.</summary>
    public static Vec3[] Grid(int side)
    {
        var points = new Vec3[side * side * side];
        float gap = 1f / (side - 1);
        for (int i = 0; i < points.Length; i++)
            points[i] = new Vec3(i % side * gap - 0.5f, i / side % side * gap - 0.5f, i / side / side * gap - 0.5f);
        return points;
    }

    /// <summary>A cube of 6³ particles, 1 m and 1 kg, shared by all tests.</summary>
    public static Shape Cube => cube ?? (cube = Shape.FromPoints(Grid(6)));

    /// <summary>Without gravity, on one thread, nobody sleeping.</summary>
    public static World Calm()
    {
        var def = WorldDef.Default;
        def.Gravity = new Vec3(0, 0, 0);
        def.Threads = 1;
        def.Sleeping = 0;
        return new World(def);
    }

    /// <summary>A ball of about 500 particles that carries its mesh.</summary>
    public static Shape Ball()
    {
        var sampling = SamplingDef.Default;
        sampling.Count = 500;
        var solid = Solid.Ball(0.5f);
        solid.Cells = 12;
        return Shape.FromSolid(solid, sampling, ShapeDef.Default);
    }

    /// <summary>A body that overflows, and is frozen, within a few of <see cref="Scatter"/>.</summary>
    public static Body Overflowing(World world)
    {
        var points = new Vec3[27];
        var masses = new float[27];
        for (int i = 0; i < 27; i++)
        {
            points[i] = new Vec3(i % 3, i / 3 % 3, i / 9) * 5e8f;
            masses[i] = 1e8f;
        }
        var material = Wobble.Material.Default;
        material.StiffnessKind = (uint)StiffnessKind.PerStep;
        material.DampingKind = (uint)DampingKind.PerStep;
        material.Stiffness = material.Damping = 0;
        material.Goals = (uint)Goals.Quadratic;
        material.GoalsBeta = 0.5f;
        using (var shape = Shape.FromPoints(points, masses))
            return world.CreateBody(shape, BodyDef.Default, material);
    }

    /// <summary>Throws the particles of such a body apart, and steps.</summary>
    public static void Scatter(World world, Body body)
    {
        for (int particle = 0; particle < 27; particle++)
        {
            float speed = particle < 13 ? 1e9f : -1e9f;
            body.SetVelocityOf(particle, new Vec3(speed, speed, speed));
        }
        world.BeginStep(10);
        world.WaitForStep();
    }

    public static WobbleException Refused(Status status, string word, TestDelegate call)
    {
        var exception = Assert.Throws<WobbleException>(call);
        Assert.AreEqual(status, exception.Status, exception.Message);
        StringAssert.Contains(word, exception.Message);
        return exception;
    }

    public static void Near(Vec3 wanted, Vec3 found, float within = 1e-4f)
    {
        Assert.Less((wanted - found).Length, within, found + " is not " + wanted);
    }
}
