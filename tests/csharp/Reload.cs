// Loads and unloads managed code as Unity's editor does, with worlds alive, steps running and a log listener set. The
// library stays loaded throughout.

using System;
using Wobble;

static class Reload
{
    static int Main()
    {
        for (int round = 0; round < 5; round++)
        {
            var domain = AppDomain.CreateDomain("scripts " + round);
            domain.DoCallBack(Play);
            AppDomain.Unload(domain);
            // A line of the log must not go to a listener that is gone.
            using (var world = Scenes.Calm()) Overflow(world);
        }
        return 0;
    }

    static void Play()
    {
        bool heard = false;
        Library.Log = (severity, line) => heard = true;
        var world = Scenes.Calm();
        world.Threads = 2;
        Overflow(world);
        if (!heard) throw new InvalidOperationException("the log was silent");
        for (int i = 0; i < 10; i++) world.CreateBody(Scenes.Cube);
        new World().BeginStep(Scenes.Frame);
        world.BeginStep(Scenes.Frame);
    }

    static void Overflow(World world)
    {
        var body = Scenes.Overflowing(world);
        for (int i = 0; i < 300 && !body.IsFrozen; i++) Scenes.Scatter(world, body);
        if (!body.IsFrozen) throw new InvalidOperationException("the body held");
    }
}
