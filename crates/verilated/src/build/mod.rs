//! Builds the library of a design, and caches it.

mod cache;
mod headers;
mod ports;
mod runtime;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cache::{Workplace, lock};

use crate::design::{Design, Effort};
use crate::error::Error;
use crate::ffi;
use crate::sources::{self, Folders, Source};
use crate::toolchain::Toolchain;

/// A design that is built and loaded.
#[derive(Clone, Debug)]
pub struct Library {
    pub(crate) name: String,
    pub(crate) raw: Arc<ffi::Library>,
}

/// Source files of the C interface, which every design's library contains.
const HARNESS: [&str; 3] = ["harness.cpp", "harness.h", "aes_dpi.cpp"];

/// Linker script: only the functions of the harness are exported.
const EXPORTS: &str = "{ global: halfgate_new; halfgate_delete; halfgate_ports; halfgate_settle; \
    halfgate_clock; halfgate_trace; halfgate_flush_trace; halfgate_text; halfgate_finished; \
    local: *; };";

impl Design {
    /// Builds and loads the library. If none of its sources and tools have changed, it comes from
    /// the cache.
    ///
    /// # Errors
    /// If the tools are missing or reject the sources.
    pub fn build(&self) -> Result<Library, Error> {
        self.build_with(&Toolchain::from_environment())
    }

    /// Whether the library is in the cache, so that [`build`](Design::build) takes no time.
    ///
    /// # Errors
    /// If the tools are missing or sources cannot be read.
    pub fn is_built(&self) -> Result<bool, Error> {
        let folders = self.folders()?;
        let files = sources::of(self, &folders.sources)?;
        let tools = Toolchain::from_environment();
        Ok(Build::new(self, &folders, &files, &tools)?.finished()?.is_file())
    }

    /// Like [`Design::build`], with the tools `tools`.
    ///
    /// # Errors
    /// As [`Design::build`].
    pub fn build_with(&self, tools: &Toolchain) -> Result<Library, Error> {
        let folders = self.folders()?;
        let files = sources::of(self, &folders.sources)?;
        let path = Build::new(self, &folders, &files, tools)?.library()?;
        Ok(Library { name: self.name.clone(), raw: Arc::new(ffi::Library::open(&path)?) })
    }

    fn folders(&self) -> Result<Folders, Error> {
        // This is checked before the build, which takes minutes.
        if cfg!(all(target_env = "musl", target_feature = "crt-static")) {
            return Err(Error::Static);
        }
        let found = Folders::find()?;
        Ok(match &self.sources {
            Some(sources) => Folders { sources: sources.clone(), ..found },
            None => found,
        })
    }
}

struct Build<'a> {
    design: &'a Design,
    /// The folder with the harness.
    sim: PathBuf,
    cache: PathBuf,
    sources: &'a [Source],
    tools: &'a Toolchain,
    version: String,
}

impl<'a> Build<'a> {
    fn new(
        design: &'a Design,
        folders: &Folders,
        sources: &'a [Source],
        tools: &'a Toolchain,
    ) -> Result<Build<'a>, Error> {
        let (sim, version) = (folders.harness.clone(), tools.version()?);
        let cache = halfgate_cache::folder().ok_or(Error::NoCache)?;
        Ok(Build { design, sim, cache, sources, tools, version })
    }

    /// Path of the finished library.
    fn finished(&self) -> Result<PathBuf, Error> {
        let name = format!("{}-{}", self.design.name, self.key()?);
        Ok(self.cache.join(name).join("design.so"))
    }

    fn library(&self) -> Result<PathBuf, Error> {
        let path = self.finished()?;
        cache::tidy(&self.cache);
        if path.is_file() {
            tracing::debug!(design = %self.design.name, ?path, "found in the cache");
            return Ok(path);
        }
        tracing::info!(design = %self.design.name, cache = ?self.cache, "building a design");
        let finished = path.parent().unwrap_or(&self.cache).to_path_buf();
        let _lock = lock(&self.cache, &finished.with_extension("lock"))?;
        if path.is_file() {
            return Ok(path);
        }
        let _slot = cache::slot(&self.cache)?;
        let runtime = runtime::object(self)?;
        let work = self.folder()?;
        self.verilate(work.path())?;
        self.compile(work.path(), &runtime)?;
        fs::create_dir_all(&finished).map_err(Error::io(&finished))?;
        fs::rename(work.path().join("design.so"), &path).map_err(Error::io(&path))?;
        Ok(path)
    }

    /// Hash of everything from which the library is made.
    fn key(&self) -> Result<String, Error> {
        let mut hash = blake3::Hasher::new();
        let mut add = |text: &str| {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        add(&self.version);
        for argument in self.verilator_arguments().iter().chain(&self.compiler_flags()) {
            add(argument);
        }
        // In hierarchical designs, parameters are later written into the sources. They are hashed
        // here, because the hashed sources do not contain them yet.
        for (name, value) in &self.design.params {
            add(name);
            add(&value.to_string());
        }
        for source in self.sources {
            add(&source.module);
            add(&source.text);
        }
        for file in HARNESS {
            add(&read(&self.sim.join(file))?);
        }
        Ok(hash.finalize().to_hex()[..16].to_string())
    }

    fn verilator_arguments(&self) -> Vec<String> {
        let design = self.design;
        // Unknown values are random, so that tests find logic that depends on one. In designs that
        // are compiled for speed, they have the value that simulates fastest.
        let unknown = if design.effort == Effort::High { "fast" } else { "unique" };
        let mut arguments: Vec<String> =
            ["--cc", "-O3", "--x-assign", unknown, "--x-initial", unknown, "--prefix", "Design"]
                .map(String::from)
                .into();
        arguments.extend(["-Mdir", "obj", "--top-module", &design.top].map(String::from));
        arguments.push(if design.assertions { "--assert" } else { "--noassert" }.into());
        // Smaller files take longer in total, since each includes the headers; larger ones take the
        // optimiser longer.
        arguments.extend(["--output-split".into(), "80000".into()]);
        let flags = format!("{} {}", self.compiler_flags().join(" "), headers::FIRST.join(" "));
        arguments.extend(["-CFLAGS".into(), flags]);
        if design.trace {
            arguments.extend(["--trace-fst".into(), "--trace-structs".into()]);
        }
        if design.hierarchical {
            arguments.push("--hierarchical".into());
        } else {
            let value = |(name, value): &(String, u64)| format!("-G{name}=64'd{value}");
            arguments.extend(design.params.iter().map(value));
        }
        arguments.push("parameters.vlt".into());
        arguments.extend(self.sources.iter().map(|source| format!("{}.sv", source.module)));
        arguments
    }

    fn compiler_flags(&self) -> Vec<String> {
        let mut flags =
            vec!["-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-std=gnu++17", "-w"];
        flags.push(self.design.effort.level());
        flags.into_iter().map(String::from).collect()
    }

    fn verilate(&self, work: &Path) -> Result<(), Error> {
        for source in self.sources {
            let path = work.join(format!("{}.sv", source.module));
            let text = if self.design.hierarchical && source.module == self.design.top {
                ports::with_parameters(&source.text, self.design)
            } else {
                source.text.clone()
            };
            write(&path, &text)?;
        }
        write(&work.join("parameters.vlt"), &ports::waivers(self.design))?;
        self.tools.verilate(work, &self.verilator_arguments(), &self.design.name)
    }

    fn compile(&self, work: &Path, runtime: &Path) -> Result<(), Error> {
        let obj = work.join("obj");
        let name = &self.design.name;
        let level = &format!("OPT_FAST={}", self.design.effort.level());
        let once = &format!("OPT_SLOW={}", headers::ONCE);
        let compiler = format!("CXX={}", self.tools.cxx.to_string_lossy());
        let make = |file, target| {
            let arguments = ["-s", "-j2", "-f", file, target, level, once, &compiler];
            self.tools.make(&obj, &arguments, name)
        };
        headers::place(self, &obj)?;
        if self.design.hierarchical {
            make("Design_hier.mk", "hier_verilation")?;
        }
        make("Design.mk", "Design__ALL.a")?;
        let ports = ports::table(&read(&obj.join("Design.h"))?);
        write(&obj.join("ports.inc"), &ports.text)?;
        write(&obj.join("exports"), EXPORTS)?;
        let mut arguments = self.compiler_flags();
        arguments.extend(headers::FLAGS.map(String::from));
        arguments.extend(headers::FIRST.map(String::from));
        arguments.push("-shared".into());
        arguments.extend(self.include_flags()?);
        arguments.push("-DDESIGN=Design".into());
        arguments.push("-DDESIGN_HEADER=\"Design.h\"".into());
        arguments.push(format!("-DDESIGN_CLOCKED={}", u32::from(ports.clocked)));
        arguments.push("-I.".into());
        arguments.push(self.sim.join("harness.cpp").display().to_string());
        arguments.push("Design__ALL.a".into());
        arguments.push(runtime.display().to_string());
        arguments.extend(["-Wl,--version-script=exports", "-lpthread", "-lz"].map(String::from));
        arguments.extend(["-o".into(), "../design.so".into()]);
        self.tools.compile(&obj, &arguments, name)
    }

    /// Compiler flags for code that includes Verilator's headers.
    fn include_flags(&self) -> Result<Vec<String>, Error> {
        let include = self.tools.verilator_root()?.join("include");
        let trace = u32::from(self.design.trace);
        Ok(vec![
            format!("-I{}", include.display()),
            format!("-I{}", include.join("vltstd").display()),
            format!("-I{}", self.sim.display()),
            format!("-DVM_TRACE={trace}"),
            format!("-DVM_TRACE_FST={trace}"),
            "-DVM_TRACE_VCD=0".into(),
            "-DVM_COVERAGE=0".into(),
            "-DVM_SC=0".into(),
        ])
    }

    fn folder(&self) -> Result<Workplace, Error> {
        Workplace::new(&self.cache)
    }
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::io(path))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::io(path))
}
