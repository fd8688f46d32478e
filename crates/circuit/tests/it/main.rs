//! Golden counts of the builder's gadgets, one module per part.

mod counts_arrays;
mod counts_batch;
mod counts_crypto;
mod counts_float;
mod counts_float_more;
mod counts_int;
mod counts_lists;
mod counts_sort;
mod golden;
