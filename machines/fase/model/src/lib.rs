//! FASE: a garbler of sequential circuits, with several pipelines over one label memory (Oishi,
//! Kadomoto, Irie and Sakai, "FPGA-based Garbling Accelerator with Parallel Pipeline Processing",
//! 2023, on top of Hussain and Koushanfar's FASE, 2019).
//!
//! The machine keeps a body of gates and garbles it once for each cycle of the circuit (a *netlist
//! cycle*; *clocks* are the machine's clock cycles). There are three variants:
//!
//! - [`paper`]: as published. Netlist cycles do not overlap, each flip-flop takes a slot, gates
//!   wait in order. With one pipeline the label memory has two ports. With more it is a live-value
//!   table, which any pipeline reads and writes, behind a cache.
//! - [`Shape::best`](schedule::Shape::best): the compiler fixes the time of each gate. A gate
//!   starts as soon as its labels are ready, whatever its netlist cycle, so that netlist cycles
//!   overlap (a software pipeline, by modulo scheduling). Flip-flops take no slots. Labels are in
//!   banks of one read and one write port, and are placed so that ports never collide. Nothing
//!   ever waits.
//! - [`Shape::wide`](schedule::Shape::wide): the same with two XORs beside the AND of each
//!   pipeline.
//!
//! `machines/fase/spec/machine.md` has the rules. Read [`netlist`], then [`paper`], then
//! [`schedule`], [`code`] (the input of a scheduled machine) and [`model`], which runs it clock by
//! clock; [`check`] detects wrong labels.

pub mod paper;

pub use halfgate_scheduled_model::{
    Body, Code, Netlist, SETUP, Schedule, Shape, Went, body, check, code, model, netlist, schedule,
};
