//! Relay's code generator.
