//! Every suite, garbled and evaluated in one plain file: what all kernels and machines are held to.
