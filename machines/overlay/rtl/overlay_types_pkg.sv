// SPDX-License-Identifier: MIT OR Apache-2.0

// Types that the modules of SIFO's overlay share.

package overlay_types_pkg;

  // Forms of commands (machines/overlay/spec/stream.md).
  typedef enum logic [1:0] {
    FormThree     = 2'd0,
    FormTwo       = 2'd1,
    FormInverting = 2'd2
  } form_e;

  // A command: the places of its operands and its output, and the AND number.
  typedef struct packed {
    logic [63:0] number;
    overlay_pkg::place_t out;
    overlay_pkg::place_t b;
    overlay_pkg::place_t a;
  } command_t;

  // Place of a label in DDR. A line has four labels, and consecutive lines are at alternate ports.
  typedef struct packed {
    logic [26:0] line;
    logic port;
    logic [1:0] lane;
  } ddr_t;

  // Whether the place is that of a constant's label. Constants have the first two places in DDR.
  localparam overlay_pkg::place_t NotConstant = '{ram: 1'b1, invert: 1'b0, address: ~30'd1};
  function automatic logic is_constant(input overlay_pkg::place_t place);
    is_constant = (place & NotConstant) == '0;
  endfunction

  // A request of a port to DDR. A write changes one label of the line.
  typedef struct packed {
    logic write;
    logic [26:0] line;
    logic [3:0] mask;
    logic [511:0] data;
  } request_t;

endpackage
