//! What the commands take, as `--help` tells it.

use crate::Fault;

/// The commands by name, each with its usage and options.
const COMMANDS: [(&str, &str); 4] = [("bake", BAKE), ("info", INFO), ("check", CHECK), ("run", RUN)];

const BAKE: &str = "  wobble bake MESH -o FILE   fills an OBJ, glTF or GLB mesh with particles and saves the body
      --particles N          about how many (default 5000)
      --spacing METRES       how far apart, in place of how many
      --pattern NAME         grid, body-centred or blue-noise (default)
      --hollow               particles on the surface only
      --no-surface           particles inside only
      --density KG           kg/m3 (default 1000)
      --thickness METRES     of sheets and hollow bodies, for their mass (default: the spacing)
      --levels N             stop after this many levels (default: up to a single cluster)
      --per-cluster N        particles for each finest cluster (default 20)
      --seed N               of the random choices (default 0)
      --scale FACTOR         multiplies the mesh, to metres (default 1)
      --toughness CHANNEL    red, green, blue or alpha of the vertex colours: 1 is as tough as the material, less is weaker
";

const INFO: &str = "  wobble info FILE           tells what a baked file holds\n";

const CHECK: &str =
    "  wobble check FILE          drops the body on the ground and reports whether it stays in shape
";

const RUN: &str =
    "  wobble run SCENE           plays a scene of the papers and holds the paper's words against it
      --variant NAME         only this variant; may be given several times (default: all)
      --record FILE          films it: FILE.gif, or numbered FILE.png
      --export FILE          positions: numbered FILE.ply, or FILE.glb that moves
      --fps N                frames a second of both (default 15)
      --width PIXELS         of the pictures (default 480)
      --threads N            that step, 0 for all cores (default 1)
      --quick                with a few hundred particles
  wobble run --list          tells which scenes and variants there are
  wobble run --all           plays them all and writes a report, Markdown and HTML
      -o FOLDER              where to (default wobble-report)
";

/// Prints the help of the command named, or of all.
pub fn print(command: Option<&str>) -> Result<(), Fault> {
    let asked = |name: &str| command.is_none_or(|command| command == name);
    let texts: String = COMMANDS.iter().filter(|(name, _)| asked(name)).map(|(_, text)| *text).collect();
    match command {
        Some(command) if texts.is_empty() => Err(Fault::Usage(format!("there is no command {command:?}"))),
        _ => {
            print!("wobble: soft bodies for games\n\n{texts}");
            Ok(())
        }
    }
}
