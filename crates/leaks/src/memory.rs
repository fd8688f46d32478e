//! Searches the memory of this process for copies of secrets: every mapping that it can read and
//! write, at every byte. That includes freed memory and dead stacks.
//!
//! A search must not find itself. So a secret is kept XORed with a mask, the bytes read are XORed
//! with the same mask, and the results are compared. The secret itself exists only where it is
//! found. The search is for pieces of eight bytes. In memory without secrets, one of a thousand
//! random pieces turns up by chance once in some 2^27 searches of 100 MB.
//!
//! The search does not cover registers, nor memory of the system: buffers of sockets and files, the
//! command line, pages on a swap disk.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::hint::black_box;
use std::io;
use std::ops::Range;

/// The mask. Its bytes are random, so that a masked secret does not look like a secret.
const MASK: u64 = 0x9d3c_6b1f_a254_e817;

/// Bytes of a piece of a secret.
const PIECE: usize = 8;

/// Bytes read at a time.
const READ: usize = 1 << 20;

/// Bits of the index of the filter, which rejects most values that are not pieces of a secret.
const FILTER_BITS: u32 = 20;

/// A secret of 16 bytes, as an integer, kept only in masked form.
#[derive(Clone, Copy)]
pub struct Masked([u64; 2]);

impl Masked {
    /// Masks `secret`, of which the caller already has a copy.
    #[inline(always)]
    pub fn new(secret: u128) -> Masked {
        // Opaque, so that the compiler does not compute later results with the secret itself.
        Masked(black_box([secret as u64 ^ MASK, (secret >> 64) as u64 ^ MASK]))
    }

    /// The XOR of both secrets, masked throughout.
    #[inline(always)]
    pub fn xor(self, secret: u128) -> Masked {
        Masked(black_box([self.0[0] ^ secret as u64, self.0[1] ^ (secret >> 64) as u64]))
    }
}

/// Secrets to look for, masked.
#[derive(Default)]
pub struct Secrets {
    names: Vec<String>,
    /// Masked pieces, and the number of the secret that each belongs to.
    pieces: BTreeMap<u64, usize>,
}

impl Secrets {
    /// Makes an empty set.
    pub fn new() -> Secrets {
        Secrets::default()
    }

    /// Adds a secret under a name that describes it; several secrets may have the same name. Bytes
    /// after the last whole piece are not searched for.
    ///
    /// No piece may be a common value, such as zeros.
    pub fn add(&mut self, name: &str, secret: &[u8]) {
        let number = self.number(name);
        for piece in secret.as_chunks::<PIECE>().0 {
            self.pieces.insert(u64::from_le_bytes(*piece) ^ MASK, number);
        }
    }

    /// Like [`add`](Secrets::add), for 16 bytes, such as a label.
    pub fn add_masked(&mut self, name: &str, secret: Masked) {
        let number = self.number(name);
        for half in secret.0 {
            self.pieces.insert(half, number);
        }
    }

    fn number(&mut self, name: &str) -> usize {
        match self.names.iter().position(|known| known == name) {
            Some(number) => number,
            None => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
        }
    }

    /// Number of pieces to search for.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Searches the memory of this process.
    ///
    /// # Errors
    /// If the system does not let a process read its own memory.
    pub fn search(&self) -> io::Result<Found> {
        Search::new(self).run()
    }
}

/// Where copies of secrets were found.
#[derive(Debug, Default)]
pub struct Found {
    /// Name of the secret, kind of memory, and address of each piece.
    pub copies: Vec<(String, String, u64)>,
    /// Bytes that were searched.
    pub searched: u64,
}

impl Found {
    /// Number of pieces found.
    pub fn count(&self) -> usize {
        self.copies.len()
    }
}

/// Prints how many copies of each secret were found in each kind of memory.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = BTreeMap::new();
        for (name, kind, _) in &self.copies {
            *counts.entry((name, kind)).or_insert(0) += 1;
        }
        for (at, ((name, kind), count)) in counts.iter().enumerate() {
            write!(f, "{}{count} {name} in {kind}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A mapping of this process.
struct Mapping {
    range: Range<u64>,
    kind: String,
}

struct Search<'s> {
    secrets: &'s Secrets,
    /// One bit for each value of the first bits of a masked piece.
    filter: Vec<u64>,
    buffer: Vec<u8>,
    found: Found,
}

impl<'s> Search<'s> {
    fn new(secrets: &'s Secrets) -> Search<'s> {
        let mut filter = vec![0; 1 << (FILTER_BITS - 6)];
        for &piece in secrets.pieces.keys() {
            let (word, bit) = Search::place(piece);
            filter[word] |= bit;
        }
        Search { secrets, filter, buffer: vec![0; READ + PIECE], found: Found::default() }
    }

    fn place(masked: u64) -> (usize, u64) {
        let index = masked >> (64 - FILTER_BITS);
        ((index / 64) as usize, 1 << (index % 64))
    }

    fn run(mut self) -> io::Result<Found> {
        let memory = fs::File::open("/proc/self/mem")?;
        for mapping in mappings()? {
            let Range { mut start, end } = mapping.range;
            while start < end {
                // Read ranges overlap, so that no piece is cut in two.
                let count = (end - start).min((READ + PIECE - 1) as u64) as usize;
                let read = read_at(&memory, &mut self.buffer[..count], start);
                // Unreadable memory (a guard page, a device) contains none of our data.
                if let Ok(count) = read {
                    self.look(start, count, &mapping.kind);
                    self.found.searched += count.min(READ) as u64;
                }
                start += READ as u64;
            }
        }
        self.buffer.fill(0);
        Ok(self.found)
    }

    /// Searches the bytes that were read from `start`.
    fn look(&mut self, start: u64, count: usize, kind: &str) {
        // The buffer holds the bytes that were read; they are not further copies.
        let own = self.buffer.as_ptr() as u64;
        let own = own.saturating_sub(PIECE as u64)..own + self.buffer.len() as u64;
        let bytes = &self.buffer[..count];
        let mut at = 0;
        while at + PIECE <= count {
            let value = u64::from_le_bytes(*bytes[at..].first_chunk().expect("as many are left"));
            if value == 0 {
                // Most memory is zeros: eight zeros are not a secret, wherever the next piece
                // begins.
                at += 1 + zeros(&bytes[at + 1..]).saturating_sub(PIECE - 1);
                continue;
            }
            if let Some(name) = self.is_secret(value)
                && !own.contains(&(start + at as u64))
            {
                let name = self.secrets.names[name].clone();
                self.found.copies.push((name, kind.to_owned(), start + at as u64));
            }
            at += 1;
        }
    }

    fn is_secret(&self, value: u64) -> Option<usize> {
        let masked = value ^ MASK;
        let (word, bit) = Search::place(masked);
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.secrets.pieces.get(&masked).copied()
    }
}

/// The number of zeros at the start of `bytes`.
fn zeros(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<64>();
    let blocks = words.iter().take_while(|block| **block == [0; 64]).count();
    let rest = &bytes[64 * blocks..];
    64 * blocks + rest.iter().take_while(|byte| **byte == 0).count()
}

#[cfg(unix)]
fn read_at(memory: &fs::File, buffer: &mut [u8], start: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(memory, buffer, start)
}

#[cfg(not(unix))]
fn read_at(_: &fs::File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The mappings that this process can read and write.
fn mappings() -> io::Result<Vec<Mapping>> {
    let maps = fs::read_to_string("/proc/self/maps")?;
    Ok(maps.lines().filter_map(mapping).collect())
}

/// Reads a line such as `7ffd0000-7ffd2000 rw-p 00000000 00:00 0    [stack]`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let is_ours = words.next()?.starts_with("rw");
    let name = words.nth(3).unwrap_or_default();
    let kind = match name {
        "[stack]" => "the stack",
        "[heap]" => "the heap",
        "" => "mapped memory",
        _ => "a file's memory",
    };
    let number = |hex| u64::from_str_radix(hex, 16).ok();
    let range = number(start)?..number(end)?;
    is_ours.then(|| Mapping { range, kind: kind.to_owned() })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Random bytes of the system, which occur nowhere else in this process.
    fn random() -> Vec<u8> {
        let mut bytes = vec![0; 32];
        let mut source = fs::File::open("/dev/urandom").unwrap();
        io::Read::read_exact(&mut source, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_copy_is_found_at_any_byte_and_none_where_there_is_none() {
        let mut secrets = Secrets::new();
        let mut secret = random();
        secrets.add("a secret", &secret);
        assert_eq!(secrets.pieces(), 4);
        for offset in 0..16 {
            let mut leak = vec![0; 64];
            leak[offset..offset + 8].copy_from_slice(&secret[8..16]);
            let kept = secret[0];
            // The leak is the only copy that must be found.
            let before = std::mem::take(&mut secret);
            let mut masked: Vec<u8> = before.iter().map(|byte| byte ^ 0x55).collect();
            wipe(before);
            let found = secrets.search().unwrap();
            assert_eq!(found.count(), 1, "at {offset}: {found}");
            assert!(found.copies[0].2 == black_box(&leak)[offset..].as_ptr() as u64);
            assert!(found.searched > 100_000);
            leak.fill(0);
            black_box(&leak);
            let found = secrets.search().unwrap();
            assert_eq!(found.count(), 0, "at {offset}: {found}");
            masked.iter_mut().for_each(|byte| *byte ^= 0x55);
            secret = masked;
            assert_eq!(secret[0], kept);
        }
    }

    fn wipe(mut bytes: Vec<u8>) {
        bytes.fill(0);
        black_box(&bytes);
    }

    #[test]
    fn lines_of_maps_are_read() {
        let line = "7ffd0000-7ffd2000 rw-p 00000000 00:00 0                  [stack]";
        let read = mapping(line).unwrap();
        assert_eq!((read.range, &*read.kind), (0x7ffd_0000..0x7ffd_2000, "the stack"));
        assert!(mapping("7ffd0000-7ffd2000 r-xp 00000000 00:00 0").is_none());
        assert_eq!(mapping("1000-2000 rw-p 00000000 00:00 0").unwrap().kind, "mapped memory");
    }

    #[test]
    fn zeros_are_counted() {
        for count in [0, 1, 7, 63, 64, 65, 200] {
            let mut bytes = vec![0; 300];
            bytes[count] = 1;
            assert_eq!(zeros(&bytes), count);
        }
        assert_eq!(zeros(&[0; 70]), 70);
    }
}
