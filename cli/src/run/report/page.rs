//! The report as Markdown and as one HTML page.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::svg::{Curve, chart};
use super::{Chapter, Entry};
use crate::Fault;

const SHAPE_ERROR: &str = "Shape error is the distance of the particles from the best rigid placement of the rest shape, \
    root mean square, over that of the rest shape from its centre: 0 is undeformed, 0.58 flat as a puddle. \"Left\" is the mean \
    of the last half second.";

fn introduction(options: &super::super::Run) -> String {
    let threads = options.setup().threads;
    let few = if options.quick {
        " **Quick: a few hundred particles a body, not the papers' numbers.**"
    } else {
        ""
    };
    format!(
        "Every scene of the papers that the library has, played by `wobble run --all` on {threads} thread(s), 0 being all \
         cores.{few} {SHAPE_ERROR}"
    )
}

/// A row of MR's Table 2: what, theirs, ours, milliseconds.
struct Row {
    scene: &'static str,
    what: String,
    theirs: f32,
    ours: f32,
}

fn table_2(chapters: &[Chapter]) -> Vec<Row> {
    let mut rows = Vec::new();
    for chapter in chapters {
        let ms = |entry: &&Entry| entry.played.run.ms;
        let timed = chapter.scene.variants.iter().zip(&chapter.variants);
        for (variant, entry) in timed.clone() {
            let row = |theirs| Row {
                scene: chapter.scene.name,
                what: variant.name.into(),
                theirs,
                ours: ms(&entry),
            };
            rows.extend(variant.theirs.map(row));
        }
        if let Some(theirs) = chapter.scene.theirs {
            let blends: Vec<f32> =
                timed.filter(|(variant, _)| variant.theirs.is_none()).map(|(_, entry)| ms(&entry)).collect();
            let ours = blends.iter().sum::<f32>() / blends.len().max(1) as f32;
            rows.push(Row {
                scene: chapter.scene.name,
                what: "several levels (average)".into(),
                theirs,
                ours,
            });
        }
    }
    rows
}

const TABLE_2: &str = "Theirs: MR's Table 2, one thread of a 2.5 GHz i7-6500U, research code, strain limiting included. Ours: \
    the median step of this run on this machine, whatever else it was doing, with the substeps of the scene and without strain limiting; so the \
    ratio tells what a user can expect, not how two programs compare on one machine.";

pub fn markdown(chapters: &[Chapter], options: &super::super::Run) -> String {
    let mut page =
        format!("# The papers' scenes\n\n{}\n\n## MR's Table 2\n\n{TABLE_2}\n\n", introduction(options));
    page += "| scene | variant | theirs, ms | ours, ms | ratio |\n|---|---|---:|---:|---:|\n";
    for row in table_2(chapters) {
        let ratio = row.theirs / row.ours;
        let _ = writeln!(
            page,
            "| {} | {} | {:.2} | {:.3} | {ratio:.1} |",
            row.scene, row.what, row.theirs, row.ours
        );
    }
    for chapter in chapters {
        let scene = chapter.scene;
        let _ = writeln!(
            page,
            "\n## {}\n\n{} ({}). The paper: {}\n",
            scene.name, scene.title, scene.paper, scene.claim
        );
        page += "| verdict | what | measured |\n|---|---|---|\n";
        for finding in &chapter.findings {
            let _ =
                writeln!(page, "| {} | {} | {} |", verdict(finding.holds), finding.says, finding.measured);
        }
        page += "\n| variant | ms a step | peak error | error left | height kept | jitter, m/s |\n|---|---:|---:|---:|---:|---:|\n";
        for entry in &chapter.variants {
            let _ = writeln!(page, "| {} |", numbers(entry).join(" | "));
        }
        for entry in &chapter.variants {
            let _ = writeln!(
                page,
                "\n![{}]({})\n\n{}",
                entry.played.run.variant, entry.file, entry.played.run.variant
            );
        }
    }
    page
}

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "does not hold" }
}

fn numbers(entry: &Entry) -> Vec<String> {
    let run = &entry.played.run;
    vec![
        run.variant.into(),
        format!("{:.3}", run.ms),
        format!("{:.3}", run.peak_error()),
        format!("{:.3}", run.error()),
        format!("{:.3}", run.height()),
        format!("{:.4}", run.jitter()),
    ]
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}\
    h1,h2{line-height:1.2}h2{margin-top:3rem}table{border-collapse:collapse;margin:1rem 0}\
    td,th{border-bottom:1px solid #ddd;padding:.25rem .7rem;text-align:left;vertical-align:top}\
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.holds{color:#1b6e2c}.not{color:#b3261e;font-weight:600}\
    figure{margin:1rem 0}figure img{width:100%;display:block}figcaption{color:#555}svg{width:100%;height:auto}";

/// `read` gives the PNG file of an entry.
pub fn html(
    chapters: &[Chapter],
    options: &super::super::Run,
    read: &dyn Fn(&Entry) -> Result<Vec<u8>, Fault>,
) -> Result<String, Fault> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Wobble: the papers' scenes</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>The papers' scenes</h1>\n<p>{}</p>\n<h2>MR's Table 2</h2>\n<p>{TABLE_2}</p>\n",
        escaped(&introduction(options)).replace("**", "").replace('`', "")
    );
    let times: Vec<Vec<String>> = table_2(chapters)
        .iter()
        .map(|row| {
            let ratio = format!("{:.1}", row.theirs / row.ours);
            vec![
                row.scene.into(),
                row.what.clone(),
                format!("{:.2}", row.theirs),
                format!("{:.3}", row.ours),
                ratio,
            ]
        })
        .collect();
    page += &table(&["scene", "variant", "theirs, ms", "ours, ms", "ratio"], 2, &times);
    for chapter in chapters {
        page += &section(chapter, read)?;
    }
    Ok(page + "</body></html>\n")
}

fn section(chapter: &Chapter, read: &dyn Fn(&Entry) -> Result<Vec<u8>, Fault>) -> Result<String, Fault> {
    let scene = chapter.scene;
    let (title, paper, claim) = (escaped(scene.title), escaped(scene.paper), escaped(scene.claim));
    let mut out =
        format!("<h2 id=\"{0}\">{0}</h2>\n<p>{title} ({paper}). The paper: {claim}</p>\n", scene.name);
    out += "<table><tr><th>verdict</th><th>what</th><th>measured</th></tr>\n";
    for finding in &chapter.findings {
        let class = if finding.holds { "holds" } else { "not" };
        let (says, measured) = (escaped(finding.says), escaped(&finding.measured));
        let verdict = verdict(finding.holds);
        let _ =
            writeln!(out, "<tr><td class=\"{class}\">{verdict}</td><td>{says}</td><td>{measured}</td></tr>");
    }
    out += "</table>\n";
    let curves: Vec<Curve> = chapter
        .variants
        .iter()
        .map(|entry| &entry.played.run)
        .map(|run| Curve { name: run.variant, dt: run.dt, values: &run.errors })
        .collect();
    let _ = writeln!(
        out,
        "<figure>{}<figcaption>Shape error over time</figcaption></figure>",
        chart("shape error", &curves)
    );
    let rows: Vec<Vec<String>> = chapter.variants.iter().map(numbers).collect();
    out +=
        &table(&["variant", "ms a step", "peak error", "error left", "height kept", "jitter, m/s"], 1, &rows);
    for entry in &chapter.variants {
        let picture = BASE64_STANDARD.encode(read(entry)?);
        let name = entry.played.run.variant;
        let _ = writeln!(
            out,
            "<figure><img alt=\"{name}\" src=\"data:image/png;base64,{picture}\"><figcaption>{name}</figcaption></figure>"
        );
    }
    Ok(out)
}

/// A table whose columns from `numbers` on are numbers.
fn table(heads: &[&str], numbers: usize, rows: &[Vec<String>]) -> String {
    let class = |k: usize| if k >= numbers { " class=\"n\"" } else { "" };
    let mut out = String::from("<table><tr>");
    heads.iter().enumerate().for_each(|(k, head)| out += &format!("<th{}>{head}</th>", class(k)));
    for row in rows {
        out += "</tr>\n<tr>";
        row.iter()
            .enumerate()
            .for_each(|(k, cell)| out += &format!("<td{}>{}</td>", class(k), escaped(cell)));
    }
    out + "</tr></table>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
