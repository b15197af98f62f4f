// Bodies that are cut or break: objects and meshes for the pieces.
//
// The largest piece stays the component that broke; the others become objects beside it. A piece owns its shape and its
// mesh, and keeps the shape as bytes while it is disabled, so that it outlives the reload of scripts.

using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Wobble.Unity
{
    public sealed unsafe partial class WobbleBody
    {
        [SerializeField, HideInInspector]
        bool isPiece, isDebris;
        [SerializeField, HideInInspector]
        byte[] ownBytes;
        [SerializeField, HideInInspector]
        Mesh ownMesh;

        Shape ownShape;
        Body adopted;
        WobbleWorld adoptedBy;

        /// <summary>Whether it is not whole: it broke, or broke off another.</summary>
        public bool IsPiece => isPiece;

        /// <summary>Whether it is particles that nothing holds together.</summary>
        public bool IsDebris => isDebris;

        /// <summary>Cuts by a plane without end, in world space. Returns how many bodies it is then; 0 if there is none.</summary>
        public int Cut(UnityEngine.Plane plane) => Cut(plane.normal * -plane.distance, plane.normal);

        /// <summary>Cuts by the plane through a point, square to a normal, in world space.</summary>
        public int Cut(Vector3 point, Vector3 normal)
        {
            if (Body == null) return 0;
            return Told(body.Cut(point.ToWobble(), normal.ToWobble()));
        }

        /// <summary>Cuts by what an edge sweeps on its way from one place to another, in world space.</summary>
        public int Cut(Vector3 from, Vector3 fromEnd, Vector3 to, Vector3 toEnd)
        {
            if (Body == null) return 0;
            return Told(body.Cut(from.ToWobble(), fromEnd.ToWobble(), to.ToWobble(), toEnd.ToWobble()));
        }

        /// <summary>
        /// Back to the rest shape it had before it was dented, cut or broken, about the centre of mass of all its pieces;
        /// the objects of those that broke off are destroyed. One that broke off another, or was disabled since it broke,
        /// goes back to its own rest shape.
        /// </summary>
        public void Mend()
        {
            if (Body == null) return;
            body.Reset();
            Home.EndMissing(this);
            using (var shape = body.GetShape())
            {
                if (isPiece && shape.Fingerprint != ownShape.Fingerprint) BecomeWhole(shape);
            }
            AfterStep();
        }

        void BecomeWhole(Shape shape)
        {
            Undress();
            Disown();
            isPiece = isDebris = false;
            centre = shape.Centre;
            scratch = new Vec3[shape.ParticleCount];
            FindPainted(shape);
            // The library lets go of a body that it mends.
            held.Clear();
            TakeHold();
            Home.HoldAnew(this, this);
            Dress(GetComponent<MeshFilter>(), shape);
        }

        /// <summary>Makes objects of the pieces, which may end this one.</summary>
        int Told(int bodies)
        {
            Home.Part();
            return bodies;
        }

        protected override WobbleWorld FindHome() => adoptedBy != null ? adoptedBy : base.FindHome();

        /// <summary>
        /// Makes objects of the pieces that broke off. Returns the components in the order of `parting`, this first;
        /// null for what could not be made.
        /// </summary>
        internal WobbleBody[] Part(Parting parting)
        {
            var all = new WobbleBody[parting.Count];
            var grips = held.ToArray();
            held.Clear();
            foreach (var grip in grips) grip.LetGo();
            // This one last: the others are divided from the mesh that it had.
            for (int i = parting.Count - 1; i >= 0; i--)
            {
                try
                {
                    var native = Home.World.Find(parting.PieceOf(i));
                    all[i] = i == 0 ? this : MakePiece(native, parting.IsDebris(i));
                    if (i == 0) Become(native.GetShape(), deformed, parting.IsDebris(i));
                    all[i].HoldAgain(grips, parting, i);
                }
                catch (Exception exception) when (IsRefusal(exception))
                {
                    Debug.LogError("Wobble: a piece of " + name + " is not shown: " + exception.Message, this);
                }
            }
            return all;
        }

        WobbleBody MakePiece(Body native, bool debris)
        {
            var shape = native.GetShape();
            var made = new GameObject(name + " (piece)");
            made.SetActive(false);
            made.layer = gameObject.layer;
            if (transform.parent == null) SceneManager.MoveGameObjectToScene(made, gameObject.scene);
            made.transform.parent = transform.parent;
            made.transform.localPosition = transform.localPosition;
            made.transform.localRotation = transform.localRotation;
            made.transform.localScale = transform.localScale;
            made.AddComponent<MeshFilter>();
            CopyLook(made);
            var piece = made.AddComponent<WobbleBody>();
            CopySettings(piece);
            piece.adopted = native;
            piece.adoptedBy = Home;
            made.SetActive(true);
            piece.Become(shape, deformed, debris);
            return piece;
        }

        void CopyLook(GameObject to)
        {
            var from = GetComponent<MeshRenderer>();
            if (from == null) return;
            var look = to.AddComponent<MeshRenderer>();
            look.sharedMaterials = from.sharedMaterials;
            look.shadowCastingMode = from.shadowCastingMode;
            look.receiveShadows = from.receiveShadows;
        }

        /// <summary>Events are shared: who listens to the whole hears its pieces.</summary>
        void CopySettings(WobbleBody to)
        {
            to.material = material;
            to.materialVersion = materialVersion;
            to.weighting = weighting;
            to.levelWeights = (float[])levelWeights.Clone();
            to.group = group;
            to.mask = mask;
            to.canSleep = canSleep;
            to.onContact = onContact;
            to.onFracture = onFracture;
            to.onSleep = onSleep;
            to.onWake = onWake;
        }

        /// <summary>Takes over a native body, which the library has set as the whole was.</summary>
        void Adopt()
        {
            body = adopted;
            adopted = null;
            Home.Know(body, this);
        }

        /// <summary>Goes on as a piece, with a shape of its own and a mesh divided from that of the whole.</summary>
        void Become(Shape shape, Mesh whole, bool debris)
        {
            var mesh = WobblePieceMesh.Divide(whole, shape);
            Undress();
            Disown();
            isPiece = true;
            isDebris = debris;
            ownShape = shape;
            ownMesh = mesh;
            centre = shape.Centre;
            scratch = new Vec3[shape.ParticleCount];
            FindPainted(shape);
            Remember();
            AfterStep();
            Wear(GetComponent<MeshFilter>(), mesh);
        }

        /// <summary>A piece that was disabled begins anew, unless it is debris, which has no shape to begin with.</summary>
        void BeginAgain(World world)
        {
            var filter = GetComponent<MeshFilter>();
            if (isDebris)
            {
                filter.sharedMesh = null;
                return;
            }
            ownShape = Shape.Load(ownBytes);
            Make(world, ownShape);
            Wear(filter, ownMesh);
        }

        /// <summary>Lets go of the native shape; its bytes stay.</summary>
        void Store()
        {
            if (adopted != null) adopted.Dispose();
            adopted = null;
            adoptedBy = null;
            if (ownShape == null) return;
            if (!isDebris) ownBytes = ownShape.Save();
            ownShape.Dispose();
            ownShape = null;
        }

        void Disown()
        {
            if (ownShape != null) ownShape.Dispose();
            if (ownMesh != null) Destroy(ownMesh);
            ownShape = null;
            ownMesh = null;
        }

        void OnDestroy() => Disown();

        /// <summary>What pins of the whole held, they hold of the pieces.</summary>
        void HoldAgain(WobbleGrip[] grips, Parting parting, int piece)
        {
            if (body.ParticleCount != parting.ParticleCount(piece)) return;
            foreach (var grip in grips)
            {
                var chosen = parting.Among(grip.particles, piece);
                if (chosen.Length == 0) continue;
                if (piece > 0) pins.Add(grip.pin);
                held.Add(grip.Of(body, chosen));
            }
        }
    }
}
