// The gates that TinyGarble's netlists are made of, for netlists that come without them. Names and ports
// are that library's; a design's own modules of these names come first.

module NOT (input A, output Z);  assign Z = ~A; endmodule
module IV (input A, output Z);   assign Z = ~A; endmodule
module BUF (input A, output Z);  assign Z = A; endmodule
module AND (input A, B, output Z);   assign Z = A & B; endmodule
module ANDN (input A, B, output Z);  assign Z = A & ~B; endmodule
module NAND (input A, B, output Z);  assign Z = ~(A & B); endmodule
module NANDN (input A, B, output Z); assign Z = ~(A & ~B); endmodule
module OR (input A, B, output Z);    assign Z = A | B; endmodule
module ORN (input A, B, output Z);   assign Z = A | ~B; endmodule
module NOR (input A, B, output Z);   assign Z = ~(A | B); endmodule
module NORN (input A, B, output Z);  assign Z = ~(A | ~B); endmodule
module XOR (input A, B, output Z);   assign Z = A ^ B; endmodule
module XNOR (input A, B, output Z);  assign Z = ~(A ^ B); endmodule
module MUX (input A, B, S, output Z); assign Z = S ? B : A; endmodule

// A flip-flop that starts from I.
module DFF (input D, CLK, RST, I, output reg Q);
  always @(posedge CLK or posedge RST)
    if (RST) Q <= I;
    else Q <= D;
endmodule

module HADDER (input IN0, IN1, output COUT, SUM);
  assign SUM = IN0 ^ IN1;
  assign COUT = IN0 & IN1;
endmodule

module FADDER (input IN0, IN1, CIN, output COUT, SUM);
  assign SUM = IN0 ^ IN1 ^ CIN;
  assign COUT = CIN ^ ((IN0 ^ CIN) & (IN1 ^ CIN));
endmodule
