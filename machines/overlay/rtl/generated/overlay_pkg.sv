// SPDX-License-Identifier: MIT OR Apache-2.0

// Words of SIFO's overlay.
//
// Generated from machines/overlay/spec/words.toml: change that file and run `make spec`.

package overlay_pkg;

  // The word before a batch; 0 ends the run; the lowest field is last.
  typedef struct packed {
    logic ands;
    logic [30:0] gates;
  } batch_t;

  // An address as first published; the lowest field is last.
  typedef struct packed {
    logic [30:0] address;
    logic ram;
  } long_t;

  // An address as finally published; the lowest field is last.
  typedef struct packed {
    logic [19:0] address;
    logic ram;
  } short_t;

  // A command as finally published; the lowest field is last.
  typedef struct packed {
    logic none;
    short_t [2:0] places;
  } packed_t;

  // An address in our form; the lowest field is last.
  typedef struct packed {
    logic [29:0] address;
    logic invert;
    logic ram;
  } place_t;

endpackage
