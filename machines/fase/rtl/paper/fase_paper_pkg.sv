// What goes from stage to stage of the published FASE machine.

// A package is there for everybody; nobody uses all of it.
/* verilator lint_off UNUSED */

package fase_paper_pkg;

  // Clocks of a netlist cycle's end beside the one that finds all labels written: mask bits are waited for
  // (state MASKS), counters reset (RSTCOUNTERS).
  localparam int unsigned MaskCycles  = 8;
  // Clocks of set-up: the key of AES is expanded (GETKEYS), the first slots are fetched (CONSTLABELS).
  localparam int unsigned SetupCycles = 10;
  // Clocks from the one in which a slot is taken to the one in which an AND's label is written.
  localparam int unsigned AndCycles   = 12;

  // Where an operand is.
  typedef struct packed {
    logic label;     // a gate's or a flip-flop's; else an input's or the constant
    logic constant;
    logic invert;
    logic [15:0] word;  // of the label memory or of the input memory
  } source_t;

  // What is known of a slot when it is taken, beside its operands.
  typedef struct packed {
    logic keep;
    logic is_and;
    logic [15:0] index;     // its own, at which its label is written
    logic [15:0] position;  // of the gate among the gates
    logic [15:0] number;    // of the AND in the netlist cycle: the address of its table
    logic [15:0] output_number;  // of the output in the netlist cycle: the address of its label
  } about_t;

  // A slot that is taken.
  typedef struct packed {
    logic valid;
    logic copy;
    logic invert;
    about_t about;
    source_t [1:0] operands;
  } taken_t;

endpackage
