// The gates of TinyGarble's library with its names and ports, for netlists that do not define them.
// A design's own modules with these names take precedence. Netlists that Yosys made for the library
// call the output Y. A pin that a netlist does not connect takes no gate.

module NOT (input A, output Z, Y);  assign Z = ~A; assign Y = Z; endmodule
module IV (input A, output Z, Y);   assign Z = ~A; assign Y = Z; endmodule
module BUF (input A, output Z, Y);  assign Z = A; assign Y = Z; endmodule
module AND (input A, B, output Z, Y);   assign Z = A & B; assign Y = Z; endmodule
module ANDN (input A, B, output Z, Y);  assign Z = A & ~B; assign Y = Z; endmodule
module NAND (input A, B, output Z, Y);  assign Z = ~(A & B); assign Y = Z; endmodule
module NANDN (input A, B, output Z, Y); assign Z = ~(A & ~B); assign Y = Z; endmodule
module OR (input A, B, output Z, Y);    assign Z = A | B; assign Y = Z; endmodule
module ORN (input A, B, output Z, Y);   assign Z = A | ~B; assign Y = Z; endmodule
module NOR (input A, B, output Z, Y);   assign Z = ~(A | B); assign Y = Z; endmodule
module NORN (input A, B, output Z, Y);  assign Z = ~(A | ~B); assign Y = Z; endmodule
module XOR (input A, B, output Z, Y);   assign Z = A ^ B; assign Y = Z; endmodule
module XNOR (input A, B, output Z, Y);  assign Z = ~(A ^ B); assign Y = Z; endmodule
// Older netlists of TinyGarble call a multiplexer's pins IN0, IN1, SEL and F.
module MUX (input A, B, S, output Z, input IN0, IN1, SEL, output F);
  assign Z = S ? B : A;
  assign F = SEL ? IN1 : IN0;
endmodule

// A flip-flop whose initial value is I.
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
