// Bodies: what they are made of, how levels share the pull, how they touch, whether they sleep.

using static Wobble.NativeMethods;

namespace Wobble
{
    public sealed unsafe partial class Body
    {
        /// <summary>Can be set at any time, every frame if need be.</summary>
        public Material Material
        {
            get
            {
                var material = new Material { StructSize = (uint)sizeof(Material) };
                Done(wobble_body_material(Handle, &material));
                return material;
            }
            set { Done(wobble_body_set_material(Handle, &value)); }
        }

        /// <summary>Material and level weights by name: see <see cref="Wobble.Material.Named"/>.</summary>
        public void SetPreset(string name)
        {
            fixed (byte* text = Text.Write(name)) Done(wobble_body_set_preset(Handle, text));
        }

        // Levels, finest first.

        public int LevelCount
        {
            get { uint count; Done(wobble_body_level_count(Handle, &count)); return (int)count; }
        }

        /// <summary>The weight of a level; all of them sum to 1.</summary>
        public float GetLevelWeight(int level)
        {
            float weight;
            Done(wobble_body_level_weight(Handle, (uint)level, &weight));
            return weight;
        }

        /// <summary>From 0 to 1; the others keep their proportions and share the rest.</summary>
        public void SetLevelWeight(int level, float weight) =>
            Done(wobble_body_set_level_weight(Handle, (uint)level, weight));

        /// <summary>0 or more each, not all 0; scaled to sum to 1.</summary>
        public void SetLevelWeights(float* weights, int count) =>
            Done(wobble_body_set_level_weights(Handle, weights, (uint)count));

        /// <summary>
        /// By a scheme: "uniform", "linear_fine", "linear_coarse" (a: the lowest weight), "gaussian_fine",
        /// "gaussian_coarse", "polynomial_fine" or "polynomial_coarse" ((1 + a s) to the power b).
        /// </summary>
        public void SetWeighting(string name, float a = 1, float b = 1)
        {
            fixed (byte* text = Text.Write(name)) Done(wobble_body_set_weighting(Handle, text, a, b));
        }

        public float GetLevelStiffness(int level)
        {
            float multiplier;
            Done(wobble_body_level_stiffness(Handle, (uint)level, &multiplier));
            return multiplier;
        }

        public void SetLevelStiffness(int level, float multiplier) =>
            Done(wobble_body_set_level_stiffness(Handle, (uint)level, multiplier));

        public float GetLevelDamping(int level)
        {
            float multiplier;
            Done(wobble_body_level_damping(Handle, (uint)level, &multiplier));
            return multiplier;
        }

        public void SetLevelDamping(int level, float multiplier) =>
            Done(wobble_body_set_level_damping(Handle, (uint)level, multiplier));

        // Touching.

        public Surface Surface
        {
            get
            {
                float friction, restitution;
                uint combine;
                Done(wobble_body_surface(Handle, &friction, &restitution, &combine));
                return new Surface(friction, restitution, (Combine)combine);
            }
            set { Done(wobble_body_set_surface(Handle, value.Friction, value.Restitution, (uint)value.Combine)); }
        }

        public Touch Touch
        {
            get
            {
                float parting;
                uint itself, proxies;
                Done(wobble_body_touch(Handle, &parting, &itself, &proxies));
                return new Touch { Parting = parting, Itself = itself != 0, Proxies = proxies != 0 };
            }
            set
            {
                Done(wobble_body_set_touch(Handle, value.Parting, value.Itself ? 1u : 0u, value.Proxies ? 1u : 0u));
            }
        }

        public Groups Groups
        {
            get
            {
                var groups = new Groups();
                Done(wobble_body_groups(Handle, &groups.Group, &groups.Mask));
                return groups;
            }
            set { Done(wobble_body_set_groups(Handle, value.Group, value.Mask)); }
        }

        /// <summary>Distance that particles keep from what they touch, metres.</summary>
        public float ParticleRadius
        {
            get { float radius; Done(wobble_body_particle_radius(Handle, &radius)); return radius; }
            set { Done(wobble_body_set_particle_radius(Handle, value)); }
        }

        /// <summary>Whether it was in contact with a collider at the end of the last step.</summary>
        public bool IsTouching
        {
            get { uint touching; Done(wobble_body_is_touching(Handle, &touching)); return touching != 0; }
        }

        // Sleep.

        public bool CanSleep
        {
            get { uint can; Done(wobble_body_can_sleep(Handle, &can)); return can != 0; }
            set { Done(wobble_body_set_can_sleep(Handle, value ? 1u : 0u)); }
        }

        public bool IsSleeping
        {
            get { uint sleeping; Done(wobble_body_is_sleeping(Handle, &sleeping)); return sleeping != 0; }
        }

        public void Wake() => Done(wobble_body_wake(Handle));

        public void PutToSleep() => Done(wobble_body_put_to_sleep(Handle));
    }
}
