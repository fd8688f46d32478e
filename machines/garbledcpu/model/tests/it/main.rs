//! GarbledCPU's evaluator: the model.

mod garbledcpu;
