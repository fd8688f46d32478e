//! The scripts for Yosys.
//!
//! The scripts list the passes of `opt` without two of them. `opt_reduce` is left out because it
//! merges selectors of multiplexers by ORs, each of which costs an AND. `opt_dff` is left out
//! because it turns a register that keeps its reset value into a latch. Enables and synchronous
//! resets become multiplexers, as a circuit needs them.
//!
//! A design without functions runs [`PROCESSES`], [`KEEP_NOTHING`] and [`OPERATORS`], then ABC. In
//! a design with functions, [`KEEP`] precedes [`OPERATORS`], and all commands work on each module.

use super::GATES;

/// Turns processes into registers, latches, multiplexers and tri-state drivers.
pub(super) const PROCESSES: &str = "\
proc
tribuf
";

/// After [`PROCESSES`]: writes to `{state}` all cells with state and all tri-state drivers, and to
/// `{inout}` all ports that are both input and output.
pub(super) const STATE: &str = "\
tee -q -o {state} select -list t:$*ff* t:$*latch* %u t:$mem* %u t:$memrd* %d t:$meminit* %d \
t:$mem* r:WR_PORTS=0 %i %d t:$paramod* %d t:$sr t:$_*FF* t:$_*LATCH* t:$_SR* t:DFF t:$tribuf t:$_TBUF_
tee -q -o {inout} select -list i:* o:* %i
";

/// Returns the command that writes to `file` all instances of modules: all cells but those of Yosys
/// and the [gates](super::GATES). Outputs are written too, because a module of which nothing is
/// written is left out.
pub(super) fn instances(file: &str) -> String {
    let gates = GATES.lines().filter_map(|line| line.strip_prefix("module ")?.split(' ').next());
    let without: String = gates.map(|gate| format!(" t:{gate} %d")).collect();
    format!("dump -o {file} c:* t:$* %d t:$paramod* %u{without} o:* %u\n")
}

/// Keeps the instances of `{functions}` when the design is flattened, unless they have the
/// attribute `flatten`.
pub(super) const KEEP: &str = "\
setattr -set keep_hierarchy 1 {functions}
setattr -unset keep_hierarchy a:flatten a:flatten=0 %d
";

/// Removes attributes that keep instances when the design is flattened.
pub(super) const KEEP_NOTHING: &str = "\
setattr -mod -unset keep_hierarchy *
setattr -unset keep_hierarchy *
";

/// Flattens the design to registers, operators on words, multiplexers and tables. These commands
/// read no file.
pub(super) const OPERATORS: &str = "\
flatten
techmap -autoproc -map {gates}
chformal -remove
opt_expr
opt_clean
opt_expr
opt_merge
opt_clean
opt_muxtree
wreduce
peepopt
opt_share
opt_expr
opt_merge
opt_clean
memory_collect
memory_map t:$mem_v2 r:WR_PORTS>0 %i
opt_expr
opt_merge
opt_clean
opt_muxtree
dffunmap
opt_expr
opt_clean
";

/// Optimises the logic between operators with ABC, where the cost of a cell is its number of ANDs.
/// Operators stay, because our circuits for sums and the like have fewer ANDs than those that ABC
/// finds.
pub(super) const LOGIC_BY_ABC: &str = "\
pmuxtree
simplemap t:$not t:$pos t:$and t:$or t:$xor t:$xnor t:$reduce_and t:$reduce_or t:$reduce_xor \
t:$reduce_xnor t:$reduce_bool t:$logic_not t:$logic_and t:$logic_or t:$mux t:$bmux t:$eq t:$ne t:$eqx t:$nex
opt_expr
opt_merge
opt_clean
abc -liberty {costs} -script +strash;ifraig;dc2;dc2;if,-K,4;sop;strash;dc2;dch,-f;map,-a
opt_clean
";

/// Optimises the logic of a large design with ABC. Multiplexers of memories take one AND per bit,
/// which ABC cannot improve, so they are not passed to ABC. ABC tries one form instead of several.
pub(super) const LARGE_LOGIC_BY_ABC: &str = "\
select -set memories c:*$memory*wrmux* c:*$memory*rdmux* %u t:$mux %i
pmuxtree
simplemap t:$mux @memories %d t:$not t:$pos t:$and t:$or t:$xor t:$xnor t:$reduce_and t:$reduce_or \
t:$reduce_xor t:$reduce_xnor t:$reduce_bool t:$logic_not t:$logic_and t:$logic_or t:$bmux t:$eq t:$ne t:$eqx t:$nex
opt_expr
opt_merge
opt_clean
abc -liberty {costs} -script +strash;ifraig;dch,-f;map,-a
opt_clean
";
