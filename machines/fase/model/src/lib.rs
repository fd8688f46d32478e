//! FASE: a garbler of sequential circuits, with several pipelines over one label memory (Oishi, Kadomoto,
//! Irie and Sakai, "FPGA-based Garbling Accelerator with Parallel Pipeline Processing", 2023, on top of
//! Hussain and Koushanfar's FASE, 2019).
//!
//! A body of gates is kept in the machine and garbled once for each cycle of the circuit (a *netlist cycle*;
//! *clocks* are the machine's). Three ways to do that:
//!
//! - [`paper`]: as published. Netlist cycles follow one another, flip-flops take a slot each, gates wait in
//!   order. With one pipeline there is one label memory of two ports; with more there is a live-value table,
//!   which any pipeline reads and writes, and a cache before it.
//! - [`Shape::best`](schedule::Shape::best): the compiler fixes when each gate runs. A gate starts as soon as
//!   its labels are there, whatever netlist cycle it is of, so that netlist cycles overlap (a software
//!   pipeline, by modulo scheduling); flip-flops are names; labels lie in banks of one read and one write
//!   port so that ports never collide. Nothing in it ever waits.
//! - [`Shape::wide`](schedule::Shape::wide): the same with two XORs beside the AND of each pipeline.
//!
//! `machines/fase/spec/machine.md` has the rules. Read [`netlist`], then [`paper`], then
//! [`schedule`], [`code`] (what a scheduled machine is given) and [`model`], which runs it clock by
//! clock; [`check`] says whether it is right.

pub mod paper;

pub use halfgate_scheduled_model::{
    Body, Code, Netlist, SETUP, Schedule, Shape, Went, body, check, code, model, netlist, schedule,
};
