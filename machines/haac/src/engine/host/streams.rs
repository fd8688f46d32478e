//! Converts between the streams of tables in a machine's memory, one per engine, and the program's
//! order, in which tables are sent.

use super::super::error::RunError;
use super::TABLE;
use super::fifo::Fifo;
use halfgate_compiler::spool::SpoolReader;
use halfgate_engine::EngineError;
use halfgate_engine::io::{EvaluatorIo, GarblerIo};
use halfgate_haac_model::{Code, Instruction, Op};

/// Number of tables in a piece from or to the caller. For a garbler a piece has at least this many,
/// unless fewer are left; for an evaluator at most.
const PIECE: usize = 512;

/// The table streams of all engines.
///
/// A garbler's tables are [pushed](EngineTables::push) when the machine writes them, and then
/// [handed on](EngineTables::hand_on). An evaluator's tables are [pulled](EngineTables::pull) when
/// the machine reads them. An engine may hold a table back for any time: a single last table of a
/// stream is written only at the end. So other engines may be ahead of it without limit, and their
/// tables go to a temporary file.
///
/// Memory: 96 KiB per engine.
pub struct EngineTables<'a> {
    code: &'a Code,
    /// Number of ANDs of each engine, and their sum.
    ands: Vec<u64>,
    all: u64,
    /// The engine of the next AND in program order.
    order: Order<'a>,
    queues: Vec<Fifo>,
    /// For each engine, number of tables pushed or pulled.
    used: Vec<u64>,
    /// Number of tables passed from or to the caller.
    passed: u64,
    piece: Vec<u8>,
}

impl<'a> EngineTables<'a> {
    /// The streams of `code`, whose engines have `ands` ANDs each.
    pub fn new(code: &'a Code, ands: Vec<u64>) -> EngineTables<'a> {
        let queues = ands.iter().map(|_| Fifo::default()).collect();
        let (all, used) = (ands.iter().sum(), vec![0; ands.len()]);
        let order = Order::new(code);
        EngineTables { code, ands, all, order, queues, used, passed: 0, piece: Vec::new() }
    }

    /// Begins the next launch.
    pub fn clear(&mut self) {
        self.order = Order::new(self.code);
        self.queues.iter_mut().for_each(Fifo::clear);
        self.used.fill(0);
        self.passed = 0;
        self.piece.clear();
    }

    /// Number of tables passed from or to the caller in this launch.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Adds the next table that `engine` made.
    ///
    /// # Errors
    /// If the engine has no AND left, or a temporary file cannot be written.
    pub fn push(&mut self, engine: usize, table: [u8; TABLE]) -> Result<(), EngineError> {
        self.count(engine)?;
        Ok(self.queues[engine].push(table)?)
    }

    /// Hands on the next tables in program order, in whole pieces only. If the launch is `over`,
    /// hands on all of them; then none may be missing.
    ///
    /// # Errors
    /// The caller's own; if a temporary file cannot be read; if a table is missing at the end.
    pub fn hand_on(&mut self, io: &mut dyn GarblerIo, over: bool) -> Result<(), EngineError> {
        loop {
            while self.piece.len() < PIECE * TABLE {
                let Some(engine) = self.order.peek()? else { break };
                let Some(table) = self.queues[engine].pop()? else { break };
                self.piece.extend_from_slice(&table);
                self.order.advance();
            }
            let count = self.piece.len() / TABLE;
            if count == PIECE || over && count > 0 {
                let space = io.table_space(self.piece.len()).map_err(EngineError::Io)?;
                space.copy_from_slice(&self.piece);
                io.tables_ready().map_err(EngineError::Io)?;
                self.piece.clear();
                self.passed += count as u64;
            }
            if count < PIECE {
                break;
            }
        }
        if over && self.passed != self.all {
            let (made, all) = (self.passed, self.all);
            return Err(EngineError::machine(RunError::Tables { made, all }));
        }
        Ok(())
    }

    /// Returns the next table for `engine`. Tables before it in program order that belong to other
    /// engines wait in those engines' queues.
    ///
    /// # Errors
    /// The caller's own; if the engine has no AND left, or a temporary file cannot be used.
    pub fn pull(
        &mut self,
        engine: usize,
        io: &mut dyn EvaluatorIo,
    ) -> Result<[u8; TABLE], EngineError> {
        self.count(engine)?;
        loop {
            if let Some(table) = self.queues[engine].pop()? {
                return Ok(table);
            }
            let count = (self.all - self.passed).min(PIECE as u64);
            let bytes = io.tables(count as usize * TABLE).map_err(EngineError::Io)?;
            for table in bytes.as_chunks::<TABLE>().0 {
                let fewer = || EngineError::machine(RunError::FewerAnds);
                let owner = self.order.peek()?.ok_or_else(fewer)?;
                self.order.advance();
                self.queues[owner].push(*table)?;
            }
            self.passed += count;
        }
    }

    fn count(&mut self, engine: usize) -> Result<(), EngineError> {
        if self.used[engine] == self.ands[engine] {
            return Err(EngineError::machine(RunError::MoreTables { engine }));
        }
        self.used[engine] += 1;
        Ok(())
    }
}

/// The engine of each AND, in program order.
struct Order<'a> {
    reader: SpoolReader<'a, 8>,
    engines: usize,
    /// The place of the next instruction in its row.
    place: usize,
    next: Option<usize>,
}

impl<'a> Order<'a> {
    fn new(code: &'a Code) -> Order<'a> {
        let engines = code.shape.engines as usize;
        Order { reader: code.rows.reader(), engines, place: 0, next: None }
    }

    fn peek(&mut self) -> Result<Option<usize>, EngineError> {
        while self.next.is_none() {
            let Some(bits) = self.reader.next()? else { break };
            if Instruction::from_bits(u64::from_le_bytes(bits)).op() == Op::And {
                self.next = Some(self.place);
            }
            self.place = (self.place + 1) % self.engines;
        }
        Ok(self.next)
    }

    fn advance(&mut self) {
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::random;
    use halfgate_compiler::{Order as Gates, compile};
    use halfgate_engine::testing::{MemoryEvaluator, MemoryGarbler, seeded_labels};
    use halfgate_haac_model::lower::{Lowering, lower};
    use halfgate_haac_model::machine::Shape;
    use halfgate_kernels::Label;

    fn code() -> Code {
        let shape = random::Shape { gates: 6000, ..random::Shape::default() };
        let program = compile(random::circuit(1, &shape), Gates::Given).expect("compiles");
        lower(&program, Shape { engines: 3, window: 64 }, Lowering::BEST).expect("fits")
    }

    /// The AND numbers of each engine, in order.
    fn numbers(code: &Code) -> Vec<Vec<u64>> {
        let mut numbers = vec![Vec::new(); 3];
        let (mut order, mut next) = (Order::new(code), 0);
        while let Some(engine) = order.peek().unwrap() {
            numbers[engine].push(next);
            order.advance();
            next += 1;
        }
        numbers
    }

    fn table(number: u64) -> [u8; TABLE] {
        let mut table = [0; TABLE];
        table[..8].copy_from_slice(&number.to_le_bytes());
        table
    }

    #[test]
    fn streams_are_merged_whoever_is_ahead() {
        let code = code();
        let numbers = numbers(&code);
        let counts: Vec<_> = numbers.iter().map(|list| list.len() as u64).collect();
        assert!(counts.iter().all(|&count| count > PIECE as u64), "{counts:?}");
        let mut tables = EngineTables::new(&code, counts.clone());
        let mut io = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        for launch in 0..2 {
            for (engine, list) in numbers.iter().enumerate().rev() {
                for &number in list {
                    tables.push(engine, table(number)).unwrap();
                    tables.hand_on(&mut io, false).unwrap();
                }
                let extra = tables.push(engine, table(0)).unwrap_err();
                assert!(extra.to_string().contains("more tables than ANDs"), "{extra}");
            }
            tables.hand_on(&mut io, true).unwrap();
            tables.clear();
            let all = counts.iter().sum::<u64>();
            let wanted = (0..=launch).flat_map(|_| (0..all).flat_map(table)).collect::<Vec<_>>();
            assert!(io.tables() == wanted);
        }
        let short = tables.hand_on(&mut io, true).unwrap_err();
        assert!(short.to_string().contains("0 tables in turn"), "{short}");
    }

    #[test]
    fn streams_are_parted_whoever_is_ahead() {
        let code = code();
        let numbers = numbers(&code);
        let counts: Vec<_> = numbers.iter().map(|list| list.len() as u64).collect();
        let all: Vec<_> = (0..counts.iter().sum::<u64>()).flat_map(table).collect();
        let mut io = MemoryEvaluator::new(seeded_labels(1), Label::ZERO, &all);
        let mut tables = EngineTables::new(&code, counts);
        for (engine, list) in numbers.iter().enumerate().rev() {
            for &number in list {
                assert_eq!(tables.pull(engine, &mut io).unwrap(), table(number));
            }
            assert!(tables.pull(engine, &mut io).is_err());
        }
        assert_eq!(io.tables_left(), 0);
    }
}
