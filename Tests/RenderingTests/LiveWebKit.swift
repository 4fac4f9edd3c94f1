import Testing

/// Everything that touches web views, one test after the other: the device scale is display-wide.
@Suite("Live WebKit", .serialized, .engine, .timeLimit(.minutes(1)))
enum LiveWebKit {}
