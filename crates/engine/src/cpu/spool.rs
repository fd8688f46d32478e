//! Storage for the chunks of a code: in memory up to a limit, then in a temporary file.

use crate::cpu::chunk::{Chunk, Gives, Loads};
use halfgate_circuit::Wire;
use halfgate_circuit::positioned::FileExt;
use halfgate_kernels::ops::{And, Move, Segment, Xor};
use std::fs::File;
use std::io;

/// Most bytes of chunks held in memory.
pub(super) const IN_MEMORY: usize = 96 << 20;

/// The chunks of one code.
///
/// Memory: [`IN_MEMORY`] bytes of chunks, and eight bytes for each further chunk, which has
/// thousands of gates.
#[derive(Debug, Default)]
pub(super) struct ChunkStore {
    /// The first chunks.
    held: Vec<Chunk>,
    held_bytes: usize,
    /// The later chunks, encoded.
    file: Option<File>,
    /// Where each chunk in the file ends.
    ends: Vec<u64>,
}

impl ChunkStore {
    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.held.len() + self.ends.len()
    }

    /// Number of chunks in the file.
    #[cfg(test)]
    pub fn in_file(&self) -> usize {
        self.ends.len()
    }

    /// Appends a copy of `chunk`.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    pub fn push(&mut self, chunk: &Chunk) -> io::Result<()> {
        let mut encoder = Encoder::default();
        if self.file.is_none() {
            self.held_bytes += bytes_of(chunk);
            if self.held_bytes <= IN_MEMORY {
                self.held.push(chunk.clone());
                return Ok(());
            }
            self.file = Some(tempfile::tempfile()?);
        }
        encoder.chunk(chunk);
        let start = self.ends.last().copied().unwrap_or(0);
        self.file.as_ref().expect("made above").write_all_at(&encoder.0, start)?;
        self.ends.push(start + encoder.0.len() as u64);
        Ok(())
    }

    /// Returns chunk `index`, which must be below [`ChunkStore::len`]. A chunk read from the file
    /// is decoded into `space`.
    ///
    /// # Errors
    /// If the temporary file cannot be read back.
    pub fn get<'a>(&'a self, index: usize, space: &'a mut Chunk) -> io::Result<&'a Chunk> {
        if let Some(chunk) = self.held.get(index) {
            return Ok(chunk);
        }
        let index = index - self.held.len();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let mut bytes = vec![0; (self.ends[index] - start) as usize];
        let file = self.file.as_ref().expect("chunks that are not held are in the file");
        file.read_exact_at(&mut bytes, start)?;
        Decoder(&bytes).chunk(space);
        Ok(space)
    }
}

/// Bytes of memory that a chunk's nine lists take.
fn bytes_of(chunk: &Chunk) -> usize {
    8 * (chunk.inputs_first.wires.len() + chunk.inputs_later.wires.len())
        + size_of_val(&*chunk.segments)
        + size_of_val(&*chunk.moves)
        + size_of_val(&*chunk.xors)
        + size_of_val(&*chunk.ands)
        + size_of_val(&*chunk.positions)
        + 9 * (chunk.outputs_each.bits.len() + chunk.outputs_last.bits.len())
        + size_of::<Chunk>()
}

/// Writes each list as its length and its items, all little endian.
#[derive(Default)]
struct Encoder(Vec<u8>);

impl Encoder {
    fn chunk(&mut self, chunk: &Chunk) {
        self.loads(&chunk.inputs_first);
        self.loads(&chunk.inputs_later);
        self.list(&chunk.segments, |s| words::<3, 12>([s.moves, s.xors, s.ands]));
        self.list(&chunk.moves, |m| words::<3, 12>([m.from, m.to, u32::from(m.invert)]));
        self.list(&chunk.xors, |x| halves::<3, 6>([x.a, x.b, x.c]));
        self.list(&chunk.ands, |x| halves::<4, 8>([x.a, x.b, x.c, x.flags]));
        self.list(&chunk.positions, |p| p.to_le_bytes());
        self.gives(&chunk.outputs_each);
        self.gives(&chunk.outputs_last);
    }

    fn loads(&mut self, loads: &Loads) {
        self.list(&loads.wires, |w| w.number().to_le_bytes());
        self.list(&loads.addresses, |a| a.to_le_bytes());
    }

    fn gives(&mut self, gives: &Gives) {
        self.list(&gives.bits, |b| b.to_le_bytes());
        self.list(&gives.addresses, |a| a.to_le_bytes());
        self.list(&gives.inverted, |&i| [u8::from(i)]);
    }

    fn list<T, const N: usize>(&mut self, items: &[T], bytes: impl Fn(&T) -> [u8; N]) {
        self.0.extend_from_slice(&(items.len() as u32).to_le_bytes());
        self.0.reserve(items.len() * N);
        items.iter().for_each(|item| self.0.extend_from_slice(&bytes(item)));
    }
}

fn words<const N: usize, const BYTES: usize>(words: [u32; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes.chunks_exact_mut(4).zip(words).for_each(|(b, w)| b.copy_from_slice(&w.to_le_bytes()));
    bytes
}

fn halves<const N: usize, const BYTES: usize>(halves: [u16; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes.chunks_exact_mut(2).zip(halves).for_each(|(b, h)| b.copy_from_slice(&h.to_le_bytes()));
    bytes
}

/// Reads the output of [`Encoder`].
struct Decoder<'a>(&'a [u8]);

impl Decoder<'_> {
    fn chunk(&mut self, chunk: &mut Chunk) {
        self.loads(&mut chunk.inputs_first);
        self.loads(&mut chunk.inputs_later);
        self.list(&mut chunk.segments, |b: &[u8; 12]| Segment {
            moves: word(b, 0),
            xors: word(b, 1),
            ands: word(b, 2),
        });
        self.list(&mut chunk.moves, |b: &[u8; 12]| Move {
            from: word(b, 0),
            to: word(b, 1),
            invert: b[8] != 0,
        });
        self.list(&mut chunk.xors, |b: &[u8; 6]| Xor {
            a: half(b, 0),
            b: half(b, 1),
            c: half(b, 2),
        });
        self.list(&mut chunk.ands, |b: &[u8; 8]| And {
            a: half(b, 0),
            b: half(b, 1),
            c: half(b, 2),
            flags: half(b, 3),
        });
        self.list(&mut chunk.positions, |b: &[u8; 4]| word(b, 0));
        self.gives(&mut chunk.outputs_each);
        self.gives(&mut chunk.outputs_last);
    }

    fn loads(&mut self, loads: &mut Loads) {
        self.list(&mut loads.wires, |b: &[u8; 4]| Wire::new(word(b, 0)));
        self.list(&mut loads.addresses, |b: &[u8; 4]| word(b, 0));
    }

    fn gives(&mut self, gives: &mut Gives) {
        self.list(&mut gives.bits, |b: &[u8; 4]| word(b, 0));
        self.list(&mut gives.addresses, |b: &[u8; 4]| word(b, 0));
        self.list(&mut gives.inverted, |b: &[u8; 1]| b[0] != 0);
    }

    fn list<T, const N: usize>(&mut self, items: &mut Vec<T>, item: impl Fn(&[u8; N]) -> T) {
        let (count, rest) = self.0.split_at(4);
        let count = word(count, 0) as usize;
        let (bytes, rest) = rest.split_at(count * N);
        self.0 = rest;
        items.clear();
        items.extend(
            bytes.chunks_exact(N).map(|b| item(b.try_into().expect("chunks of that length"))),
        );
    }
}

fn word(bytes: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(bytes[4 * index..][..4].try_into().expect("four bytes"))
}

fn half(bytes: &[u8], index: usize) -> u16 {
    u16::from_le_bytes(bytes[2 * index..][..2].try_into().expect("two bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_reads_back_from_its_bytes() {
        let mut chunk = Chunk::default();
        chunk.inputs_first.push(Wire::new(70_000), 65_540);
        chunk.inputs_first.push(Wire::new(3), 9);
        chunk.inputs_later.push(Wire::new(3), 9);
        chunk.segments.push(Segment { moves: 1, xors: 2, ands: 1 });
        chunk.moves.push(Move { from: 1 << 20, to: 65_535, invert: true });
        chunk.xors = vec![Xor { a: 1, b: 2, c: 65_535 }, Xor { a: 0, b: 256, c: 7 }];
        chunk.ands.push(And { a: 1, b: 2, c: 3, flags: And::INVERT_B });
        chunk.positions.push(1 << 29);
        chunk.outputs_each.push(5, 6, true);
        chunk.outputs_last.push(7, 65_536, false);
        let mut encoder = Encoder::default();
        encoder.chunk(&chunk);
        let mut read = Chunk::default();
        Decoder(&encoder.0).chunk(&mut read);
        assert_eq!(read, chunk);
    }

    /// Walks of an authenticated run read the code at the same time.
    #[test]
    fn several_threads_read_the_file() {
        let mut store = ChunkStore { held_bytes: IN_MEMORY, ..ChunkStore::default() };
        let chunk =
            |index| Chunk { positions: vec![index; 1 + index as usize], ..Chunk::default() };
        for index in 0..100 {
            store.push(&chunk(index)).unwrap();
        }
        assert_eq!(store.in_file(), 100);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut space = Chunk::default();
                    for index in 0..100 {
                        let read = store.get(index as usize, &mut space).unwrap();
                        assert_eq!(*read, chunk(index));
                    }
                });
            }
        });
    }
}
