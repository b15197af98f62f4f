// A program that ends without disposing of anything: worlds, a step in the background, callbacks set. It must end by
// itself and well.

using System.Threading;
using Wobble;

static class Shutdown
{
    static World kept;
    static Shape shape;
    static volatile bool heard;

    static int Main()
    {
        Library.Log = (severity, line) => heard = true;
        shape = Shape.FromPoints(Scenes.Grid(10));
        kept = Scenes.Calm();
        for (int i = 0; i < 10; i++) kept.CreateBody(shape).Teleport(new Vec3(2 * i, 0, 0), Quat.Identity);
        // Its line in the log comes on the thread of the step, which Mono then knows.
        var body = Scenes.Overflowing(kept);
        for (int i = 0; i < 300 && !heard; i++) Scenes.Scatter(kept, body);
        for (int i = 0; i < 5; i++) new World().CreateBody(shape);
        kept.BeginStep(10);
        new Thread(() => { while (true) Thread.Sleep(1); }) { IsBackground = true }.Start();
        return heard ? 0 : 1;
    }
}
