import Checks
import Testing

/// What trips a check, and what comes near and doesn't.
struct CheckCase: Sendable, CustomTestStringConvertible {
  let id: String
  let trips: Evidence
  let passes: Evidence

  init(_ id: String, trips: Evidence, passes: Evidence) {
    self.id = id
    self.trips = trips
    self.passes = passes
  }

  var testDescription: String { id }

  static let all = mraid + behaviour + close + weight + requests + security + robustness + rest
}
