//! Drawings as PNG images, with fonts of the program's own: the same text on every machine, and none that it lacks.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{FontResolver, Options, Tree, fontdb};

use crate::failure::Failure;

/// Pixels per unit of the drawing: sharp on screens of twice the usual density and in print.
const SCALE: f32 = 2.0;

/// The fonts of text in drawings; `src/fonts/README.md` says where they come from.
const FONTS: [&[u8]; 2] = [
    include_bytes!("fonts/DejaVuSansCondensed.ttf"),
    include_bytes!("fonts/DejaVuSansCondensed-Bold.ttf"),
];
const FAMILY: &str = "DejaVu Sans Condensed";

/// Makes images of drawings.
pub(crate) struct Raster {
    fonts: Arc<fontdb::Database>,
}

impl Raster {
    pub(crate) fn new() -> Self {
        let mut fonts = fontdb::Database::new();
        for font in FONTS {
            fonts.load_font_data(font.to_vec());
        }
        fonts.set_sans_serif_family(FAMILY);
        Self {
            fonts: Arc::new(fonts),
        }
    }

    /// An SVG document as a PNG image.
    pub(crate) fn png(&self, svg: &str) -> Result<Vec<u8>, Failure> {
        let failed = |reason: String| Failure::new(format!("a drawing has no image: {reason}"));
        let missing = Mutex::new(BTreeSet::new());
        let options = Options {
            fontdb: Arc::clone(&self.fonts),
            font_family: FAMILY.to_owned(),
            font_resolver: FontResolver {
                select_font: FontResolver::default_font_selector(),
                // Asked for a character that the font lacks; there is no other font.
                select_fallback: Box::new(|character, _, _| {
                    let mut missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
                    missing.insert(character);
                    None
                }),
            },
            ..Options::default()
        };
        let tree = Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
        drop(options);
        let missing: String = missing
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .into_iter()
            .collect();
        if !missing.is_empty() {
            return Err(failed(format!("its font lacks {missing}")));
        }
        let size = tree.size().to_int_size().scale_by(SCALE);
        let mut pixels = size
            .and_then(|size| Pixmap::new(size.width(), size.height()))
            .ok_or_else(|| failed("it is too large".to_owned()))?;
        let transform = Transform::from_scale(SCALE, SCALE);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| failed(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn drawing(text: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"20\" font-family=\"sans-serif\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\
             <text x=\"4\" y=\"14\" font-size=\"12\" fill=\"#000000\">{text}</text></svg>"
        )
    }

    /// Dark pixels of an image.
    fn ink(png: &[u8]) -> usize {
        let pixels = Pixmap::decode_png(png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (240, 40));
        assert!(pixels.pixels().iter().all(|pixel| pixel.alpha() == 255));
        pixels.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn text_is_drawn() {
        let raster = Raster::new();
        let empty = ink(&raster.png(&drawing("")).unwrap());
        let short = ink(&raster.png(&drawing("load")).unwrap());
        let long = ink(&raster.png(&drawing("load, ρ ≥ 10⁻⁵")).unwrap());
        assert!(
            empty == 0 && short > 40 && long > short + 60,
            "{empty} {short} {long}"
        );
    }

    #[test]
    fn a_character_that_the_font_lacks_is_named() {
        let Err(Failure::Sentence(sentence)) = Raster::new().png(&drawing("a ☃")) else {
            panic!("a snowman was drawn");
        };
        assert!(sentence.contains("its font lacks ☃"), "{sentence}");
    }

    /// Every character of the sources of figures, comments included, has its glyph: so has every label.
    #[test]
    fn the_font_has_every_character_of_figures() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/verify/src");
        let mut characters = BTreeSet::new();
        for folder in ["figures", "report/plot", "report/numbers"] {
            collect(&sources.join(folder), &mut characters);
        }
        let text: String = characters
            .into_iter()
            .filter(|character| !character.is_control() && !"<>&".contains(*character))
            .collect();
        assert!(text.contains('∞') && text.contains('⁵'), "{text}");
        Raster::new().png(&drawing(&text)).unwrap();
    }

    fn collect(path: &Path, characters: &mut BTreeSet<char>) {
        if path.is_dir() {
            for entry in path.read_dir().unwrap() {
                collect(&entry.unwrap().path(), characters);
            }
        } else {
            characters.extend(std::fs::read_to_string(path).unwrap().chars());
        }
    }
}
