import Testing

@testable import galley_recorder

@Suite struct RecorderTests {}
