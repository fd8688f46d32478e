//! Tests of the FASE model.

mod fase;
