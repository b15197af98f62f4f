// What bodies are made of, as an asset that many share.

using UnityEngine;

namespace Wobble.Unity
{
    public enum WobbleSubstance
    {
        Custom,
        Jelly,
        Rubber,
        Flesh,
        Foam,
        Gummy,
        WaterBalloon,
    }

    /// <summary>A material of soft bodies. Changes show at once, in play mode too.</summary>
    [CreateAssetMenu(menuName = "Wobble/Material", fileName = "Wobble Material")]
    public sealed class WobbleMaterial : ScriptableObject
    {
        /// <summary>The library's least, but for 0.</summary>
        const float LeastRecluster = 1.05f;

        [Tooltip("A material by name, with level weights of its own; Custom to set all by hand.")]
        public WobbleSubstance substance = WobbleSubstance.Custom;
        [Tooltip("How fast a bent body swings back, Hz."), Min(0.01f)]
        public float stiffness = 40;
        [Tooltip("How soon it stops swinging, 1/s."), Min(0)]
        public float damping = 10;
        [Tooltip("Rigid keeps shape best; linear lets clusters stretch and shear, quadratic bend and twist.")]
        public Goals goals = Goals.Rigid;
        [Tooltip("Share of the linear or quadratic goal."), Range(0, 1)]
        public float goalsBeta = 0.5f;
        [Tooltip("Rounds of strain limiting a substep; 0 for no limit."), Range(0, 64)]
        public int strainRounds = 0;
        [Tooltip("How far a particle may stray, in widths of a cluster."), Min(0)]
        public float strainLimit = 0.3f;
        [Tooltip("Share of the excess that a round takes back; above 1 it overshoots."), Range(0, 2)]
        public float strainShare = 1;
        public float gravityScale = 1;
        [Tooltip("How freely it springs back from a landing."), Range(0, 1)]
        public float rebound = 0;
        [Tooltip("How many times stiffer the volume is than the shape: a squeezed body bulges."), Range(0, 100)]
        public float volumeStiffness = 0;
        [Tooltip("How much more volume than at rest it wants."), Range(-0.9f, 9)]
        public float pressure = 0;
        [Tooltip("Whether deformation beyond the yield lasts.")]
        public bool plastic = false;
        [Tooltip("Elastic strain from which on deformation lasts."), Range(0, 10)]
        public float yieldStrain = 0.1f;
        [Tooltip("Share of the strain beyond the yield that becomes lasting in a second."), Min(0)]
        public float flow = 100;
        [Tooltip("The largest lasting strain."), Range(0, 10)]
        public float lastingLimit = 1;
        [Tooltip("Share of the lasting strain that is forgotten in a second."), Min(0)]
        public float recovery = 0;
        [Tooltip("Largest over smallest lasting stretch of a finest cluster from which on it is replaced, so that the body can flow without end: 1.25 to 1.5 are common. 0 for never."), Range(0, 10)]
        public float recluster = 0;
        [Tooltip("Steps in which such a cluster fades out."), Range(1, 1000)]
        public int reclusterFade = 30;
        [Tooltip("The most new clusters of a body in a step; the rest waits."), Range(1, 1000)]
        public int mostNewClusters = 8;
        [Tooltip("Whether it breaks where it is stretched too far.")]
        public bool breakable = false;
        [Tooltip("The stretch beyond 1 at which it breaks: with 0.3 at 1.3 times its length."), Range(0.001f, 100)]
        public float toughness = 0.3f;
        [Tooltip("Pieces of fewer particles fall into debris."), Range(1, 1000)]
        public int smallestPiece = 4;
        [Min(0)]
        public float friction = 0.5f;
        [Range(0, 1)]
        public float restitution = 0;
        public Combine combine = Combine.Natural;

        /// <summary>Changes whenever a setting does, so that bodies notice.</summary>
        public int Version { get; private set; }

        /// <summary>The library's name for the substance, or null.</summary>
        public string PresetName
        {
            get
            {
                switch (substance)
                {
                    case WobbleSubstance.Jelly: return "jelly";
                    case WobbleSubstance.Rubber: return "rubber";
                    case WobbleSubstance.Flesh: return "flesh";
                    case WobbleSubstance.Foam: return "foam";
                    case WobbleSubstance.Gummy: return "gummy";
                    case WobbleSubstance.WaterBalloon: return "water balloon";
                    default: return null;
                }
            }
        }

        /// <summary>How deformation lasts; null if it does not.</summary>
        public Plasticity? Plasticity
        {
            get
            {
                if (!plastic) return null;
                var rule = Wobble.Plasticity.Default;
                rule.YieldStrain = yieldStrain;
                rule.Flow = flow;
                rule.Limit = lastingLimit;
                rule.Recovery = recovery;
                rule.Recluster = recluster;
                rule.Fade = (uint)reclusterFade;
                rule.MostNewClusters = (uint)mostNewClusters;
                return rule;
            }
        }

        /// <summary>How it breaks; null if it does not.</summary>
        public Fracture? Fracture
        {
            get
            {
                if (!breakable) return null;
                var rule = Wobble.Fracture.Default;
                rule.Toughness = toughness;
                rule.Smallest = (uint)smallestPiece;
                return rule;
            }
        }

        public Surface Surface => new Surface(friction, restitution, combine);

        /// <summary>To be called after changing settings from a script.</summary>
        public void Touch()
        {
            Check();
            Version++;
        }

        void OnValidate() => Touch();

        internal void Check()
        {
            WobbleRange.Keep(ref stiffness, 0, 1e6f, nameof(stiffness), this);
            WobbleRange.Keep(ref damping, 0, 1e6f, nameof(damping), this);
            WobbleRange.Keep(ref goalsBeta, 0, 1, nameof(goalsBeta), this);
            WobbleRange.Keep(ref strainRounds, 0, 64, nameof(strainRounds), this);
            WobbleRange.Keep(ref strainLimit, 0, 1e6f, nameof(strainLimit), this);
            WobbleRange.Keep(ref strainShare, 0, 2, nameof(strainShare), this);
            WobbleRange.Keep(ref gravityScale, -1e6f, 1e6f, nameof(gravityScale), this);
            WobbleRange.Keep(ref rebound, 0, 1, nameof(rebound), this);
            WobbleRange.Keep(ref volumeStiffness, 0, 100, nameof(volumeStiffness), this);
            WobbleRange.Keep(ref pressure, -0.9f, 9, nameof(pressure), this);
            CheckLasting();
            WobbleRange.Keep(ref friction, 0, 1e6f, nameof(friction), this);
            WobbleRange.Keep(ref restitution, 0, 1, nameof(restitution), this);
        }

        void CheckLasting()
        {
            WobbleRange.Keep(ref yieldStrain, 0, 10, nameof(yieldStrain), this);
            WobbleRange.Keep(ref flow, 0, 1e6f, nameof(flow), this);
            WobbleRange.Keep(ref lastingLimit, 0, 10, nameof(lastingLimit), this);
            WobbleRange.Keep(ref recovery, 0, 1e6f, nameof(recovery), this);
            WobbleRange.Keep(ref recluster, 0, 1000, nameof(recluster), this);
            // A slider passes here on its way up from 0.
            if (recluster > 0) recluster = Mathf.Max(recluster, LeastRecluster);
            WobbleRange.Keep(ref reclusterFade, 1, 1000, nameof(reclusterFade), this);
            WobbleRange.Keep(ref mostNewClusters, 1, 1000, nameof(mostNewClusters), this);
            WobbleRange.Keep(ref toughness, 1e-3f, 100, nameof(toughness), this);
            WobbleRange.Keep(ref smallestPiece, 1, 1000, nameof(smallestPiece), this);
        }

        /// <summary>As the library has it.</summary>
        public Material ToNative()
        {
            string name = PresetName;
            if (name != null) return Material.Named(name);
            var native = Material.Default;
            native.Stiffness = stiffness;
            native.Damping = damping;
            native.Goals = (uint)goals;
            native.GoalsBeta = goalsBeta;
            native.StrainRounds = (uint)strainRounds;
            native.StrainGamma = strainLimit;
            native.StrainOmega = strainShare;
            native.GravityScale = gravityScale;
            native.Rebound = rebound;
            native.VolumeStiffness = volumeStiffness;
            native.Pressure = pressure;
            return native;
        }
    }
}
