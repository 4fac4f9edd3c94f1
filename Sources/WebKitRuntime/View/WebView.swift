internal import Core
internal import CWebKitGTK

/// One web page in a window that nobody sees.
@WebKitActor package final class WebView {
  let pointer: UnsafeMutablePointer<WebKitWebView>
  private let window: UnsafeMutablePointer<GtkWidget>
  private let content: UnsafeMutablePointer<WebKitUserContentManager>
  /// Keeps the session alive as long as a view of it.
  let session: WebSession
  /// dip
  package private(set) var width: Int
  package private(set) var height: Int

  /// Whether the page is shown, in a window that nobody sees.
  package private(set) var isVisible = true

  /// Hears everything that happens, in order.
  package var onEvent: ((WebViewEvent) -> Void)?
  /// Says whether a navigation of the main frame or an iframe may happen; all may by default.
  package var decideNavigation: ((NavigationRequest) -> Bool)?
  /// Pictures that were asked for and haven't come.
  package internal(set) var snapshots = 0
  /// What its pages ask for.
  package let resources = ResourceWatch()
  /// What a person does to it.
  package let input: PageInput
  /// What the host asks of it.
  package let scripts: ScriptCalls
  let changes = PageActivity()
  /// Rises with everything that is told or asked of the page, or that it tells or answers.
  package var activity: Int { changes.count }
  /// Set while `terminate()` ends the web process, to tell that end from a crash.
  var endsByHost = false

  /// Whether a compositor draws the page, so that its picture is a `drawing()`.
  package let isComposited: Bool
  /// The world of the host's scripts, and the name they post to there.
  nonisolated static let hostWorld = "galley"

  /// Makes a view; `related` lends its web process.
  package init(session: WebSession, configuration: Configuration, related: WebView? = nil) {
    self.session = session
    width = min(max(configuration.width, Self.sides.lowerBound), Self.sides.upperBound)
    height = min(max(configuration.height, Self.sides.lowerBound), Self.sides.upperBound)
    isComposited = configuration.isComposited
    content = webkit_user_content_manager_new()
    let settings = configuration.makeSettings()
    pointer = galley_view_new(session.context, content, settings, related?.pointer)
    g_object_unref(settings)
    input = PageInput(pointer, changes)
    scripts = ScriptCalls(pointer, changes)
    window = galley_window_around(pointer)
    galley_window_resize(window, pointer, Int32(clamping: width), Int32(clamping: height))
    gtk_widget_show_all(window)
    if session.clock != nil { holdFrames() }
    configuration.install(in: content)
    connect(
      UnsafeMutableRawPointer(content), "script-message-received::\(Self.hostWorld)", SignalTarget(self),
      unsafeBitCast(onScriptMessage, to: GCallback.self))
    var transparent = GdkRGBA(red: 1, green: 1, blue: 1, alpha: 1)
    webkit_web_view_set_background_color(pointer, &transparent)
    connectSignals()
    resources.onEnd = { [weak self] in self?.emit(.resource($0)) }
  }

  isolated deinit {
    gtk_widget_destroy(window)
    g_object_unref(content)
  }

  /// Loads a page; what comes of it is told to `onEvent`.
  package func load(_ address: LoadableAddress) {
    changes.rise()
    resources.loadBegins()
    guard session.clock != nil else { return webkit_web_view_load_uri(pointer, address.url) }
    // What the window system tells of a new view has the engine draw at once. Told once the document has begun, that
    // would be between two frames.
    EngineActivity.syncWindows()
    WebKitActor.whenIdle { [weak self] in
      guard let self else { return }
      webkit_web_view_load_uri(pointer, address.url)
    }
  }

  /// Whether it was ever told to load something.
  package var hasLoads: Bool { resources.hasLoads }

  /// The address of the main document, or of the one on its way.
  package var url: String { webkit_web_view_get_uri(pointer).map { String(cString: $0) } ?? "" }

  /// Whether the web process answers; false while a script doesn't yield.
  package var isResponsive: Bool { webkit_web_view_get_is_web_process_responsive(pointer) != 0 }

  /// Stops whatever loads.
  package func stopLoading() { webkit_web_view_stop_loading(pointer) }

  /// Sides that a view may have, in dip: X windows are measured in 16 bits, and each dip is up to 16 pixels of memory.
  package static let sides = 1...8_192

  /// Lays the page out anew at this size in dip, or at the nearest that a view may have.
  package func resize(width: Double, height: Double) {
    let (width, height) = (Bounded.int(width, in: Self.sides), Bounded.int(height, in: Self.sides))
    guard width != self.width || height != self.height else { return }
    changes.rise()
    self.width = width
    self.height = height
    galley_window_resize(window, pointer, Int32(clamping: width), Int32(clamping: height))
  }

  /// How much larger than its layout the page is drawn; it sees a window that is so much smaller.
  package var zoom = 1.0 {
    didSet {
      guard zoom != oldValue else { return }
      changes.rise()
      webkit_web_view_set_zoom_level(pointer, zoom)
    }
  }

  /// Shows or hides the window, which the page sees as `document.visibilityState`.
  package func setVisible(_ visible: Bool) {
    changes.rise()
    isVisible = visible
    if visible { gtk_widget_show(window) } else { gtk_widget_hide(window) }
  }

  /// Ends the web process at once; `processEnded(.terminatedByHost)` follows.
  package func terminate() {
    endsByHost = true
    webkit_web_view_terminate_web_process(pointer)
  }

  /// Runs the body of an async function and returns its result as JSON (`undefined` as `null`).
  ///
  /// `arguments` are strings that the body sees under their names. Throws when the script throws, when the page goes
  /// elsewhere, when the web process ends, and when the caller's task is cancelled; the script itself runs on then.
  package func call(
    _ body: String, _ arguments: [String: String] = [:], world: ScriptCalls.World = .host
  ) async throws(ScriptError) -> String {
    try await scripts.call(body, arguments, world)
  }
}

/// How much goes on between the host and a page; its parts share one.
@WebKitActor final class PageActivity {
  private(set) var count = 0

  /// Something was told or asked of the page, or it told or answered something.
  func rise() { count += 1 }
}

/// What a view may be told to load. Text alone isn't: whoever makes one answers for where the text came from.
///
/// A literal is the host's own. Everything else is either trusted by name, as what a person named who asked for the
/// render, or was judged: nothing that a creative says may get here otherwise.
package struct LoadableAddress: Hashable, Sendable, ExpressibleByStringLiteral {
  package let url: String

  package init(stringLiteral url: StaticString) { self.url = url.description }

  /// An address that no creative had a say in, or that was judged before.
  package init(trusted url: String) { self.url = url }
}
