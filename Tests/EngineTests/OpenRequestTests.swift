import Engine
import Testing

@Suite("A request that is under way")
struct OpenRequestTests {
  /// Values of `Accept` and `Sec-Fetch-Dest`, and what they mean.
  private static let headers: [(accept: String?, destination: String?, purpose: OpenRequest.Purpose)] = [
    ("text/event-stream", "empty", .stream), ("*/*", "empty", .script), ("*/*", "script", .part),
    ("*/*", "font", .part),
    ("*/*", "video", .media), ("image/png,*/*;q=0.5", "image", .image), ("*/*", nil, .script),
    ("text/css,*/*;q=0.1", nil, .part), ("image/png,*/*;q=0.5", nil, .image), ("text/event-stream", nil, .stream),
    (nil, nil, .script),
  ]

  @Test("the engine's headers say what a request is for", arguments: headers)
  func purposes(accept: String?, destination: String?, purpose: OpenRequest.Purpose) {
    #expect(OpenRequest.Purpose(accept: accept, destination: destination) == purpose)
  }
}
