//! The window as a PNG file.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use miniquad::{gl, window};

/// Writes what was drawn last.
pub fn write(file: &Path) -> io::Result<()> {
    let (width, height) = window::screen_size();
    let (width, height) = (width as usize, height as usize);
    let mut pixels = vec![0u8; width * height * 4];
    // SAFETY: the buffer holds four bytes for each pixel of the window, and rows of four-byte pixels
    // need no padding.
    unsafe {
        let out = pixels.as_mut_ptr().cast();
        gl::glReadPixels(0, 0, width as i32, height as i32, gl::GL_RGBA, gl::GL_UNSIGNED_BYTE, out);
    }
    let rows = pixels.chunks_exact(width * 4).rev();
    let flat: Vec<u8> = rows.flat_map(|row| row.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]])).collect();
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&flat)?;
    Ok(())
}
