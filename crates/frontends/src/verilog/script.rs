//! What Yosys is told to do.
//!
//! `opt` is written out, without two of its passes: `opt_reduce` makes ORs of multiplexers'
//! selectors that cost an AND each, and `opt_dff` takes a register that keeps what it is reset to
//! for a latch. Enables and resets at the clock's edge become multiplexers, which they are in a
//! circuit.

/// Reads nothing, and makes the design flat: registers, operators on words, multiplexers, tables.
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

/// The same for a large design: what ABC gets no better stays out of it, which are the multiplexers
/// of memories, an AND a bit; and it is asked for one good form instead of several.
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
