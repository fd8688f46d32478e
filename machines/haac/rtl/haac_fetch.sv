// SPDX-License-Identifier: MIT OR Apache-2.0

// Reads the launch descriptor, checks it, and holds its contents.
//
// | port         | width | meaning                                                              |
// |--------------|-------|----------------------------------------------------------------------|
// | go_i         | 1     | reads the descriptor; held until done_o or fault_o                   |
// | program_i    | 64    | address of the descriptor                                            |
// | credit_…_i, wire_bytes_i | 32 | bandwidth registers, checked like the descriptor            |
// | request_o, addr_o | 1, AddrWidth | requests a burst                                         |
// | push_i, burst_i, crc_i | 1, 512, 32 | the burst; CRC of all before this cycle               |
// | done_o       | 1     | the descriptor was read and is valid                                 |
// | fault_o, code_o, stream_o, engine_o |  | the descriptor is invalid; its error               |
// | others       |       | contents of the descriptor; stable until the next go_i               |
//
// Latency: one burst at a time: the header, then a burst for every two engines. Stalls: memory.

module haac_fetch
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 32768,
  parameter bit          Garbler      = 1'b1,
  parameter int unsigned AddrWidth    = 40
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              go_i,
  input  logic [63:0]                       program_i,
  input  logic [31:0]                       credit_step_i,
  input  logic [31:0]                       credit_byte_i,
  input  logic [31:0]                       credit_cap_i,
  input  logic [31:0]                       wire_bytes_i,
  output logic                              request_o,
  output logic [AddrWidth-1:0]              addr_o,
  input  logic                              push_i,
  input  logic [511:0]                      burst_i,
  input  logic [31:0]                       crc_i,
  output logic                              done_o,
  output logic                              fault_o,
  output error_e                            code_o,
  output stream_e                           stream_o,
  output logic [7:0]                        engine_o,

  output logic [31:0]                       rows_o,
  output logic [30:0]                       first_output_o,
  output logic [30:0]                       first_loaded_o,
  output logic [31:0]                       instr_bursts_o,
  output logic [31:0]                       instr_crc_o,
  output logic [AddrWidth-1:0]              instr_base_o,
  output logic [AddrWidth-1:0]              labels_base_o,
  output logic [Engines-1:0][31:0]          oor_words_o,
  output logic [Engines-1:0][31:0]          ands_o,
  output logic [Engines-1:0][31:0]          oor_crc_o,
  output logic [Engines-1:0][AddrWidth-1:0] oor_base_o,
  output logic [Engines-1:0][AddrWidth-1:0] tables_base_o
);

  localparam int unsigned SlotWidth = $clog2(WindowLabels);
  localparam int unsigned RowBits   = Engines * (2 * SlotWidth + 3);
  // The header and the entries, two per burst.
  localparam int unsigned Bursts     = 1 + (Engines + 1) / 2;
  localparam int unsigned IndexWidth = $clog2(Bursts + 1);
  localparam logic [31:0] Version = {16'(haac_isa_pkg::IsaVersion), 16'(RegsVersion)};
  localparam logic [31:0] Machine = {15'd0, !Garbler, 8'(SlotWidth), 8'(Engines)};

  logic [IndexWidth-1:0] index_q;
  descriptor_header_t header, header_q;
  descriptor_engine_t [1:0] entries;
  logic [47:0] row_bits;
  logic [39:0] needed;
  logic bad_base_q, odd, odd_q, few_q;
  logic [32-SlotWidth:0] output_half, loaded_half;
  logic [7:0] odd_engine_q;

  assign header  = burst_i;
  assign entries = burst_i;

  // Whether an address is invalid: not aligned to a burst, or beyond the ports' address range.
  function automatic logic is_odd(input logic [63:0] address);
    is_odd = address[5:0] != '0 || address >> AddrWidth != '0;
  endfunction

  assign request_o  = go_i && index_q != IndexWidth'(Bursts) && !fault_o;
  assign addr_o = program_i[AddrWidth-1:0] + (AddrWidth'(index_q) << 6);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q      <= '0;
      bad_base_q   <= 1'b0;
      odd_engine_q <= '0;
    end else if (!go_i) begin
      index_q      <= '0;
      bad_base_q   <= 1'b0;
      odd_engine_q <= '0;
    end else if (push_i) begin
      index_q <= index_q + 1'b1;
      if (index_q != '0 && !bad_base_q) begin
        for (int unsigned n = 0; n < 2; n++) begin
          if (2 * (32'(index_q) - 1) + 1 - n < Engines
              && (is_odd(entries[1-n].oor) || is_odd(entries[1-n].tables))) begin
            bad_base_q   <= 1'b1;
            odd_engine_q <= 8'(2 * (32'(index_q) - 1) + 1 - n);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i && go_i) begin
      if (index_q == '0) header_q <= header;
      for (int unsigned e = 0; e < Engines; e++) begin
        if (32'(index_q) == 1 + e / 2) begin
          oor_words_o[e]   <= entries[e%2].oor_words;
          ands_o[e]        <= entries[e%2].ands;
          oor_crc_o[e]     <= entries[e%2].oor_crc;
          oor_base_o[e]    <= entries[e%2].oor[AddrWidth-1:0];
          tables_base_o[e] <= entries[e%2].tables[AddrWidth-1:0];
        end
      end
    end
  end

  assign rows_o         = header_q.rows;
  assign first_output_o = header_q.first_output[30:0];
  assign first_loaded_o = header_q.first_loaded[30:0];
  assign instr_bursts_o = header_q.instruction_bursts;
  assign instr_crc_o    = header_q.instruction_crc;
  assign instr_base_o   = header_q.instructions[AddrWidth-1:0];
  assign labels_base_o  = header_q.labels[AddrWidth-1:0];

  // The first error, in the order of these checks. The header is checked once it has arrived. Its
  // numbers are checked once all bursts have arrived and the checksum is right.
  assign row_bits    = 48'(header_q.rows) * 48'(RowBits);
  assign needed      = 40'((row_bits + 48'd511) >> 9);
  assign output_half = {1'b0, first_output_o[30:SlotWidth-1]};
  assign loaded_half = {1'b0, first_loaded_o[30:SlotWidth-1]};
  assign odd = header_q.first_output[31] || header_q.first_output == '0
               || header_q.first_loaded > header_q.first_output
               || output_half > loaded_half + 1'b1
               || is_odd(header_q.instructions) || is_odd(header_q.labels)
               || 40'(header_q.instruction_bursts) > needed
               || (credit_step_i != '0 && 38'(credit_cap_i) < {credit_byte_i, 6'd0})
               || wire_bytes_i > 32'd64;

  always_comb begin
    code_o   = ErrorNone;
    stream_o = StreamDescriptor;
    engine_o = '0;
    if (go_i && is_odd(program_i)) begin
      code_o = ErrorBadDescriptor;
    end else if (go_i && index_q != '0) begin
      if (header_q.magic != DescriptorMagic)  code_o = ErrorNotAProgram;
      else if (header_q.version != Version)   code_o = ErrorOtherVersion;
      else if (header_q.machine != Machine)   code_o = ErrorOtherConfiguration;
      else if (index_q == IndexWidth'(Bursts)) begin
        if (header_q.crc != crc_i) begin
          code_o = ErrorCorrupt;
        end else if (few_q) begin
          code_o   = ErrorShort;
          stream_o = StreamInstructions;
        end else if (odd_q || bad_base_q) begin
          code_o   = ErrorBadDescriptor;
          engine_o = odd_q ? '0 : odd_engine_q;
        end
      end
    end
  end
  // The header's checks take a cycle. It has been there for several when they are used, since each
  // burst is requested after the previous one has arrived.
  always_ff @(posedge clk_i) begin
    odd_q <= odd;
    few_q <= 40'(header_q.instruction_bursts) < needed;
  end

  assign fault_o = code_o != ErrorNone;
  assign done_o  = go_i && index_q == IndexWidth'(Bursts) && !fault_o;

  logic unused;
  assign unused = ^{header_q.reserved, entries[0].reserved, entries[1].reserved};

endmodule
