/// Follows videos to their end: a screenshot half-way through each, and the card between two is closed.
package struct VideoTour: Hashable, Sendable {
  /// State of the videos that the tour looks at.
  package struct Sight: Hashable, Sendable {
    /// Number of videos that have passed their middle so far.
    package var midpoints: Int
    package var areOver: Bool
    /// Indicates that an end card has to be closed before the next video.
    package var waitsAtCard: Bool

    package init(midpoints: Int, areOver: Bool, waitsAtCard: Bool = false) {
      self.midpoints = midpoints
      self.areOver = areOver
      self.waitsAtCard = waitsAtCard
    }
  }

  /// Number of midpoints that have been handled.
  private var seen: Int

  /// Begins after this number of midpoints, which are skipped.
  package init(after midpoints: Int = 0) { seen = midpoints }

  /// Indicates that the tour stops here for an action.
  package func stops(at sight: Sight) -> Bool { sight.areOver || sight.waitsAtCard || sight.midpoints > seen }

  /// Takes the next midpoint and returns true if it has come; each midpoint is taken once.
  package mutating func takesMidpoint(at sight: Sight) -> Bool {
    guard sight.midpoints > seen else { return false }
    seen += 1
    return true
  }

  /// Takes all midpoints that have come and returns true if there were any; one screenshot serves for all.
  package mutating func takesMidpoints(at sight: Sight) -> Bool {
    defer { seen = sight.midpoints }
    return sight.midpoints > seen
  }
}
