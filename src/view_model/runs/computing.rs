//! Runs under way: both simulations of a file, made in slices, so that a long run neither blocks
//! the page nor needs a second path.

use std::rc::Rc;

use crate::sim::comparison::Compared;
use crate::sim::engine::{Progress, Simulation};
use crate::sim::scenario::{Change, Incident, ScenarioError, ScenarioFile};

use super::Runs;
use crate::view_model::words::names::Words;

use super::moment::Moments;

/// The runs of a file, under way.
#[derive(Clone, Debug)]
pub struct Computing {
    compare: Vec<Change>,
    incident: Rc<Incident>,
    /// One simulation, or two to be compared.
    simulations: Vec<Simulation>,
    /// How many of them are over; they are run one after the other.
    n_over: usize,
}

impl Computing {
    /// Prepares what a file describes.
    ///
    /// # Errors
    /// If the scenario, or the scenario with what is compared, is not valid.
    pub fn new(file: &ScenarioFile) -> Result<Self, ScenarioError> {
        let base = file.base()?;
        // A fence that compares nothing would make Run 2 a copy of Run 1.
        let mut compare = file.compare.clone();
        if base.cannot_fence().is_some() {
            let only_fence = compare.iter().all(|change| matches!(change, Change::Fencing(_)));
            compare.retain(|_| !only_fence);
        }
        let mut simulations = vec![Simulation::new(&base)];
        if !compare.is_empty() {
            simulations.push(Simulation::new(&base.with(&compare)?));
        }
        let incident = Rc::new(file.incident.clone());
        Ok(Self { compare, incident, simulations, n_over: 0 })
    }

    /// Takes up to `budget` steps. Tells whether all is over.
    pub fn step(&mut self, budget: u32) -> bool {
        if let Some(simulation) = self.simulations.get_mut(self.n_over)
            && simulation.run(budget) == Progress::Finished
        {
            self.n_over += 1;
        }
        self.n_over == self.simulations.len()
    }

    /// How much is done, in thousandths, as far as is known now.
    pub fn permille(&self) -> u32 {
        let share = |simulation: &Simulation| {
            let whole = simulation.ends_at().micros().max(1);
            simulation.now().micros().min(whole) * 1000 / whole
        };
        let n_simulations = self.simulations.len().max(1) as u64;
        let sum: u64 = self.simulations.iter().map(share).sum();
        u32::try_from(sum / n_simulations).unwrap_or(1000).min(1000)
    }

    /// What has come out. A run that is not over is ended where it is.
    pub fn finish(self) -> Runs {
        let mut recordings = self.simulations.into_iter().map(Simulation::finish);
        let run_1 = recordings.next().expect("there is at least one simulation");
        let words = Words::of(&self.incident, run_1.scenario().spec());
        let Some(run_2) = recordings.next() else {
            let moments = Moments::of(&run_1, None);
            return Runs {
                run_1,
                run_2: None,
                compare: self.compare,
                first_difference: None,
                moments,
                incident: self.incident,
                words_2: words.clone(),
                words,
            };
        };
        let words_2 = words.with_system_of(run_2.scenario().spec());
        let compared = Compared::of(run_1, run_2);
        let moments = Moments::of(&compared.run_1, Some(&compared.run_2));
        Runs {
            run_1: compared.run_1,
            run_2: Some(compared.run_2),
            compare: self.compare,
            first_difference: compared.first_difference,
            moments,
            incident: self.incident,
            words,
            words_2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    #[test]
    fn slices_come_to_the_same_as_one_piece() {
        for entry in GALLERY {
            let file = entry.file();
            let mut computing = Computing::new(&file).expect(entry.id);
            let mut last = 0;
            while !computing.step(7) {
                assert!(computing.permille() <= 1000);
                last = last.max(computing.permille());
            }
            assert!(last > 0, "{}", entry.id);
            let whole = Runs::of(&file).expect(entry.id);
            assert_eq!(computing.finish(), whole, "{}", entry.id);
        }
    }
}
