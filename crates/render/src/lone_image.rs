//! Pages that are one image, as scanners make them: read straight from the image, without a canvas between. Everything
//! else on a page, and everything that would change the image on its way, is left to the ordinary way.

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps,
    InterpreterCache, InterpreterSettings, RasterImage, SoftMask, interpret_page,
};
use hayro::hayro_syntax::object::{Name, Stream};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{Affine, BezPath, Rect};

use crate::encode::Planes;

/// How far the edges of an image may be from those of the page, in pixels.
const MAX_MARGIN: f64 = 1.0;

/// The image that is all of a page, at the size of the page; `transform` leads from the page to its pixels.
pub(super) fn read<'p>(
    page: &'p Page<'p>,
    settings: &InterpreterSettings,
    transform: Affine,
    [width, height]: [u16; 2],
) -> Option<Planes> {
    if !has_one_image(page, [width, height]) {
        return None;
    }
    let area = Rect::new(0.0, 0.0, width.into(), height.into());
    // Not the cache of the ordinary way, which reports a missing font only once.
    let cache = InterpreterCache::new();
    let mut context = Context::new(transform, area, &cache, page.xref(), settings.clone());
    let mut drawn = PageScan {
        area,
        image: None,
        other: false,
    };
    interpret_page(page, &mut context, &mut drawn);
    let image = drawn.image.filter(|_| !drawn.other)?;
    image.resized(width.into(), height.into())
}

/// Whether the one object that a page can draw by its name is an image that need not be enlarged.
fn has_one_image(page: &Page<'_>, [width, height]: [u16; 2]) -> bool {
    let objects = &page.resources().x_objects;
    let mut names = objects.keys();
    let (Some(name), None) = (names.next(), names.next()) else {
        return false;
    };
    let Some(object) = objects.get::<Stream<'_>>(&*name) else {
        return false;
    };
    let dict = object.dict();
    let side = |key: &[u8]| dict.get::<u32>(key).unwrap_or(0);
    dict.get::<Name<'_>>(b"Subtype".as_slice()).as_deref() == Some(b"Image".as_slice())
        && side(b"Width") >= width.into()
        && side(b"Height") >= height.into()
}

/// What a page draws.
struct PageScan {
    area: Rect,
    /// The first image, if it covers the page.
    image: Option<Planes>,
    /// Whether anything but that image is seen, or changes what is seen.
    other: bool,
}

impl PageScan {
    /// Whether an image of this size covers the page, upright.
    fn covers(&self, transform: Affine, width: f64, height: f64) -> bool {
        let [across, b, c, down, _, _] = transform.as_coeffs();
        let image = transform.transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        let page = self.area;
        let margins = [
            image.x0 - page.x0,
            image.y0 - page.y0,
            image.x1 - page.x1,
            image.y1 - page.y1,
        ];
        across > 0.0
            && down > 0.0
            && b == 0.0
            && c == 0.0
            && margins.iter().all(|margin| margin.abs() < MAX_MARGIN)
    }

    fn take(&mut self, image: &RasterImage<'_>, transform: Affine) {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        if self.image.is_some() || !self.covers(transform, width, height) {
            self.other = true;
            return;
        }
        image.with_rgba(
            |data, alpha| {
                let (across, down) = data.scale_factors();
                let rest = [
                    width - f64::from(data.width()) * f64::from(across),
                    height - f64::from(data.height()) * f64::from(down),
                ];
                // Of an image with too few samples, only a part is drawn.
                let whole = rest.iter().all(|rest| rest.abs() < 1.0);
                if alpha.is_none() && whole {
                    self.image = match data {
                        ImageData::Rgb(data) => Planes::of_colours(data.data.as_chunks::<3>().0, data.width),
                        ImageData::Luma(data) => Planes::of_shades(data.data, data.width),
                    };
                }
            },
            None,
        );
        self.other |= self.image.is_none();
    }
}

impl<'a> Device<'a> for PageScan {
    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        match image {
            Image::Raster(image) if props.soft_mask.is_none() && props.blend_mode == BlendMode::Normal => {
                self.take(&image, props.transform);
            }
            _ => self.other = true,
        }
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, mode: BlendMode) {
        self.other |= opacity < 1.0 || mask.is_some() || mode != BlendMode::Normal;
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.other = true;
    }

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, mode: &DrawMode) {
        // The text that a scanner has recognised lies unseen on the page.
        self.other |= !matches!(mode, DrawMode::Invisible);
    }

    // A clip that leaves the whole page to be seen never gets here.
    fn push_clip_path(&mut self, _: &ClipPath) {
        self.other = true;
    }

    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
