//! The scripts for Yosys.
//!
//! `opt` is written out without two of its passes. `opt_reduce` makes ORs of multiplexers'
//! selectors that cost an AND each. `opt_dff` treats a register that keeps its reset value as a
//! latch. Enables and resets at the clock's edge become multiplexers, as they are in a circuit.

/// Flattens the loaded design to registers, operators on words, multiplexers and tables. Reads no
/// file.
pub(super) const ELABORATE: &str = "\
proc
tribuf
setattr -mod -unset keep_hierarchy *
setattr -unset keep_hierarchy *
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

/// Optimises the logic between operators with ABC, using ANDs as the cost of cells. Operators stay,
/// because the circuits in this crate are better than ABC's for sums.
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

/// The same for a large design. Multiplexers of memories take an AND a bit, and ABC cannot improve
/// them, so they stay out of it. ABC looks for one good form instead of several.
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
