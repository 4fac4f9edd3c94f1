package import Engine

/// Time of a render as its log counts it.
@EngineActor package protocol RenderTime: AnyObject {
  /// Time from the beginning of the render to the frame that pages show.
  var frame: Duration { get }
  /// Returns that much time after the frame that pages show, or when the task is cancelled.
  func sleep(for duration: Duration) async
}
