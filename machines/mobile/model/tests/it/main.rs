//! The mobile coprocessor: the model.

mod vectors;
