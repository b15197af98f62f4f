// Bulk access by spans, for which arrays will do as well. Unity has spans with the API level .NET Standard 2.1, its
// default; with .NET Framework the methods that take pointers remain.
#if !NET_4_6

using System;
using System.Runtime.InteropServices;

namespace Wobble
{
    public sealed unsafe partial class Body
    {
        public void ReadPositions(Span<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) ReadPositions(at, positions.Length);
        }

        public void ReadPositionsAt(float fraction, Span<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) ReadPositionsAt(fraction, at, positions.Length);
        }

        public void ReadPreviousPositions(Span<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) ReadPreviousPositions(at, positions.Length);
        }

        public void ReadVelocities(Span<Vec3> velocities)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(velocities)) ReadVelocities(at, velocities.Length);
        }

        public void SetPositions(ReadOnlySpan<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) SetPositions(at, positions.Length);
        }

        public void SetVelocities(ReadOnlySpan<Vec3> velocities)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(velocities)) SetVelocities(at, velocities.Length);
        }

        public void ReadClusterTransforms(int level, Span<Transform> transforms)
        {
            fixed (Transform* at = &MemoryMarshal.GetReference(transforms)) ReadClusterTransforms(level, at, transforms.Length);
        }

        public void ReadBones(float fraction, Span<Matrix3x4> matrices)
        {
            fixed (Matrix3x4* at = &MemoryMarshal.GetReference(matrices)) ReadBones(fraction, at, matrices.Length);
        }

        public void SetLevelWeights(ReadOnlySpan<float> weights)
        {
            fixed (float* at = &MemoryMarshal.GetReference(weights)) SetLevelWeights(at, weights.Length);
        }

        public int ReadPins(Span<uint> particles)
        {
            fixed (uint* at = &MemoryMarshal.GetReference(particles)) return ReadPins(at, particles.Length);
        }

        public int ParticlesInBox(Bounds box, Space space, Span<uint> particles)
        {
            fixed (uint* at = &MemoryMarshal.GetReference(particles)) return ParticlesInBox(box, space, at, particles.Length);
        }

        public int ParticlesInSphere(Vec3 centre, float radius, Space space, Span<uint> particles)
        {
            fixed (uint* at = &MemoryMarshal.GetReference(particles)) return ParticlesInSphere(centre, radius, space, at, particles.Length);
        }

        /// <summary>The deformed mesh; a span that is empty is left out. Returns the box that holds it.</summary>
        public Bounds ReadSkin(Span<Vec3> positions, Span<Vec3> normals = default(Span<Vec3>),
            Span<Vec4> tangents = default(Span<Vec4>), float fraction = 1)
        {
            var buffers = SkinBuffers.Default;
            fixed (Vec3* places = &MemoryMarshal.GetReference(positions))
            fixed (Vec3* directions = &MemoryMarshal.GetReference(normals))
            fixed (Vec4* along = &MemoryMarshal.GetReference(tangents))
            {
                buffers.Positions = (float*)places;
                buffers.Normals = (float*)directions;
                buffers.Tangents = (float*)along;
                buffers.Capacity = (uint)Math.Min(Room(positions.Length), Math.Min(Room(normals.Length), Room(tangents.Length)));
                buffers.Fraction = fraction;
                return ReadSkin(buffers);
            }
        }

        static int Room(int length) => length == 0 ? int.MaxValue : length;
    }

    public sealed unsafe partial class World
    {
        public int ReadContacts(Span<Contact> contacts)
        {
            fixed (Contact* at = &MemoryMarshal.GetReference(contacts)) return ReadContacts(at, contacts.Length);
        }

        public int ReadSlept(Span<BodyHandle> bodies)
        {
            fixed (BodyHandle* at = &MemoryMarshal.GetReference(bodies)) return ReadSlept(at, bodies.Length);
        }

        public int ReadWoke(Span<BodyHandle> bodies)
        {
            fixed (BodyHandle* at = &MemoryMarshal.GetReference(bodies)) return ReadWoke(at, bodies.Length);
        }

        public int ReadNewlyFrozen(Span<BodyHandle> bodies)
        {
            fixed (BodyHandle* at = &MemoryMarshal.GetReference(bodies)) return ReadNewlyFrozen(at, bodies.Length);
        }

        public int ReadBrokenAttachments(Span<AttachmentHandle> attachments)
        {
            fixed (AttachmentHandle* at = &MemoryMarshal.GetReference(attachments)) return ReadBrokenAttachments(at, attachments.Length);
        }

        public int OverlapSphere(Vec3 centre, float radius, Groups groups, Span<Partner> found)
        {
            fixed (Partner* at = &MemoryMarshal.GetReference(found)) return OverlapSphere(centre, radius, groups, at, found.Length);
        }

        public int OverlapBox(Vec3 centre, Vec3 halfExtents, Quat rotation, Groups groups, Span<Partner> found)
        {
            fixed (Partner* at = &MemoryMarshal.GetReference(found)) return OverlapBox(centre, halfExtents, rotation, groups, at, found.Length);
        }
    }

    public sealed unsafe partial class Shape
    {
        public void ReadRestPositions(Span<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) ReadRestPositions(at, positions.Length);
        }

        public void ReadMasses(Span<float> masses)
        {
            fixed (float* at = &MemoryMarshal.GetReference(masses)) ReadMasses(at, masses.Length);
        }

        public void ReadPins(Span<uint> particles)
        {
            fixed (uint* at = &MemoryMarshal.GetReference(particles)) ReadPins(at, particles.Length);
        }

        public void ReadClusterCentres(int level, Span<Vec3> centres)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(centres)) ReadClusterCentres(level, at, centres.Length);
        }

        public void ReadClusterWidths(int level, Span<float> widths)
        {
            fixed (float* at = &MemoryMarshal.GetReference(widths)) ReadClusterWidths(level, at, widths.Length);
        }

        public void ReadMemberships(int level, Span<Membership> memberships)
        {
            fixed (Membership* at = &MemoryMarshal.GetReference(memberships)) ReadMemberships(level, at, memberships.Length);
        }

        public void ReadPlanes(Span<ClusterPlane> planes)
        {
            fixed (ClusterPlane* at = &MemoryMarshal.GetReference(planes)) ReadPlanes(at, planes.Length);
        }

        public void ReadVertices(Span<Vec3> positions)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(positions)) ReadVertices(at, positions.Length);
        }

        public void ReadNormals(Span<Vec3> normals)
        {
            fixed (Vec3* at = &MemoryMarshal.GetReference(normals)) ReadNormals(at, normals.Length);
        }

        public void ReadTangents(Span<Vec4> tangents)
        {
            fixed (Vec4* at = &MemoryMarshal.GetReference(tangents)) ReadTangents(at, tangents.Length);
        }

        public void ReadIndices(Span<uint> indices)
        {
            fixed (uint* at = &MemoryMarshal.GetReference(indices)) ReadIndices(at, indices.Length);
        }
    }
}
#endif
