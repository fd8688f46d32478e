//! FASE: a garbler of sequential circuits, with several pipelines over one label memory (Oishi,
//! Kadomoto, Irie and Sakai, "FPGA-based Garbling Accelerator with Parallel Pipeline Processing",
//! 2023, on top of Hussain and Koushanfar's FASE, 2019).
//!
//! The machine keeps a body of gates and garbles it once for each cycle of the circuit (a *netlist
//! cycle*; *clocks* are the machine's clock cycles). There are three variants:
//!
//! - [`paper`]: as published. Netlist cycles do not overlap, each flip-flop is executed like a
//!   gate, and gates wait in order. With one pipeline the label memory has two ports. With several
//!   pipelines it is a live-value table, which every pipeline can read and write.
//! - [`Shape::best`](schedule::Shape::best): the compiler fixes the time of each gate. A gate
//!   starts as soon as its labels are ready, even if gates of earlier netlist cycles are not done.
//!   So netlist cycles overlap (a software pipeline, by modulo scheduling). Flip-flops need no
//!   execution. Labels are in banks with one read port and one write port each, and are placed so
//!   that ports never collide. Gates never wait.
//! - [`Shape::wide`](schedule::Shape::wide): like `Shape::best`, but each pipeline executes an AND
//!   and two XORs at once.
//!
//! `machines/fase/spec/machine.md` has the rules. Read [`netlist`], then [`paper`], then
//! [`schedule`], [`code`] (the input of a scheduled machine) and [`model`], which runs it clock by
//! clock; [`check`] detects wrong labels.

pub mod paper;

pub use halfgate_scheduled_model::{
    Body, Code, Netlist, SETUP, Schedule, Shape, Went, body, check, code, model, netlist, schedule,
};
