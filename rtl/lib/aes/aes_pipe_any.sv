// SPDX-License-Identifier: MIT OR Apache-2.0

// A pipeline of AES-128 without the last AddRoundKey, in the form that `Impl` names.
//
//   parameter  meaning
//   Impl       0 TABLE, 1 COMPOSITE: `aes_pipe_core`; 2 DPI, in simulation only: `aes_dpi`
//   Lanes      blocks at once, all under the same key
//   Stages     registers from input to output, 0 or more (DPI: 1 or more)
//
// Ports and latency are those of `aes_pipe_core`. It stalls while en_i is 0.
module aes_pipe_any #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 20
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    valid_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [127:0]            key_o,
    output logic [Lanes-1:0][127:0] state_o
);
`ifndef SYNTHESIS
  if (Impl == 2) begin : gen_dpi
    aes_dpi #(.Lanes(Lanes), .Stages(Stages)) u_aes (
        .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i, .block_i, .valid_o, .block_o(state_o));
    assign key_o = '0;  // the DPI call adds the last key
  end else begin : gen_rtl
`else
  begin : gen_rtl
`endif
    aes_pipe_core #(.Impl(Impl), .Lanes(Lanes), .Stages(Stages)) u_aes (
        .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i, .block_i, .valid_o, .key_o, .state_o);
  end
endmodule
