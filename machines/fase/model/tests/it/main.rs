//! FASE: the model.

mod fase;
