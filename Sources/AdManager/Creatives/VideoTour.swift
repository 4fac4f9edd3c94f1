/// Watches films to their end: a screenshot half-way through each, and the card between two closed.
package struct VideoTour: Hashable, Sendable {
  /// What there is to see of the films.
  package struct Sight: Hashable, Sendable {
    /// How many have passed their middle so far.
    package var midpoints: Int
    package var areOver: Bool
    /// Whether an end card waits to be closed before the next film.
    package var waitsAtCard: Bool

    package init(midpoints: Int, areOver: Bool, waitsAtCard: Bool = false) {
      self.midpoints = midpoints
      self.areOver = areOver
      self.waitsAtCard = waitsAtCard
    }
  }

  /// Midpoints that have been looked at.
  private var seen: Int

  /// Begins after so many midpoints, which nobody looks at any more.
  package init(after midpoints: Int = 0) { seen = midpoints }

  /// Whether the watching stops here for something to be done.
  package func stops(at sight: Sight) -> Bool { sight.areOver || sight.waitsAtCard || sight.midpoints > seen }

  /// Whether the next midpoint has come; each is looked at once.
  package mutating func takesMidpoint(at sight: Sight) -> Bool {
    guard sight.midpoints > seen else { return false }
    seen += 1
    return true
  }

  /// Whether any midpoint has come since the last look, where one look serves for all.
  package mutating func takesMidpoints(at sight: Sight) -> Bool {
    defer { seen = sight.midpoints }
    return sight.midpoints > seen
  }
}
