//! Writes a folder as a gzipped tar file, uncompressed, laid out as npm and Unity's Package Manager want it: all below
//! `package/`.
//!
//! Names come in sorted order and all dates are the same, so equal folders make equal files.

use std::path::Path;
use std::{fs, io};

use crate::zip::{crc32, files};

/// The most bytes of a stored block.
const BLOCK: usize = 65_535;

pub fn write(folder: &Path, tgz: &Path) -> io::Result<()> {
    let mut tar = Vec::new();
    for file in files(folder)? {
        let within = file.strip_prefix(folder).unwrap_or(&file);
        let name = within.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        let bytes = fs::read(&file)?;
        tar.extend(header(&format!("package/{name}"), bytes.len())?);
        tar.extend(&bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    // Two empty records end it.
    tar.resize(tar.len() + 1024, 0);
    fs::write(tgz, gzip(&tar))
}

/// The record before a file: ustar.
fn header(name: &str, size: usize) -> io::Result<[u8; 512]> {
    if name.len() > 100 {
        return Err(io::Error::other(format!("{name} is too long a name for a tar file")));
    }
    let mut header = [0; 512];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    // The checksum counts as blanks while it is summed.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\u{0}00");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// As stored blocks, which every reader of the format takes.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let blocks = bytes.len().div_ceil(BLOCK);
    for (i, block) in bytes.chunks(BLOCK).enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(i + 1 == blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}
