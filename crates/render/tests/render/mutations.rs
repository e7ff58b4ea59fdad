//! Random damage: every page ends in an image or a reason.

use std::thread;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use render::Failure;

use crate::build::{DIALECTS, Doc, stream};
use crate::drawing::{pool, source};

/// Cases that each of the threads tries.
const CASES: u32 = 20_000;
const THREADS: u64 = 2;

/// Documents with text, shapes, images, forms, patterns and fields to be damaged.
fn seeds() -> Vec<Vec<u8>> {
    let mut rich = Doc::contract(1);
    let image = rich.add(stream(
        "/Type/XObject/Subtype/Image/Width 4/Height 4/BitsPerComponent 8/ColorSpace/DeviceGray",
        b"0123456789abcdef",
    ));
    let form = rich.add(stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Group<</S/Transparency>>",
        b"0.5 g 0 0 40 40 re f",
    ));
    let tile = rich.add(stream(
        "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>",
        b"1 0 0 rg 0 0 5 5 re f",
    ));
    let shade = "<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 99 99]\
                 /Function<</FunctionType 2/Domain[0 1]/N 1/C0[1 0 0]/C1[0 0 1]>>>>";
    rich.set(
        4,
        format!(
            "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</I {image} 0 R/F {form} 0 R>>\
             /Pattern<</P {tile} 0 R>>/Shading<</S {shade}>>/ExtGState<</G<</ca 0.5/BM/Multiply>>>>>>>>"
        ),
    );
    let contents = "q 99 0 0 99 9 9 cm /I Do Q /G gs /F Do /Pattern cs /P scn 9 300 99 99 re f /S sh \
                    2 w [3 1] 0 d 9 9 m 99 99 300 9 9 400 c S BT /F1 12 Tf 72 720 Td [(Con) -20 (trato)] TJ ET";
    rich.set(5, stream("", contents.as_bytes()));
    let plain = DIALECTS.iter().map(|dialect| Doc::contract(2).write(*dialect));
    let rich = DIALECTS.iter().map(|dialect| rich.write(*dialect));
    plain.chain(rich).collect()
}

fn damage() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    let byte = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"0123456789 /<>[]()".as_slice())
    ];
    prop::collection::vec((any::<prop::sample::Index>(), byte), 1..12)
}

#[test]
fn damaged_documents_are_drawn_or_refused() {
    let seeds = seeds();
    let run = |thread: u64| {
        let pool = pool();
        let usual = Config::default();
        let config = Config {
            cases: CASES,
            failure_persistence: None,
            // Each thread tries cases of its own.
            rng_seed: match usual.rng_seed {
                RngSeed::Fixed(seed) => RngSeed::Fixed(seed + thread),
                RngSeed::Random => RngSeed::Random,
            },
            ..usual
        };
        let outcome = TestRunner::new(config).run(&(0..seeds.len(), damage()), |(which, changes)| {
            let mut bytes = seeds[which].clone();
            for (place, value) in changes {
                let at = place.index(bytes.len());
                bytes[at] = value;
            }
            let document = source(&bytes);
            prop_assert_ne!(pool.image(&document, 0, 24).err(), Some(Failure::Crashed));
            prop_assert_ne!(pool.text(&document, 0).err(), Some(Failure::Crashed));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    };
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || run(thread));
        }
    });
}
