// Types and constants of the data that the stages of the published FASE machine exchange.

// No module uses all of the package.
/* verilator lint_off UNUSED */

package fase_paper_pkg;

  // Cycles at the end of a netlist cycle, after the one that detects that all labels are written:
  // mask bits are waited for (state MASKS), counters are reset (RSTCOUNTERS).
  localparam int unsigned MaskCycles  = 8;
  // Cycles of set-up: the key of AES is expanded (GETKEYS), the first slots are fetched
  // (CONSTLABELS).
  localparam int unsigned SetupCycles = 10;
  // Cycles from the one in which an AND is taken to the one in which its label is written.
  localparam int unsigned AndCycles   = 12;

  // The place of an operand.
  typedef struct packed {
    logic label;     // of a gate or flip-flop; 0: an input or the constant
    logic constant;
    logic invert;
    logic [15:0] word;  // of the label memory or of the input memory
  } source_t;

  // Data of a slot when it is taken, without its operands.
  typedef struct packed {
    logic keep;
    logic is_and;
    logic [15:0] index;     // the slot's own, at which its label is written
    logic [15:0] position;  // of the gate among the gates
    logic [15:0] number;    // of the AND in the netlist cycle: the address of its table
    logic [15:0] output_number;  // of the output in the netlist cycle: the address of its label
  } about_t;

  // A slot that was taken.
  typedef struct packed {
    logic valid;
    logic copy;
    logic invert;
    about_t about;
    source_t [1:0] operands;
  } taken_t;

endpackage
