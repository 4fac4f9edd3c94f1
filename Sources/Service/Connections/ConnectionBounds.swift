/// How many may be connected, and how long a connection may come to nothing.
struct ConnectionBounds: Sendable {
  /// Connections together.
  var most = 1000
  /// Connections of one address that isn't a trusted proxy's.
  var mostOfOne = 200
  /// Seconds for the head of a request, from its first byte or from the connection's beginning.
  var head = 10.0
  /// Seconds in which a client that is sent an answer has to take something of it.
  var stall = 60.0
}

/// Why a connection was closed or refused; the raw values are a stable vocabulary.
enum ConnectionCut: String, Sendable {
  /// There was no room, and nobody who rested.
  case refused
  /// It rested when there was no room for another.
  case displaced
  /// The head of its request didn't come in time.
  case slowHead = "slow-head"
  /// Its client took nothing of an answer for too long.
  case stalled
}
