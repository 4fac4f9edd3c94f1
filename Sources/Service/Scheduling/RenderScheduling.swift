internal import Core
internal import ServiceLifecycle

/// Accepts renders and brings them to their end, on this machine or with workers elsewhere.
protocol RenderScheduling: Service {
  var settings: ServiceSettings { get }

  /// Returns as soon as renders may be accepted.
  func begin() async throws

  /// Keeps a place for a render whose request is being received, or rejects it. A known idempotency key needs no place.
  func expect(owner: String, key: String?, mostOfOwner: Int?) async throws(Problem)

  /// Frees the place once the render was accepted or rejected.
  func arrived(owner: String) async

  /// Accepts an expected render. A repeated request with the same idempotency key returns the render accepted before.
  ///
  /// - Parameter recording: the recording that answers the creative's requests.
  func accept(
    _ submission: Submission, _ recording: TakenRecording?, owner: String, key: String?
  ) async throws(Problem) -> RenderRow

  /// Cancels a render; false if it has ended already.
  ///
  /// - Throws: if the end can't be stored yet.
  func cancel(_ id: String) async throws(Fault) -> Bool

  /// Releases a creative from quarantine; false if it had no recorded losses.
  func release(creative content: String) async throws(Fault) -> Bool

  /// The load of the server.
  func pressure() async -> Pressure

  /// Further metrics in Prometheus' text format.
  func measurements() async -> String
}
