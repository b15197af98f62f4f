// What the loop of a game costs from C# over C: step, read back, write meshes, for 20 bodies of 1,000 particles. Both
// take turns in this process, each with a world of its own that goes through the same states. Prints seconds a frame.

using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Wobble;

static unsafe class Loop
{
    struct Arguments
    {
        public WorldHandle World;
        public BodyHandle* Bodies;
        public uint BodyCount, ParticleCount, VertexCount, Frames;
        public Vec3* Particles, Vertices, Normals, MeshVertices, MeshNormals;
    }

    [DllImport("wobble_loop", CallingConvention = CallingConvention.Cdecl)]
    static extern int run_loop(Arguments* arguments);

    /// <summary>A world with bodies on the ground, nobody sleeping, and the arrays of a host.</summary>
    sealed class Scene
    {
        public readonly World World;
        public readonly Body[] Bodies;
        public readonly Vec3[] Particles, Vertices, Normals, MeshVertices, MeshNormals;

        public Scene(Shape shape, int bodies)
        {
            var def = WorldDef.Default;
            def.Threads = 1;
            def.Sleeping = 0;
            World = new World(def);
            World.CreateCollider();
            Bodies = new Body[bodies];
            for (int i = 0; i < bodies; i++)
            {
                Bodies[i] = World.CreateBody(shape);
                Bodies[i].Teleport(new Vec3(1.5f * i, 0.6f, 0), Quat.Identity);
            }
            Particles = new Vec3[shape.ParticleCount];
            Vertices = new Vec3[shape.VertexCount];
            Normals = new Vec3[shape.VertexCount];
            MeshVertices = new Vec3[shape.VertexCount];
            MeshNormals = new Vec3[shape.VertexCount];
        }

        public void RunInCSharp(int frames)
        {
            for (int frame = 0; frame < frames; frame++)
            {
                World.Step(1f / 60f);
                foreach (var body in Bodies)
                {
                    body.ReadPositions(Particles);
                    body.ReadSkin(Vertices, Normals);
                    Array.Copy(Vertices, MeshVertices, Vertices.Length);
                    Array.Copy(Normals, MeshNormals, Normals.Length);
                }
            }
        }

        public void RunInC(int frames)
        {
            var handles = Array.ConvertAll(Bodies, body => body.Handle);
            fixed (BodyHandle* bodies = handles)
            fixed (Vec3* particles = Particles)
            fixed (Vec3* vertices = Vertices)
            fixed (Vec3* normals = Normals)
            fixed (Vec3* meshVertices = MeshVertices)
            fixed (Vec3* meshNormals = MeshNormals)
            {
                var arguments = new Arguments
                {
                    World = World.Handle, Bodies = bodies, BodyCount = (uint)Bodies.Length,
                    ParticleCount = (uint)Particles.Length, VertexCount = (uint)Vertices.Length, Frames = (uint)frames,
                    Particles = particles, Vertices = vertices, Normals = normals,
                    MeshVertices = meshVertices, MeshNormals = meshNormals,
                };
                int status = run_loop(&arguments);
                if (status != 0) throw new InvalidOperationException("the loop in C ended with " + (Status)status);
            }
        }
    }

    static double Seconds(Action<int> run, int frames)
    {
        var watch = Stopwatch.StartNew();
        run(frames);
        return watch.Elapsed.TotalSeconds / frames;
    }

    static int Main(string[] arguments)
    {
        bool smoke = arguments.Length > 0 && arguments[0] == "--smoke";
        int bodies = smoke ? 2 : 20, frames = smoke ? 2 : 10, rounds = smoke ? 2 : 40;
        var sampling = SamplingDef.Default;
        sampling.Count = smoke ? 100u : 1000u;
        using (var shape = Shape.FromSolid(Solid.Ball(0.5f), sampling, ShapeDef.Default))
        {
            Scene c = new Scene(shape, bodies), sharp = new Scene(shape, bodies);
            double bestC = double.MaxValue, bestSharp = double.MaxValue;
            for (int round = 0; round < rounds; round++)
            {
                // Who comes first finds the caches as the other left them.
                if (round % 2 == 0) bestC = Math.Min(bestC, Seconds(c.RunInC, frames));
                bestSharp = Math.Min(bestSharp, Seconds(sharp.RunInCSharp, frames));
                if (round % 2 == 1) bestC = Math.Min(bestC, Seconds(c.RunInC, frames));
            }
            if (c.World.StateHash != sharp.World.StateHash) throw new InvalidOperationException("the worlds differ");
            Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "{0} {1} {2}", bestC, bestSharp, shape.ParticleCount));
        }
        return 0;
    }
}
