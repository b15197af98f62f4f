using System;
using Wobble;

static class Program
{
    static void Main()
    {
        var points = new Vec3[1000];
        for (int i = 0; i < 1000; i++) points[i] = new Vec3(i % 10, i / 10 % 10, i / 100) * (1f / 9);

        using (var world = new World())
        using (var shape = Shape.FromPoints(points))
        {
            world.CreateCollider();
            var above = BodyDef.Default;
            above.Position = new Vec3(0, 2, 0);
            var cube = world.CreateBody(shape, above);
            for (int frame = 0; frame < 120; frame++) world.Step(1f / 60f);
            Console.WriteLine("two seconds on, the centre is at {0:0.00} m", cube.CentreOfMass.Y);
        }
    }
}
