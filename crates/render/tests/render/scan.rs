//! A contract as a scanner makes one: tinted paper, noise in every colour, a JPEG on every page.

use jpeg_encoder::{ColorType, Encoder};
use std::fmt::Write as _;

/// White paper, as a scanner sees it.
const PAPER: [u16; 3] = [246, 243, 236];

/// The scan of a page that was drawn as PNG, so many times in one document.
pub(crate) fn scan(page: &[u8], pages: usize) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(page));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut shades = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut shades).unwrap();
    assert_eq!(info.color_type, png::ColorType::Grayscale, "a page of letters");
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let colours = shades
        .iter()
        .flat_map(|shade| PAPER.map(|paper| (u16::from(*shade), paper)));
    // Ink is not quite black.
    let colours = colours.map(|(shade, paper)| 38 + shade * (paper - 38) / 255);
    let samples: Vec<u8> = colours.map(|colour| noise.on(colour)).collect();
    let (width, height) = (
        u16::try_from(info.width).unwrap(),
        u16::try_from(info.height).unwrap(),
    );
    let mut jpeg = Vec::new();
    let encoder = Encoder::new(&mut jpeg, 85);
    encoder.encode(&samples, width, height, ColorType::Rgb).unwrap();
    document(&jpeg, width, height, pages)
}

/// Noise with a standard deviation of about eight shades.
struct Noise(u64);

impl Noise {
    fn on(&mut self, colour: u16) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let four: u16 = self.0.to_le_bytes()[..4]
            .iter()
            .map(|byte| u16::from(byte % 16))
            .sum();
        u8::try_from((colour + four).saturating_sub(30).min(255)).unwrap()
    }
}

/// A document whose pages each show the image on the whole of A4.
fn document(jpeg: &[u8], width: u16, height: u16, pages: usize) -> Vec<u8> {
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 5 + page)).collect();
    let contents = "q 595 0 0 842 0 0 cm /Im Do Q";
    let image = format!(
        "<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8\
         /Filter/DCTDecode/Length {}>>\nstream\n",
        jpeg.len()
    );
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{}]/Count {pages}/MediaBox[0 0 595 842]>>",
            kids.join(" ")
        )
        .into_bytes(),
        [image.as_bytes(), jpeg, b"\nendstream"].concat(),
        format!("<</Length {}>>\nstream\n{contents}\nendstream", contents.len()).into_bytes(),
    ];
    let page = "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</Im 3 0 R>>>>>>";
    objects.extend(kids.iter().map(|_| page.as_bytes().to_vec()));
    let mut file = b"%PDF-1.7\n%\xb5\xb5\xb5\xb5\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(&objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        file.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    let end = format!(
        "{table}trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    file.extend_from_slice(end.as_bytes());
    file
}
