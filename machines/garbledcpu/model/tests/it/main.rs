//! Tests of the model of GarbledCPU's evaluator.

mod garbledcpu;
