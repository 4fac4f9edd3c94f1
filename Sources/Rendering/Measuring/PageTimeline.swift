/// What `timeline.js` tells: instants in milliseconds since the document's own beginning.
struct PageTimeline: Decodable, Sendable {
  struct Resource: Decodable, Sendable {
    var url: String
    var initiator: String?
    var start: Double
    var encoded: Int?
    var decoded: Int?
  }

  /// Milliseconds since 1970.
  var origin: Double
  var domContentLoaded: Double?
  var complete: Double?
  var windowLoad: Double?
  var firstPaint: Double?
  var resources: [Resource]
}
