import Engine
import Foundation
import Startup
import Testing
import WebKitRuntime

/// Tests that use web views, run one after the other, since the device scale is display-wide.
@Suite("Live WebKit", .serialized, .engine, .timeLimit(.minutes(1)))
enum LiveWebKit {}

/// Single display and engine that all tests of this process share; the device scale is the display's.
enum TestEngine {
  private static let start = Task {
    let display = try await startDisplay()
    WebKitEngine.prepareEnvironment()
    WebKitEngine.prepareDisplay(display)
    // Tests of both kinds of time share this process.
    if let folder = WebExtension.folder {
      try? VirtualClock.prepareEnvironment(library: "\(folder)/libGalleyClock.so")
    }
    try await WebKitEngine.start()
  }

  /// Waits until WebKit can be used.
  static func ready() async throws { try await start.value }

  /// Starts Xvfb from a thread that never ends, since the kernel ends Xvfb with that thread.
  private static func startDisplay() async throws -> VirtualDisplay {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try WebKitEngine.startDisplay().wait() })
        while true { pause() }
      }
    }
  }
}

/// Trait that delays a test until the engine runs.
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
  /// Trait of tests that need WebKit's thread.
  static var engine: Self { EngineTrait() }
}

/// Web process extension of Galley, which the build places beside the test program.
enum WebExtension {
  /// Folder of the test program.
  static let folder: String? = {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return program.map { ($0 as NSString).deletingLastPathComponent }
  }()
}

/// Web view with files of its own and all of its events, for tests of the view itself.
@EngineActor final class LivePage {
  let session: WebSession
  let view: WebView
  private(set) var events: [WebViewEvent] = []
  private var waiting: [(holds: @EngineActor (WebViewEvent) -> Bool, continuation: CheckedContinuation<Bool, Never>)] =
    []

  /// Creates a page of `width` × `height` dip; `scale` applies to every view created later.
  init(
    _ files: [String: String], width: Int = 100, height: Int = 80, scale: Int = 1, touch: Bool = true,
    everyFrame: [String] = [], hostFrames: [String] = [], clock: VirtualClock? = nil
  ) {
    WebKitEngine.setScreen(width: 400, height: 600, scale: scale)
    let library = clock == nil ? nil : WebExtension.folder
    session = WebSession(WebSession.Configuration(sandbox: false, extensionDirectory: library, clock: clock))
    session.serve(host: "test") { path in
      let name = String(path.dropFirst().prefix { $0 != "?" })
      guard let text = files[name] else { return .notFound }
      let type =
        name.hasSuffix(".js") ? "text/javascript" : name.hasSuffix(".bin") ? "application/octet-stream" : "text/html"
      return SchemeResponse(mimeType: type, body: Array(text.utf8))
    }
    var configuration = WebView.Configuration(
      width: width, height: height, userAgent: "Galley/test", touch: touch, everyFrameScripts: [Self.say] + everyFrame)
    configuration.hostFrameScripts = [Self.hear] + hostFrames
    view = WebView(session: session, configuration: configuration)
    view.onEvent = { [weak self] event in self?.hear(event) }
    session.onDownload = { [weak self] url in self?.hear(.download(url: url)) }
  }

  convenience init(
    html: String, width: Int = 100, height: Int = 80, scale: Int = 1, touch: Bool = true, clock: VirtualClock? = nil
  ) {
    self.init(["index.html": html], width: width, height: height, scale: scale, touch: touch, clock: clock)
  }

  /// Loads a file and waits for the end of the load; returns false if it doesn't come.
  func open(_ file: String = "index.html") async -> Bool {
    view.load(LoadableAddress(trusted: "creative://test/\(file)"))
    return await hears { if case .loadFinished = $0 { true } else { false } }
  }

  /// Indicates if a matching event has arrived or arrives within 30 seconds, since a busy machine is slow to lay out.
  func hears(_ matches: @escaping @EngineActor (WebViewEvent) -> Bool) async -> Bool {
    if events.contains(where: matches) { return true }
    let timer = Task { @EngineActor [weak self] in
      try await Task.sleep(for: .seconds(30))
      self?.giveUp()
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waiting.append((matches, $0)) }
  }

  /// Messages of the page.
  var messages: [String] { events.compactMap { if case .message(let text) = $0 { text } else { nil } } }

  /// Script that gives each page a function `say`, whose texts are messages to the test.
  private static let say = "window.say = (text) => dispatchEvent(new CustomEvent('said', { detail: String(text) }));"
  private static let hear =
    "addEventListener('said', (event) => webkit.messageHandlers.galley.postMessage(event.detail));"

  /// Waits for a message; returns false if it doesn't come.
  func says(_ text: String) async -> Bool {
    await hears { if case .message(text) = $0 { true } else { false } }
  }

  /// Waits until the page has drawn twice, and so has handled earlier input.
  func twoFrames() async throws {
    _ = try await view.call(
      """
      const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      await frame();
      await frame();
      """)
  }

  private func hear(_ event: WebViewEvent) {
    events.append(event)
    let ready = waiting.filter { $0.holds(event) }
    waiting.removeAll { $0.holds(event) }
    for one in ready { one.continuation.resume(returning: true) }
  }

  private func giveUp() {
    let all = waiting
    waiting = []
    for one in all { one.continuation.resume(returning: false) }
  }
}
