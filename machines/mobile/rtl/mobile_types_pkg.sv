// What the parts of the mobile coprocessor hand each other.
package mobile_types_pkg;

  // Label slots, and bits of the number of one.
  localparam int unsigned Slots     = 8192;
  localparam int unsigned SlotWidth = 13;
  typedef logic [SlotWidth-1:0] slot_t;

  typedef enum logic [2:0] {WhatXor, WhatAnd, WhatLoad, WhatRead, WhatBegin, WhatEnd} what_e;

  // An item. Of an XOR, c is an operand if xors[2]; of an AND, c is added to a, b, the result for xors[0], [1], [2].
  typedef struct packed {
    what_e      what;
    logic [2:0] xors;
    slot_t      out;
    slot_t      c;
    slot_t      b;
    slot_t      a;
  } item_t;

  // What a word that was read is for: added as it is, or as what is hashed of operand a or b.
  typedef enum logic [1:0] {RolePlain, RoleA, RoleB} role_e;

  // What is done with a byte that goes through a label.
  typedef enum logic [1:0] {FoldTurn, FoldLoad, FoldTable} fold_e;

  // What the chip is at, as the bit that is set.
  localparam int unsigned Wipe = 0, Idle = 1, Read = 2, Work = 3, Store = 4, StoreHigh = 5, Load = 6, Give = 7, Config = 8;
  localparam int unsigned Steps = 9;
  typedef logic [Steps-1:0] steps_t;

  // Label slots of the wide core, and bits of the number of one.
  localparam int unsigned WideSlots     = 2048;
  localparam int unsigned WideSlotWidth = 11;
  typedef logic [WideSlotWidth-1:0] wide_slot_t;

  // What the wide core's decoder hands on: an item, its slots in the wide core's memory.
  typedef struct packed {
    what_e      what;
    logic [2:0] xors;
    wide_slot_t out;
    wide_slot_t c;
    wide_slot_t b;
    wide_slot_t a;
  } wide_item_t;

  // The beginning of an item in the wide core: its slots as they stand there, and its bytes, with the kinds if they are its own.
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

  // What the wide core's decoder is at: a beginning is read, and taken; what follows, and the last of it.
  typedef enum logic [2:0] {WideParse, WideTake, WideRow, WideRowLast, WideFailed} wide_items_e;

  // What is done in the wide core with a label that is read: it is added to operand a, b or the sum, which are 0 before if it is the first.
  // After the last one an XOR's result is written, to out, and an AND begins.
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
