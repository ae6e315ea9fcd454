//! Checks a JSON value against the table of its schema.
