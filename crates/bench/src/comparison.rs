//! Two loads measured in alternation, so that other load on the machine affects both sides alike.

use crate::cpu;
use crate::report::mean;
use parts::{Error, Result};

/// A load, and the process that bears it.
pub(crate) struct Side<'a> {
    process: u32,
    prepare: Box<dyn FnMut() -> Result<()> + 'a>,
    load: Box<dyn FnMut() -> Result<f64> + 'a>,
}

impl<'a> Side<'a> {
    /// A load that says how much of it was done.
    pub(crate) fn new(process: u32, load: impl FnMut() -> Result<f64> + 'a) -> Self {
        Self {
            process,
            prepare: Box::new(|| Ok(())),
            load: Box::new(load),
        }
    }

    /// The same after something that is not measured.
    pub(crate) fn after(self, prepare: impl FnMut() -> Result<()> + 'a) -> Self {
        Self {
            prepare: Box::new(prepare),
            ..self
        }
    }

    /// The same, counted in so many of its units.
    pub(crate) fn in_units_of(mut self, count: u32) -> Self {
        self.load = Box::new(move || Ok((self.load)()? / f64::from(count)));
        self
    }

    fn cost(&mut self) -> Result<f64> {
        (self.prepare)()?;
        let before = cpu::seconds_now(self.process)?;
        let done = (self.load)()?;
        let spent = cpu::seconds(self.process)? - before;
        if spent <= 0.0 || done <= 0.0 {
            return Err(Error::new("a round was too short to be measured"));
        }
        Ok(spent / done)
    }
}

/// Seconds of processor time for each unit of either load, round by round.
#[derive(Debug)]
pub(crate) struct Costs(Vec<[f64; 2]>);

/// Measures both sides in alternation. The first round warms up and does not count.
pub(crate) fn alternating<'a>(rounds: usize, mut ours: Side<'a>, mut theirs: Side<'a>) -> Result<Costs> {
    for side in [&mut ours, &mut theirs] {
        (side.prepare)()?;
        (side.load)()?;
    }
    // The first side of a round alternates, too.
    let costs = (0..rounds).map(|round| {
        if round % 2 == 0 {
            let first = ours.cost()?;
            Ok([first, theirs.cost()?])
        } else {
            let first = theirs.cost()?;
            Ok([ours.cost()?, first])
        }
    });
    costs.collect::<Result<_>>().map(Costs)
}

impl Costs {
    /// How many times the other side's cost ours is; the least and the most of it in any round.
    pub(crate) fn ratio(&self) -> (f64, Option<(f64, f64)>) {
        let least = self.ratios().fold(f64::INFINITY, f64::min);
        let most = self.ratios().fold(0.0, f64::max);
        (self.cost(0) / self.cost(1), Some((least, most)))
    }

    /// How many times as much we do for the same cost.
    pub(crate) fn yield_ratio(&self) -> (f64, Option<(f64, f64)>) {
        let (ratio, spread) = self.ratio();
        (1.0 / ratio, spread.map(|(least, most)| (1.0 / most, 1.0 / least)))
    }

    /// Milliseconds a unit costs us, and the other side.
    pub(crate) fn milliseconds(&self) -> (f64, f64) {
        (self.cost(0) * 1000.0, self.cost(1) * 1000.0)
    }

    fn ratios(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|[ours, theirs]| ours / theirs)
    }

    /// What a side costs: the mean of its cheaper rounds. Whatever else goes on makes rounds dearer, never
    /// cheaper.
    fn cost(&self, side: usize) -> f64 {
        let mut costs: Vec<f64> = self.0.iter().map(|costs| costs[side]).collect();
        costs.sort_by(f64::total_cmp);
        costs.truncate(costs.len().div_ceil(2));
        mean(&costs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dear_rounds_do_not_count() {
        let costs = Costs(vec![[4.0, 1.0], [9.0, 3.0], [2.0, 1.0]]);
        assert_eq!(format!("{:?}", costs.ratio()), "(3.0, Some((2.0, 4.0)))");
        assert_eq!(format!("{:?}", costs.milliseconds()), "(3000.0, 1000.0)");
    }
}
