//! What the GPU runs. GLSL of version 100, which every OpenGL that miniquad opens takes.

use miniquad::{ShaderMeta, UniformBlockLayout, UniformDesc, UniformType};

/// Light and shadow of everything solid.
pub const LIT: &str = r"#version 100
precision highp float;
varying vec3 place;
varying vec3 facing;
varying vec3 own;
varying vec4 base;
varying vec3 lamp;
uniform sampler2D shadow;
uniform vec4 eye;
uniform vec4 sun;
uniform vec4 haze;

float lit() {
    vec3 q = lamp * 0.5 + 0.5;
    if (q.x < 0.01 || q.y < 0.01 || q.x > 0.99 || q.y > 0.99 || q.z > 1.0) return 1.0;
    float sum = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            vec2 off = (vec2(float(i), float(j)) * 1.6 - 0.8) * sun.w;
            sum += step(q.z - 0.0015, texture2D(shadow, q.xy + off).r);
        }
    }
    return sum / 4.0;
}

void main() {
    vec3 n = normalize(facing);
    vec3 to_eye = eye.xyz - place;
    float far = length(to_eye);
    vec3 v = to_eye / far;
    if (dot(n, v) < 0.0) n = -n;
    vec3 colour = base.rgb;
    float shine = 0.22;
    if (eye.w > 0.5) {
        vec2 tile = floor(own.xz * 2.0);
        float odd = mod(tile.x + tile.y, 2.0);
        float fade = 1.0 / (1.0 + far * far * 0.012);
        colour *= 1.0 + (odd - 0.5) * 0.42 * fade;
        shine = 0.02;
    }
    float light = lit();
    float diffuse = max(dot(n, sun.xyz), 0.0) * light;
    vec3 sky = mix(vec3(0.11, 0.10, 0.10), vec3(0.34, 0.38, 0.46), 0.5 + 0.5 * n.y);
    vec3 h = normalize(sun.xyz + v);
    float gloss = pow(max(dot(n, h), 0.0), 48.0) * light * shine;
    float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0) * 0.18 * shine * 4.0;
    vec3 shaded = colour * (sky + vec3(1.05, 0.97, 0.86) * diffuse) + (gloss + rim * 0.35) * vec3(1.0, 0.97, 0.92);
    shaded = mix(shaded, base.rgb, base.a);
    float fog = eye.w > 0.5 ? far * far / (far * far + haze.w * haze.w) : 0.0;
    gl_FragColor = vec4(sqrt(mix(shaded, haze.rgb, fog)), 1.0);
}
";

pub const MESH: &str = r"#version 100
attribute vec3 at;
attribute vec3 normal;
varying vec3 place;
varying vec3 facing;
varying vec3 own;
varying vec4 base;
varying vec3 lamp;
uniform mat4 view;
uniform mat4 light;
uniform mat4 model;
uniform vec4 tint;
void main() {
    place = (model * vec4(at, 1.0)).xyz;
    facing = (model * vec4(normal, 0.0)).xyz;
    own = at;
    base = tint;
    lamp = (light * vec4(place + facing * 0.01, 1.0)).xyz;
    gl_Position = view * vec4(place, 1.0);
}
";

pub const BALLS: &str = r"#version 100
attribute vec3 at;
attribute vec4 centre;
attribute vec4 colour;
varying vec3 place;
varying vec3 facing;
varying vec3 own;
varying vec4 base;
varying vec3 lamp;
uniform mat4 view;
uniform mat4 light;
uniform vec4 eye;
void main() {
    // The half that is seen.
    vec3 to_eye = normalize(eye.xyz - centre.xyz);
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.001), to_eye));
    facing = at.x * right + at.y * cross(to_eye, right) + at.z * to_eye;
    place = centre.xyz + facing * centre.w;
    own = at;
    base = colour;
    lamp = (light * vec4(place + facing * 0.01, 1.0)).xyz;
    gl_Position = view * vec4(place, 1.0);
}
";

/// Writes depth only.
pub const DARK: &str = r"#version 100
precision highp float;
void main() { gl_FragColor = vec4(1.0); }
";

pub const DARK_MESH: &str = r"#version 100
attribute vec3 at;
uniform mat4 light;
uniform mat4 model;
void main() { gl_Position = light * (model * vec4(at, 1.0)); }
";

pub const DARK_BALLS: &str = r"#version 100
attribute vec3 at;
attribute vec4 centre;
uniform mat4 light;
uniform vec4 sun;
void main() {
    vec3 right = normalize(cross(vec3(0.0, 0.0, 1.0), sun.xyz));
    vec3 turned = at.x * right + at.y * cross(sun.xyz, right) + at.z * sun.xyz;
    gl_Position = light * vec4(centre.xyz + turned * centre.w, 1.0);
}
";

pub const LINES: &str = r"#version 100
attribute vec3 at;
attribute vec4 colour;
varying vec4 base;
uniform mat4 view;
void main() {
    base = colour;
    gl_Position = view * vec4(at, 1.0);
    // A hair nearer than what it lies on.
    gl_Position.z -= 0.0005 * gl_Position.w;
}
";

pub const PLAIN: &str = r"#version 100
precision highp float;
varying vec4 base;
void main() { gl_FragColor = vec4(sqrt(base.rgb), base.a); }
";

/// The sky behind everything: `tint.xy` is the rise of the line of sight at the middle, and from there to the top.
pub const SKY: &str = r"#version 100
attribute vec2 at;
varying float rise;
uniform vec4 tint;
void main() {
    rise = tint.x + at.y * tint.y;
    gl_Position = vec4(at, 0.9999, 1.0);
}
";

pub const HEAVEN: &str = r"#version 100
precision highp float;
varying float rise;
uniform vec4 haze;
void main() {
    vec3 zenith = vec3(0.07, 0.13, 0.26);
    gl_FragColor = vec4(sqrt(mix(haze.rgb, zenith, clamp(rise * 1.6, 0.0, 1.0))), 1.0);
}
";

/// The panel, in points; `tint.xy` is the size of the window.
pub const FLAT: &str = r"#version 100
attribute vec2 at;
attribute vec2 place;
attribute vec4 colour;
varying vec4 base;
varying vec2 letter;
uniform vec4 tint;
void main() {
    base = colour;
    letter = place;
    gl_Position = vec4(at.x / tint.x * 2.0 - 1.0, 1.0 - at.y / tint.y * 2.0, 0.0, 1.0);
}
";

pub const LETTERS: &str = r"#version 100
precision highp float;
varying vec4 base;
varying vec2 letter;
uniform sampler2D shadow;
void main() { gl_FragColor = base * vec4(1.0, 1.0, 1.0, texture2D(shadow, letter).a); }
";

/// What all of these are told, in the order of [`Told`].
pub fn meta() -> ShaderMeta {
    let matrices = ["view", "light", "model"].map(|name| UniformDesc::new(name, UniformType::Mat4));
    let vectors = ["tint", "eye", "sun", "haze"].map(|name| UniformDesc::new(name, UniformType::Float4));
    let uniforms = matrices.into_iter().chain(vectors).collect();
    ShaderMeta { uniforms: UniformBlockLayout { uniforms }, images: vec!["shadow".into()] }
}

/// Uniforms as they lie in memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Told {
    /// From the world to the picture, and to the lamp's picture.
    pub view: [f32; 16],
    pub light: [f32; 16],
    pub model: [f32; 16],
    pub tint: [f32; 4],
    /// The eye; w is 1 where there are tiles.
    pub eye: [f32; 4],
    /// Towards the sun; w is the size of a texel of the shadow.
    pub sun: [f32; 4],
    /// Colour of the horizon; w is the distance at which half is haze.
    pub haze: [f32; 4],
}
