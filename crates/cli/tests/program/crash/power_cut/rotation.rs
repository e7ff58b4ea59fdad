//! Power cuts while another master key takes the place of the present one.

use super::recording::Step;
use super::{Disk, Recorded, Syncs, recording};
use crate::support::{Installation, texts};
use parts::Strace;
use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

const CUTS: usize = 400;
/// What is sealed under the master key.
const SEALED: &str = "SELECT {hex}sealed_key{end} FROM authority WHERE sealed_key IS NOT NULL ORDER BY role";

#[test]
fn a_power_cut_at_any_moment_of_a_rotation_leaves_the_key_of_what_is_sealed() {
    let installation = Installation::new();
    installation.serve().stop();
    let state = || {
        let key = fs::read_to_string(installation.data().join("master.key")).unwrap();
        (texts(&installation.sqlite(), SEALED), key)
    };
    let old = state();
    let before = Disk::of(&installation.data());
    let recording = installation.directory().join("recording");
    let wrapper = Strace::wrapper(&recording).unwrap();
    // Not beside the program (-D): it ends after the program, and so does the recording.
    let wrapper = wrapper.iter().map(String::as_str).filter(|word| *word != "-D");
    let mut rotation = installation.wrapped(&wrapper.collect::<Vec<_>>());
    // What the program says is in the recording where it goes to a socket.
    let (_here, there) = UnixStream::pair().unwrap();
    rotation
        .args(["rotate", "master-key"])
        .stdout(OwnedFd::from(there));
    assert!(rotation.status().unwrap().success());
    let states = [old, state()];
    assert!(states[0].0 != states[1].0 && states[0].1 != states[1].1);

    let recorded = fs::read_to_string(&recording).unwrap();
    let steps = recording::read(&recorded, &installation.data());
    let says = |step: &Step| matches!(step, Step::Answer { text } if text.contains("The new key is in"));
    let said = steps.iter().position(says).expect("it says so");
    let mut seen = BTreeSet::new();
    Recorded { before, steps }.cut(CUTS, Syncs::Work, |step, left, _| {
        let found = texts(&left.database(), SEALED);
        let place = states.iter().position(|(sealed, _)| *sealed == found);
        let place = place.expect("all is sealed with one key");
        let file = |name: &str| fs::read_to_string(left.0.path().join(name)).unwrap_or_default();
        let keys = [file("master.key"), file("master.key.new")];
        assert!(
            keys.contains(&states[place].1),
            "step {step}: the key of what is sealed is lost ({place})"
        );
        assert!(
            step < said || keys[0] == states[1].1,
            "step {step}: the key was said to be in place"
        );
        seen.insert(place);
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}
