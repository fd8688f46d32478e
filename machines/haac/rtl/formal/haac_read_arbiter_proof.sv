// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_read_arbiter, for all inputs.

module haac_read_arbiter_proof #(
  parameter int unsigned Reads = 6
) (
  input logic [Reads-1:0] req_i,
  input logic [Reads-1:0] late_i,
  input logic [1:0]       used_i
);

  logic [Reads-1:0] first, second, gnt, waits;
  haac_read_arbiter #(.Reads(Reads)) u_dut (.req_i, .late_i, .used_i, .first_o(first), .second_o(second));
  assign gnt   = first | second;
  assign waits = req_i & ~gnt;

  logic [31:0] requests, grants;
  logic higher_wins;
  always_comb begin
    requests = 0;
    grants   = 0;
    // A grant in spite of a waiting request of a lower index that is as late.
    higher_wins = 1'b0;
    for (int unsigned r = 0; r < Reads; r++) begin
      requests += 32'(req_i[r]);
      grants   += 32'(first[r]) + 32'(second[r]);
      for (int unsigned l = 0; l < r; l++) begin
        if (gnt[r] && waits[l] && late_i[r] == late_i[l]) higher_wins = 1'b1;
      end
    end
  end

  always_comb begin
    assume (used_i <= 2'd2);

    one_each: assert ((first & (first - 1'b1)) == '0 && (second & (second - 1'b1)) == '0);
    requester: assert ((gnt & ~req_i) == '0 && (first & second) == '0);
    two_accesses: assert (grants + 32'(used_i) <= 2 && (waits == '0 || grants + 32'(used_i) == 2));
    late_first: assert ((gnt & ~late_i) == '0 || (waits & late_i) == '0);
    lower_first: assert (!higher_wins);

    late: cover (grants == 2 && (waits & ~late_i) != '0 && (gnt & late_i) == gnt);
    mixed: cover (grants == 2 && (gnt & late_i) != '0 && (gnt & ~late_i) != '0 && waits != '0);
  end

endmodule
