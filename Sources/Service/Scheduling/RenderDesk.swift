internal import Core
internal import ServiceLifecycle

/// Where requests for renders are accepted and brought to an end, whoever renders them.
protocol RenderDesk: Service {
  var settings: ServiceSettings { get }

  /// Returns when renders may be asked for and accepted.
  func begin() async throws

  /// Keeps a place for a render whose request is still on its way, or turns it away; what a key stands for has one.
  func expect(owner: String, key: String?, mostOfOwner: Int?) async throws(Problem)

  /// Gives the place up: the render was accepted, or isn't.
  func arrived(owner: String) async

  /// Accepts a render that is expected; the same request under the same key gets the one accepted before.
  /// `recording` is what answers the creative's requests.
  func accept(
    _ submission: Submission, _ recording: TakenRecording?, owner: String, key: String?
  ) async throws(Problem) -> RenderRow

  /// Ends a render that hasn't ended; says whether it did, and why it can't be told yet.
  func cancel(_ id: String) async throws(Fault) -> Bool

  /// Tries a creative again that isn't tried any more; says whether there was anything against it.
  func release(creative content: String) async throws(Fault) -> Bool

  /// How full the server is.
  func pressure() async -> Pressure

  /// What is measured besides, in Prometheus' text format.
  func measurements() async -> String
}
