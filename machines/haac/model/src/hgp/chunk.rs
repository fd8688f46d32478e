//! Chunks, which are the parts of a file, and the checksums that detect changes.
//!
//! A file is eight bytes of magic, a version, and chunks. A chunk is a tag of four letters, the
//! length of its payload, the payload, and a CRC-32C over the chunk's number, tag, length and
//! payload. The number is not in the file, so a lost, repeated or moved chunk fails its checksum.
//! The last chunk, `DONE`, has a BLAKE3 hash of everything before it. `machines/haac/spec/hgp.md`
//! has the format in prose.
//!
//! Memory: one chunk, of at most [`MAX_PAYLOAD`] bytes.

use super::error::{Place, ReadError, Tag};
use std::io::{self, Read, Write};

pub use halfgate_model::program_file::MAGIC;
/// The version that this code writes and reads.
pub const VERSION: u32 = 1;
/// Largest payload of a chunk, in bytes.
pub const MAX_PAYLOAD: usize = 1 << 20;
/// The tag of the last chunk.
pub const DONE: [u8; 4] = *b"DONE";
/// Bytes of a chunk other than its payload.
pub const OVERHEAD: usize = 12;

/// Writes the start of a file and its chunks to `W`, front to back.
pub struct ChunkWriter<W> {
    out: W,
    hash: blake3::Hasher,
    chunks: u32,
    bytes: u64,
}

impl<W: Write> ChunkWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(out: W) -> io::Result<ChunkWriter<W>> {
        let mut writer = ChunkWriter { out, hash: blake3::Hasher::new(), chunks: 0, bytes: 0 };
        writer.put(&MAGIC)?;
        writer.put(&VERSION.to_le_bytes())?;
        Ok(writer)
    }

    /// Adds a chunk.
    ///
    /// # Errors
    /// Those of the writer, or if there are more than 2^32 chunks.
    ///
    /// # Panics
    /// If the payload is longer than [`MAX_PAYLOAD`]: callers must split it.
    pub fn chunk(&mut self, tag: [u8; 4], payload: &[u8]) -> io::Result<()> {
        assert!(payload.len() <= MAX_PAYLOAD, "callers split what is longer than a chunk");
        let length = (payload.len() as u32).to_le_bytes();
        let crc = checksum(self.chunks, tag, length, payload);
        self.put(&tag)?;
        self.put(&length)?;
        self.put(payload)?;
        self.put(&crc.to_le_bytes())?;
        let next = self.chunks.checked_add(1);
        self.chunks = next.ok_or_else(|| io::Error::other("more than 2^32 chunks"))?;
        Ok(())
    }

    /// Adds the last chunk, flushes the underlying writer, and returns it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        let hash = *self.hash.finalize().as_bytes();
        self.chunk(DONE, &hash)?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// A chunk that has been checked.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// The chunk's type. If the first letter is in lower case, a reader may skip the chunk.
    pub tag: [u8; 4],
    /// Its content.
    pub payload: &'a [u8],
}

/// Reads chunks from `R`, front to back, and checks each before returning it.
pub struct ChunkReader<R> {
    from: R,
    name: String,
    hash: blake3::Hasher,
    /// Number, tag and start of the last chunk that was read.
    place: Place,
    /// Number and start of the next chunk.
    next: (u32, u64),
    payload: Vec<u8>,
    done: bool,
}

impl<R: Read> ChunkReader<R> {
    /// Reads the start of a file. `name` is the file's name in error messages.
    ///
    /// # Errors
    /// If the file is no program file, or has another version.
    pub fn new(mut from: R, name: &str) -> Result<ChunkReader<R>, ReadError> {
        let failed = |error| ReadError::Io { name: name.to_owned(), error };
        let no_file = |what| ReadError::NoProgramFile { name: name.to_owned(), what };
        let mut start = Vec::with_capacity(12);
        from.by_ref().take(12).read_to_end(&mut start).map_err(failed)?;
        if start.is_empty() {
            return Err(no_file("it is empty"));
        }
        if !start.starts_with(&MAGIC) {
            return Err(no_file(match start.len() >= 4 && start[1..4] == MAGIC[1..4] {
                true => "its first bytes were changed, as by a transfer as text",
                false => "it starts with other bytes",
            }));
        }
        let Ok(version) = start[8..].try_into().map(u32::from_le_bytes) else {
            return Err(no_file("it ends before its version"));
        };
        if version != VERSION {
            let name = name.to_owned();
            return Err(ReadError::Version { name, version, known: VERSION });
        }
        let mut hash = blake3::Hasher::new();
        hash.update(&start);
        Ok(ChunkReader {
            from,
            name: name.to_owned(),
            hash,
            place: Place { chunk: 0, tag: [0; 4], offset: 12 },
            next: (0, 12),
            payload: Vec::new(),
            done: false,
        })
    }

    /// The tag and payload of the next chunk. After the last chunk, checks the hash and that the
    /// file ends, and returns `None`.
    ///
    /// # Errors
    /// If the file ends too early, a checksum is wrong, a length is above [`MAX_PAYLOAD`], or bytes
    /// follow the last chunk.
    pub fn read_chunk(&mut self) -> Result<Option<Chunk<'_>>, ReadError> {
        if self.done {
            return Ok(None);
        }
        let (chunk, offset) = self.next;
        self.place = Place { chunk, tag: [0; 4], offset };
        let mut header = [0; 8];
        self.fill(&mut header)?;
        let tag = [header[0], header[1], header[2], header[3]];
        let length = [header[4], header[5], header[6], header[7]];
        let bytes = u32::from_le_bytes(length) as usize;
        if bytes > MAX_PAYLOAD {
            return Err(self.damaged("its length is above the limit of 1 MiB"));
        }
        self.place.tag = tag;
        self.payload.clear();
        // The payload grows as bytes arrive, so a forged length costs no memory.
        let limited = self.from.by_ref().take(bytes as u64);
        let got = { limited }.read_to_end(&mut self.payload).map_err(|e| self.failed(e))?;
        if got < bytes {
            return Err(self.cut_short());
        }
        let mut crc = [0; 4];
        self.fill(&mut crc)?;
        if u32::from_le_bytes(crc) != checksum(chunk, tag, length, &self.payload) {
            return Err(self.damaged("its checksum does not fit"));
        }
        if tag == DONE {
            return self.end().map(|()| None);
        }
        self.hash.update(&header);
        self.hash.update(&self.payload);
        self.hash.update(&crc);
        let number = chunk.checked_add(1);
        let number = number.ok_or_else(|| self.refused("more than 2^32 chunks"))?;
        self.next = (number, offset + (bytes + OVERHEAD) as u64);
        Ok(Some(Chunk { tag, payload: &self.payload }))
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.payload != self.hash.finalize().as_bytes() {
            return Err(self.damaged("the hash of all that is before it does not fit"));
        }
        if self.from.read(&mut [0]).map_err(|e| self.failed(e))? != 0 {
            return Err(self.damaged("bytes follow it, and it should be the last"));
        }
        self.done = true;
        Ok(())
    }

    /// An error for the chunk that was read last: its content is refused because of `what`.
    pub fn refused(&self, what: impl ToString) -> ReadError {
        let what = what.to_string();
        ReadError::Refused { name: self.name.clone(), place: self.place, what }
    }

    /// The error for a chunk of unknown type. `None` if the chunk may be skipped, since its tag
    /// begins with a lower-case letter.
    pub fn unknown(&self) -> Option<ReadError> {
        let tag = self.place.tag;
        if tag[0].is_ascii_lowercase() {
            return None;
        }
        let tag = Tag(tag);
        Some(
            self.refused(format!(
                "chunks {tag} are unknown to this reader and must not be skipped"
            )),
        )
    }

    /// The file's name in error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes read so far, up to the end of the last chunk returned.
    pub fn bytes(&self) -> u64 {
        self.next.1
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ReadError> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.cut_short(),
            _ => self.failed(error),
        })
    }

    fn failed(&self, error: io::Error) -> ReadError {
        ReadError::Io { name: self.name.clone(), error }
    }

    fn cut_short(&self) -> ReadError {
        ReadError::CutShort { name: self.name.clone(), place: self.place }
    }

    fn damaged(&self, what: &'static str) -> ReadError {
        ReadError::Damaged { name: self.name.clone(), place: self.place, what }
    }
}

/// CRC-32C over a chunk's number, tag, length and payload.
fn checksum(number: u32, tag: [u8; 4], length: [u8; 4], payload: &[u8]) -> u32 {
    let mut crc = crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32Iscsi);
    crc.update(&number.to_le_bytes());
    crc.update(&tag);
    crc.update(&length);
    crc.update(payload);
    crc.finalize() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    type Owned = ([u8; 4], Vec<u8>);

    fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut writer = ChunkWriter::new(Vec::new()).expect("memory");
        for (tag, payload) in chunks {
            writer.chunk(**tag, payload).expect("memory");
        }
        writer.finish().expect("memory")
    }

    fn read(bytes: &[u8]) -> Result<Vec<Owned>, ReadError> {
        let mut reader = ChunkReader::new(bytes, "test.hgp")?;
        let mut chunks = Vec::new();
        while let Some(Chunk { tag, payload }) = reader.read_chunk()? {
            chunks.push((tag, payload.to_vec()));
        }
        Ok(chunks)
    }

    #[test]
    fn chunks_come_back() {
        let long = vec![7; MAX_PAYLOAD];
        let bytes = file(&[(b"HEAD", b"abc"), (b"none", b""), (b"ROWS", &long)]);
        let chunks = read(&bytes).expect("it reads");
        assert_eq!(chunks[0], (*b"HEAD", b"abc".to_vec()));
        assert_eq!(chunks[1], (*b"none", Vec::new()));
        assert_eq!(chunks[2], (*b"ROWS", long));
        assert_eq!(chunks.len(), 3);
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_found() {
        let good = file(&[(b"HEAD", b"abc"), (b"ROWS", &[1, 2, 3, 4, 5])]);
        for at in 0..good.len() {
            for flip in [1, 0x20, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                assert!(read(&bad).is_err(), "byte {at} ^ {flip:#x}");
            }
            assert!(read(&good[..at]).is_err(), "cut at {at}");
        }
        let longer = [&good[..], b"x"].concat();
        assert!(read(&longer).unwrap_err().to_string().contains("bytes follow it"));
    }

    #[test]
    fn chunks_that_moved_or_are_missing_are_found() {
        let good = file(&[(b"HEAD", b"abc"), (b"ROWS", b"one"), (b"ROWS", b"two")]);
        let step = 3 + OVERHEAD;
        let (start, rest) = good.split_at(12 + step);
        let (one, rest) = rest.split_at(step);
        let (two, done) = rest.split_at(step);
        assert!(read(&[start, one, two, done].concat()).is_ok());
        for bad in [
            [start, two, one, done].concat(),
            [start, two, done].concat(),
            [start, one, one, two, done].concat(),
        ] {
            let error = read(&bad).unwrap_err().to_string();
            assert!(error.contains("(ROWS) at byte") && error.contains("its checksum"), "{error}");
        }
    }

    #[test]
    fn a_file_whose_checksums_were_made_anew_is_found_by_its_hash() {
        // Chunks of one file before the end of another: each is valid by itself.
        let (one, other) = (file(&[(b"HEAD", b"one")]), file(&[(b"HEAD", b"two")]));
        let end = one.len() - 32 - OVERHEAD;
        let error = read(&[&one[..end], &other[end..]].concat()).unwrap_err().to_string();
        assert!(error.contains("chunk 1 (DONE)") && error.contains("hash"), "{error}");
    }

    #[test]
    fn lengths_are_not_trusted() {
        let mut bytes = file(&[]);
        bytes.truncate(12);
        bytes.extend_from_slice(b"ROWS\xff\xff\xff\xff");
        assert!(read(&bytes).unwrap_err().to_string().contains("above the limit"));
        bytes.truncate(16);
        bytes.extend_from_slice(&(MAX_PAYLOAD as u32).to_le_bytes());
        let error = read(&bytes).unwrap_err().to_string();
        assert_eq!(error, "test.hgp is cut short: it ends in chunk 0 (ROWS) at byte 12");
    }

    #[test]
    fn other_files_are_named() {
        let report = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(report(b"").contains("empty"));
        assert!(report(b"2 1 0 1 2 AND\n").contains("other bytes"));
        assert!(report(b"\x89HGP\n\x1a\n\0\0\0\0\0").contains("transfer as text"));
        assert!(report(&MAGIC).contains("before its version"));
        let later = [&MAGIC[..], &7u32.to_le_bytes()].concat();
        assert!(report(&later).contains("version 7; this reader knows version 1"));
    }
}
