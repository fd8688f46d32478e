// What is left of a stream in memory that is read in groups: to be asked for, and to be shown.
//
// | port    | width      | meaning                                                              |
// |---------|------------|----------------------------------------------------------------------|
// | clear_i | 1          | all count_i entries are left                                         |
// | count_i | 32         | entries of the stream                                                |
// | ask_i   | 1          | the next group is asked for                                          |
// | show_i  | 1          | the next group is shown                                              |
// | ask_o   | GroupWidth | entries of the next group to be asked for: Group but for the last; 0: none |
// | show_o  | GroupWidth | entries that show_i shows in this cycle                              |
//
// Latency: none. Stalls: nothing.

module haac_stream_left #(
  parameter int unsigned Group = 16,
  localparam int unsigned GroupWidth = $clog2(Group + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic [31:0] count_i,
  input  logic ask_i,
  input  logic show_i,
  output logic [GroupWidth-1:0] ask_o,
  output logic [GroupWidth-1:0] show_o
);

  logic [31:0] to_ask_q, to_show_q;
  logic [GroupWidth-1:0] to_show;

  function automatic logic [GroupWidth-1:0] group(input logic [31:0] left);
    group = left < Group ? GroupWidth'(left) : GroupWidth'(Group);
  endfunction

  assign ask_o   = group(to_ask_q);
  assign to_show = group(to_show_q);
  assign show_o  = show_i ? to_show : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      to_ask_q  <= '0;
      to_show_q <= '0;
    end else if (clear_i) begin
      to_ask_q  <= count_i;
      to_show_q <= count_i;
    end else begin
      if (ask_i)  to_ask_q  <= to_ask_q - 32'(ask_o);
      if (show_i) to_show_q <= to_show_q - 32'(to_show);
    end
  end

endmodule
