//! Thin help over miniquad: pipelines from two sources, and buffers that grow.

use miniquad::{
    BlendFactor, BlendState, BlendValue, BufferId, BufferLayout, BufferSource, BufferType, BufferUsage,
    Comparison, CullFace, Equation, Pipeline, PipelineParams, PrimitiveType, RenderingBackend, ShaderSource,
    VertexAttribute, VertexStep,
};

use crate::shaders;

/// How a pipeline treats what is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Hides what is behind; only faces towards the eye.
    Solid,
    /// Hidden by what is in front.
    Lines,
    /// Over everything.
    Flat,
    /// Under everything.
    Behind,
}

impl Kind {
    fn params(self) -> PipelineParams {
        let blend = BlendState::new(
            Equation::Add,
            BlendFactor::Value(BlendValue::SourceAlpha),
            BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
        );
        let plain = PipelineParams::default();
        let (depth_test, color_blend) = (Comparison::LessOrEqual, Some(blend));
        match self {
            Kind::Solid => {
                PipelineParams { depth_test, depth_write: true, cull_face: CullFace::Back, ..plain }
            }
            Kind::Lines => {
                PipelineParams { depth_test, color_blend, primitive_type: PrimitiveType::Lines, ..plain }
            }
            Kind::Flat => PipelineParams { color_blend, ..plain },
            Kind::Behind => plain,
        }
    }
}

/// A pipeline whose last buffer, if there are several and `instanced`, has one entry an instance.
pub fn pipeline(
    gpu: &mut dyn RenderingBackend,
    (vertex, fragment): (&str, &str),
    attributes: &[VertexAttribute],
    instanced: bool,
    kind: Kind,
) -> Result<Pipeline, String> {
    let shader = gpu
        .new_shader(ShaderSource::Glsl { vertex, fragment }, shaders::meta())
        .map_err(|error| format!("the graphics driver refused a shader: {error}"))?;
    let buffers = attributes.iter().map(|a| a.buffer_index).max().unwrap_or(0) + 1;
    let mut layouts = vec![BufferLayout::default(); buffers];
    if instanced {
        layouts[buffers - 1].step_func = VertexStep::PerInstance;
    }
    Ok(gpu.new_pipeline(&layouts, attributes, shader, kind.params()))
}

/// A buffer that is written anew each frame.
pub struct Stream {
    kind: BufferType,
    id: Option<BufferId>,
    bytes: usize,
}

impl Stream {
    pub fn new(kind: BufferType) -> Stream {
        Stream { kind, id: None, bytes: 0 }
    }

    /// Writes all of `data`; a larger buffer is made when it does not fit.
    pub fn write<T>(&mut self, gpu: &mut dyn RenderingBackend, data: &[T]) -> BufferId {
        let bytes = size_of_val(data);
        let id = match self.id {
            Some(id) if bytes <= self.bytes => id,
            old => {
                if let Some(old) = old {
                    gpu.delete_buffer(old);
                }
                let count = (data.len() * 3 / 2).max(64);
                self.bytes = count * size_of::<T>();
                gpu.new_buffer(self.kind, BufferUsage::Stream, BufferSource::empty::<T>(count))
            }
        };
        self.id = Some(id);
        if !data.is_empty() {
            gpu.buffer_update(id, BufferSource::slice(data));
        }
        id
    }
}

/// A buffer that stays as it is.
pub fn fixed<T>(gpu: &mut dyn RenderingBackend, kind: BufferType, data: &[T]) -> BufferId {
    gpu.new_buffer(kind, BufferUsage::Immutable, BufferSource::slice(data))
}
