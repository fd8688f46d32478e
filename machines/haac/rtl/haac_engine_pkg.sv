// SPDX-License-Identifier: MIT OR Apache-2.0

// Types that the stages of a gate engine pass on, the same for every machine. Labels are passed
// beside these structures.

package haac_engine_pkg;

  import haac_isa_pkg::*;

  // Progress of an operand's read from the window. From PhaseAccess on, the bus may deliver its
  // label.
  typedef enum logic [1:0] {
    PhaseNone   = 2'd0,  // no access won yet, or none needed (out of range)
    PhaseAccess = 2'd1,  // won in the previous cycle: the bank reads in this one
    PhaseData   = 2'd2,  // the bank's word arrives in this cycle
    PhaseDone   = 2'd3
  } phase_e;

  // One operand. Its slot is the lowest bits of its address, its epoch the bit above them. Slot 0
  // stands for the out-of-range queue. For an unused operand (UNARY's second) `there` is always
  // set.
  typedef struct packed {
    logic [AddressWidth-1:0] address;
    phase_e                  phase;
    logic [1:0]              port;   // read port that delivers it
    logic                    there;  // its label is in the latch
  } operand_t;

  // The rest of an instruction.
  typedef struct packed {
    logic                      live;
    logic                      inv;    // UNARY that inverts
    logic                      unary;
    logic                      is_and;
    logic [AndNumberWidth-1:0] number; // AND number, counted from 0 in each launch
    logic [AddressWidth-1:0]   out;
  } gate_t;

endpackage : haac_engine_pkg
