import Testing

/// The tests of the built program, one after the other: each starts browsers enough for a whole machine.
@Suite(.serialized) enum ProgramTier {}
