//! What Yosys is told to do.
//!
//! `opt` without `opt_reduce`, which makes ORs of multiplexers' selectors that cost an AND each; and without
//! enables and resets of registers, which are multiplexers in a circuit.

/// Reads nothing, and makes the design flat: registers, operators on words, multiplexers, tables.
pub(super) const ELABORATE: &str = "\
proc
tribuf
flatten
techmap -autoproc -map {gates}
chformal -remove
opt_expr
opt_clean
opt -fast -nodffe -nosdff
opt_muxtree
wreduce
peepopt
opt_share
opt -fast -nodffe -nosdff
memory_collect
memory_map t:$mem_v2 r:WR_PORTS>0 %i
opt -fast -nodffe -nosdff
opt_muxtree
dffunmap
opt_expr
opt_clean
";

/// The logic between operators as the design has it.
pub(super) const LOGIC_AS_WRITTEN: &str = "";

/// The logic between operators by ABC, which is told what cells cost in ANDs. Operators stay: their
/// circuits here are better than what ABC makes of sums.
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
