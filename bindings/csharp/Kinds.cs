// The constants of wobble.h as enumerations. Fields of definitions are plain numbers, so they are cast: (uint)Combine.Average.

using static Wobble.NativeMethods;

namespace Wobble
{
    public enum Algorithm : uint
    {
        Random = WOBBLE_ALGORITHM_RANDOM,
        KMeans = WOBBLE_ALGORITHM_K_MEANS,
        Fuzzy = WOBBLE_ALGORITHM_FUZZY,
    }

    public enum Kernel : uint
    {
        Box = WOBBLE_KERNEL_BOX,
        Poly6 = WOBBLE_KERNEL_POLY6,
        Blend = WOBBLE_KERNEL_BLEND,
        InverseSquare = WOBBLE_KERNEL_INVERSE_SQUARE,
        Fcm = WOBBLE_KERNEL_FCM,
    }

    public enum Nesting : uint
    {
        Nested = WOBBLE_NESTING_NESTED,
        Independent = WOBBLE_NESTING_INDEPENDENT,
    }

    public enum StiffnessKind : uint
    {
        Hertz = WOBBLE_STIFFNESS_HERTZ,
        PerStep = WOBBLE_STIFFNESS_PER_STEP,
    }

    public enum DampingKind : uint
    {
        PerSecond = WOBBLE_DAMPING_PER_SECOND,
        PerStep = WOBBLE_DAMPING_PER_STEP,
    }

    public enum DampingForm : uint
    {
        Rigid = WOBBLE_DAMPING_FORM_RIGID,
        Paper = WOBBLE_DAMPING_FORM_PAPER,
    }

    public enum Rotations : uint
    {
        Momentum = WOBBLE_ROTATION_MOMENTUM,
        Stretch = WOBBLE_ROTATION_STRETCH,
    }

    public enum Goals : uint
    {
        Rigid = WOBBLE_GOALS_RIGID,
        Linear = WOBBLE_GOALS_LINEAR,
        Quadratic = WOBBLE_GOALS_QUADRATIC,
    }

    public enum Combine : uint
    {
        Natural = WOBBLE_COMBINE_NATURAL,
        Average = WOBBLE_COMBINE_AVERAGE,
        Minimum = WOBBLE_COMBINE_MINIMUM,
        Multiply = WOBBLE_COMBINE_MULTIPLY,
        Maximum = WOBBLE_COMBINE_MAXIMUM,
    }

    public enum ColliderKind : uint
    {
        Plane = WOBBLE_COLLIDER_PLANE,
        Sphere = WOBBLE_COLLIDER_SPHERE,
        Box = WOBBLE_COLLIDER_BOX,
        Capsule = WOBBLE_COLLIDER_CAPSULE,
        Cylinder = WOBBLE_COLLIDER_CYLINDER,
        Hull = WOBBLE_COLLIDER_HULL,
        Mesh = WOBBLE_COLLIDER_MESH,
        HeightField = WOBBLE_COLLIDER_HEIGHT_FIELD,
        Surface = WOBBLE_COLLIDER_SURFACE,
    }

    public enum ContactPhase : uint
    {
        Begin = WOBBLE_CONTACT_BEGIN,
        Stay = WOBBLE_CONTACT_STAY,
        End = WOBBLE_CONTACT_END,
    }

    public enum FieldKind : uint
    {
        Wind = WOBBLE_FIELD_WIND,
        Attractor = WOBBLE_FIELD_ATTRACTOR,
        Buoyancy = WOBBLE_FIELD_BUOYANCY,
    }

    public enum Pattern : uint
    {
        Grid = WOBBLE_PATTERN_GRID,
        BodyCentred = WOBBLE_PATTERN_BODY_CENTRED,
        BlueNoise = WOBBLE_PATTERN_BLUE_NOISE,
    }

    public enum SolidKind : uint
    {
        Ball = WOBBLE_SOLID_BALL,
        Box = WOBBLE_SOLID_BOX,
        Capsule = WOBBLE_SOLID_CAPSULE,
        Torus = WOBBLE_SOLID_TORUS,
        Cylinder = WOBBLE_SOLID_CYLINDER,
        GummyBear = WOBBLE_SOLID_GUMMY_BEAR,
        Distance = WOBBLE_SOLID_DISTANCE,
    }

    /// <summary>Where particles are looked for: as they are now, or at rest.</summary>
    public enum Space : uint
    {
        World = WOBBLE_SPACE_WORLD,
        Rest = WOBBLE_SPACE_REST,
    }
}
