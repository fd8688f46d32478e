//! Tests that processes can share the cache of designs. Nothing is simulated here: scripts replace
//! the tools.

use halfgate_verilated::{Design, Error, Toolchain};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Environment variable with the folder of the scripts and the cache. It is set only in processes
/// that this test starts.
const FOLDER: &str = "HALFGATE_TEST_CACHE";
/// Environment variable with the top module that such a process builds.
const TOP: &str = "HALFGATE_TEST_TOP";

/// A script in place of Verilator. For each design that it translates, it records how many are
/// being translated at this time.
const VERILATOR: &str = r#"#!/bin/sh
here=$(dirname "$0")
case $1 in
    --version) echo "Verilator for a test" ;;
    --getenv) echo "$here" ;;
    *)
        : >"$here/running-$$"
        ls "$here" | grep -c running- >>"$here/translated"
        mkdir -p obj && : >obj/Design.h
        [ -e "$here/hang" ] && exec sleep 3
        sleep 0.3
        rm "$here/running-$$" ;;
esac
"#;

/// A script in place of the compiler. It creates the file that `-o` names.
const COMPILER: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && : >"$2"
    shift
done
exit 0
"#;

/// Scripts and an empty cache in a temporary folder.
struct Scene(tempfile::TempDir);

impl Scene {
    fn new() -> Scene {
        let scene = Scene(tempfile::tempdir().unwrap());
        for (name, text) in [("verilator", VERILATOR), ("cxx", COMPILER), ("make", "#!/bin/sh\n")] {
            let path = scene.path(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::create_dir(scene.path("cache")).unwrap();
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Starts a process that builds the design `top`.
    fn build(&self, top: &str) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["another_process_builds", "--nocapture"])
            .env(FOLDER, self.0.path())
            .env(TOP, top)
            .env("HALFGATE_RTL_DIR", self.path("cache"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// For each translated design, how many designs were being translated at that time.
    fn translated(&self) -> Vec<usize> {
        let text = fs::read_to_string(self.path("translated")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Number of build folders.
    fn unfinished(&self) -> usize {
        let entries = fs::read_dir(self.path("cache")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("building-")).count()
    }
}

/// The body of the processes that the tests below start. It does nothing in other processes.
#[test]
fn another_process_builds() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let top = std::env::var(TOP).unwrap();
    let tool = |name: &str| Path::new(&folder).join(name).into_os_string();
    let tools = Toolchain { verilator: tool("verilator"), cxx: tool("cxx"), make: tool("make") };
    let design = Design::of(&top).source(&top, &format!("module {top}; endmodule"));
    // The library is an empty file, so that it builds but cannot be loaded.
    let error = design.build_with(&tools).unwrap_err();
    assert!(matches!(error, Error::Load { .. }), "{error}");
}

#[test]
fn two_processes_build_a_design_once() {
    let scene = Scene::new();
    let processes = [scene.build("one"), scene.build("one")];
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(scene.translated().len(), 1);
    assert_eq!(scene.unfinished(), 0);
}

#[test]
fn no_more_designs_are_built_at_a_time_than_there_are_cores() {
    let scene = Scene::new();
    let cores = std::thread::available_parallelism().unwrap().get();
    let processes: Vec<_> =
        (0..2 * cores + 1).map(|design| scene.build(&format!("design_{design}"))).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let translated = scene.translated();
    assert_eq!(translated.len(), 2 * cores + 1);
    assert!(translated.iter().all(|&running| running <= cores), "{translated:?}");
}

#[test]
fn leftovers_of_a_killed_build_are_removed_where_nothing_is_built() {
    let scene = Scene::new();
    assert!(scene.build("one").wait().unwrap().success());
    let left = scene.path("cache").join("building-left");
    fs::create_dir_all(left.join("obj")).unwrap();
    // A running build holds a lock on its folder.
    let live = scene.path("cache").join("building-live");
    fs::create_dir(&live).unwrap();
    let lock = fs::File::open(&live).unwrap();
    lock.lock().unwrap();
    assert!(scene.build("one").wait().unwrap().success());
    assert_eq!(scene.translated().len(), 1, "the design was in the cache");
    assert!(!left.exists() && live.exists());
    // While another process makes a folder, which is not locked yet, nothing is removed, and no
    // process waits.
    let making = fs::File::create(scene.path("cache").join("building.lock")).unwrap();
    making.lock().unwrap();
    drop(lock);
    assert!(scene.build("one").wait().unwrap().success());
    assert!(live.exists());
    drop(making);
    assert!(scene.build("one").wait().unwrap().success());
    assert_eq!(scene.unfinished(), 0);
}

#[test]
fn leftovers_of_a_killed_build_are_removed_without_waiting() {
    let scene = Scene::new();
    fs::write(scene.path("hang"), "").unwrap();
    let mut killed = scene.build("one");
    let begin = Instant::now();
    while scene.translated().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is built");
        std::thread::sleep(Duration::from_millis(10));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(scene.unfinished(), 1);
    fs::remove_file(scene.path("hang")).unwrap();
    assert!(scene.build("one").wait().unwrap().success());
    assert_eq!(scene.translated().len(), 2);
    assert_eq!(scene.unfinished(), 0);
}
