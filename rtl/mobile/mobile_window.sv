// Bytes that wait to be read as items: up to 16 come in a cycle, up to 16 go, and the first ones are in view.
//
//   parameter  meaning
//   Bytes      kept at most; 16 may come while no more than Bytes - 16 are
//   View       bytes in view
//
//   port      bits      meaning
//   clear_i   1         there is none
//   valid_i   1         bytes come
//   ready_o   1         they are taken; from a register
//   count_i   5         so many, 1 to 16; those of bytes_i behind them are 0
//   bytes_i   128       the first one lowest
//   take_i    5         so many go, 16 at most, and no more than there are
//   level_o   Width     there are
//   bytes_o   8 * View  the first ones; 0 behind the last
//
// Latency: what comes is in view in the next cycle. Stalls: while there is no room for 16.
module mobile_window #(
    parameter int unsigned Bytes = 48,
    parameter int unsigned View  = 27,
    localparam int unsigned Width = $clog2(Bytes + 1)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [4:0]          count_i,
    input  logic [127:0]        bytes_i,
    input  logic [4:0]          take_i,
    output logic [Width-1:0]    level_o,
    output logic [8*View-1:0]   bytes_o
);
  typedef logic [8*Bytes-1:0] bytes_t;

  bytes_t bytes_q, come, all;
  logic [Width-1:0] level_q, level;
  logic ready_q, push;
  assign push  = valid_i && ready_q;
  // They are put behind those that are there, and then all move.
  assign come  = (push ? bytes_t'(bytes_i) : '0) << {level_q, 3'd0};
  assign all   = (bytes_q | come) >> {take_i, 3'd0};
  assign level = level_q - Width'(take_i) + (push ? Width'(count_i) : '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q <= '0;
      ready_q <= 1'b0;
    end else if (clear_i) begin
      level_q <= '0;
      ready_q <= 1'b0;
    end else begin
      level_q <= level;
      ready_q <= level <= Width'(Bytes - 16);
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) bytes_q <= '0;
    else bytes_q <= all;
  end
  assign ready_o = ready_q;
  assign level_o = level_q;
  assign bytes_o = bytes_q[8*View-1:0];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (Width'(take_i) <= level_q) else $error("mobile_window: more is taken than there is");
      assert (!valid_i || (count_i != '0 && count_i <= 5'd16)) else $error("mobile_window: a count of none, or of too many");
      assert (!valid_i || count_i == 5'd16 || bytes_i >> {count_i, 3'd0} == '0) else $error("mobile_window: bytes behind the last");
    end
  end
`endif
endmodule
