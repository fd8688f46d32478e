//! The input labels and tables that a machine needs, in the order in which its code uses them.

use crate::engine::Supply;
use halfgate_engine::{EngineError, Label};
use halfgate_scheduled_model::code::Code;

/// Iterates over the words of a run, in the order in which the machine takes them.
pub(super) struct Feed<'c> {
    code: &'c Code,
    cycles: u64,
    /// Number of words of the run.
    all: u64,
    /// Number of labels supplied from the list of labels that are requested at the start.
    initials: usize,
    /// Index of the word that needs the next input label; then for each pipeline the index of the
    /// word that needs the pipeline's next table.
    input: u64,
    tables: Vec<u64>,
}

impl<'c> Feed<'c> {
    /// Starts at the first word of a run of `cycles` netlist cycles.
    pub fn new(code: &'c Code, cycles: u64) -> Feed<'c> {
        let tables = vec![0; code.shape.pipelines as usize];
        Feed { code, cycles, all: code.taken_words(cycles), initials: 0, input: 0, tables }
    }

    /// Returns the next input label, if there is one and the supply has it.
    pub fn input(&mut self, supply: &mut Supply) -> Result<Option<Label>, EngineError> {
        if let Some(initial) = self.code.initials.get(self.initials) {
            let label = match initial.sequence {
                Some(sequence) => supply.input(sequence.into())?,
                None => Some(supply.constant()),
            };
            self.initials += usize::from(label.is_some());
            return Ok(label);
        }
        while self.input < self.all {
            let (word, round) = self.place(self.input);
            let requested = self.code.words[word].expand.and_then(|expand| {
                let cycle = round.checked_sub(expand.stage.into())?;
                (cycle < self.cycles)
                    .then(|| self.code.body.requested.number(expand.sequence, cycle))
            });
            let label = match requested {
                Some(sequence) => match supply.input(sequence)? {
                    None => return Ok(None),
                    label => label,
                },
                None => None,
            };
            self.input += 1;
            if label.is_some() {
                return Ok(label);
            }
        }
        Ok(None)
    }

    /// Returns the table of a pipeline's next AND, if there is one and the supply has it.
    pub fn table(
        &mut self,
        pipeline: usize,
        supply: &mut Supply,
    ) -> Result<Option<[u8; 32]>, EngineError> {
        // The first slot of a pipeline is for ANDs.
        let slot = pipeline * (self.code.shape.xors as usize + 1);
        while self.tables[pipeline] < self.all {
            let (word, round) = self.place(self.tables[pipeline]);
            let wanted = self.code.words[word].slots[slot].as_ref().and_then(|slot| {
                let cycle = round.checked_sub(slot.stage.into())?;
                let number = cycle * self.code.body.ands + u64::from(slot.number);
                (cycle < self.cycles).then_some(number)
            });
            let table = match wanted {
                Some(number) => match supply.table(number)? {
                    None => return Ok(None),
                    table => table,
                },
                None => None,
            };
            self.tables[pipeline] += 1;
            if table.is_some() {
                return Ok(table);
            }
        }
        Ok(None)
    }

    fn place(&self, taken: u64) -> (usize, u64) {
        let interval = self.code.interval();
        ((taken % interval) as usize, taken / interval)
    }
}
