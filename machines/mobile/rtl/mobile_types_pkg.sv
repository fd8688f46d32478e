// SPDX-License-Identifier: MIT OR Apache-2.0

// Types and constants that the modules of the mobile coprocessor share.
package mobile_types_pkg;

  // Label slots, and the width of a slot's number.
  localparam int unsigned Slots     = 8192;
  localparam int unsigned SlotWidth = 13;
  typedef logic [SlotWidth-1:0] slot_t;

  typedef enum logic [2:0] {WhatXor, WhatAnd, WhatLoad, WhatRead, WhatBegin, WhatEnd} what_e;

  // An item. For an XOR, c is an operand if xors[2] is set. For an AND, c is XORed to a if xors[0]
  // is set, to b if xors[1] is set, and to the result if xors[2] is set.
  typedef struct packed {
    what_e      what;
    logic [2:0] xors;
    slot_t      out;
    slot_t      c;
    slot_t      b;
    slot_t      a;
  } item_t;

  // Use of a word that was read: XORed unchanged, or as hash input of operand a or b.
  typedef enum logic [1:0] {RolePlain, RoleA, RoleB} role_e;

  // Treatment of a byte that passes through a label.
  typedef enum logic [1:0] {FoldTurn, FoldLoad, FoldTable} fold_e;

  // States of the execution, one-hot.
  localparam int unsigned Wipe = 0, Idle = 1, Read = 2, Work = 3, Store = 4, StoreHigh = 5, Load = 6, Give = 7, Config = 8;
  localparam int unsigned Steps = 9;
  typedef logic [Steps-1:0] steps_t;

  // Label slots of the wide core, and the width of a slot's number.
  localparam int unsigned WideSlots     = 2048;
  localparam int unsigned WideSlotWidth = 11;
  typedef logic [WideSlotWidth-1:0] wide_slot_t;

  // An item from the wide core's decoder. Its slots are in the wide core's memory.
  typedef struct packed {
    what_e      what;
    logic [2:0] xors;
    wide_slot_t out;
    wide_slot_t c;
    wide_slot_t b;
    wide_slot_t a;
  } wide_item_t;

  // The parsed beginning of an item in the wide core: the slots as encoded, and the length in
  // bytes, including the byte of kinds if the item has it.
  typedef struct packed {
    logic        second_valid;
    logic [3:0]  second;
    logic [3:0]  kind;
    logic [3:0]  bytes;
    logic [7:0]  how;
    logic [15:0] out;
    logic [15:0] c;
    logic [15:0] b;
    logic [15:0] a;
  } head_t;

  // States of the wide core's decoder: parse an item, take the item, take the bytes that follow it,
  // take the last of these bytes.
  typedef enum logic [2:0] {WideParse, WideTake, WideRow, WideRowLast, WideFailed} wide_items_e;

  // Use of a label that is read in the wide core. It is XORed to operand a, to operand b or to the
  // result; all three start from 0 at the item's first label. After the item's last label, an XOR's
  // result is written to out, or an AND begins.
  typedef struct packed {
    logic       valid;
    logic       last;
    logic       first;
    what_e      what;
    logic       to_a;
    logic       to_b;
    logic       to_x;
    logic [2:0] unit;
    wide_slot_t out;
  } wide_job_t;

endpackage
