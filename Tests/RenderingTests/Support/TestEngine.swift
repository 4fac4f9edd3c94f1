import Foundation
import Testing
import WebKitRuntime

/// The one display and engine that all tests of this process share; the device scale is the display's.
enum TestEngine {
  private static let start = Task {
    let display = try await startDisplay()
    WebKitEngine.prepareEnvironment(display: display.name)
    // Tests of both kinds of time share this process.
    if let folder = WebExtension.folder {
      try? SteppedClock.prepareEnvironment(library: "\(folder)/libGalleyClock.so")
    }
    try await WebKitEngine.start()
  }

  /// Returns when WebKit can be used.
  static func ready() async throws { try await start.value }

  /// Starts Xvfb from a thread that never ends, since the kernel ends Xvfb with that thread.
  private static func startDisplay() async throws -> VirtualDisplay {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try VirtualDisplay.start().wait() })
        while true { pause() }
      }
    }
  }
}

/// Lets a test begin once the engine runs.
struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestEngine.ready()
    try await function()
  }
}

extension Trait where Self == EngineTrait {
  /// The test needs WebKit's thread.
  static var engine: Self { EngineTrait() }
}
