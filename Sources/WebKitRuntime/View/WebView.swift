internal import CWebKitGTK
internal import Core
package import Engine

/// Web page in a window that isn't on any screen.
@EngineActor package final class WebView {
  let pointer: UnsafeMutablePointer<WebKitWebView>
  private let window: UnsafeMutablePointer<GtkWidget>
  private let content: UnsafeMutablePointer<WebKitUserContentManager>
  /// Session of the view, which keeps it alive.
  let session: WebSession
  /// Size in dip.
  package private(set) var width: Int
  package private(set) var height: Int

  /// Indicates if the page is shown, in a window that isn't on any screen.
  package private(set) var isVisible = true

  /// Called with every event, in order.
  package var onEvent: ((WebViewEvent) -> Void)?
  /// Decides if a navigation of the main frame or an iframe may happen; nil allows all.
  package var decideNavigation: ((NavigationRequest) -> Bool)?
  /// Number of snapshots under way.
  package internal(set) var snapshots = 0
  /// Resources that the view's pages request.
  package let resources = ResourceWatch()
  /// Input of a user to the page.
  package let input: PageInput
  /// Script calls of the host into the page.
  package let scripts: ScriptCalls
  let changes = PageActivity()
  /// Counter that rises with each exchange between the host and the page, in either direction.
  package var activity: Int { changes.count }
  /// Indicates that `terminate()` was called, so that the end of the web process isn't taken for a crash.
  var endsByHost = false

  /// Indicates if a compositor draws the page, so that its screenshot is a `drawing()`.
  package let isComposited: Bool
  /// Name of the world of the host's scripts, and of their message handler there.
  nonisolated static let hostWorld = "galley"

  /// Creates a view; it shares the web process of `related`, if one is given.
  package init(session: WebSession, configuration: Configuration, related: WebView? = nil) {
    self.session = session
    width = min(max(configuration.width, Self.sides.lowerBound), Self.sides.upperBound)
    height = min(max(configuration.height, Self.sides.lowerBound), Self.sides.upperBound)
    isComposited = configuration.isComposited
    galley_point_with_touch(configuration.touch ? 1 : 0)
    galley_ask_for(configuration.isDark ? 1 : 0, configuration.reducesMotion ? 1 : 0)
    content = webkit_user_content_manager_new()
    let settings = configuration.makeSettings()
    if session.clock != nil { Configuration.decodeWhilePainting(settings) }
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
    resources.view = self
  }

  isolated deinit {
    gtk_widget_destroy(window)
    g_object_unref(content)
  }

  /// Loads a page; events are passed to `onEvent`.
  package func load(_ address: LoadableAddress) {
    changes.rise()
    resources.loadBegins()
    guard session.clock != nil else { return webkit_web_view_load_uri(pointer, address.url) }
    // What the window system tells of a new view has the engine draw at once. Told once the document has begun, that
    // would be between two frames.
    EngineActivity.syncWindows()
    EngineActor.whenIdle { [weak self] in
      guard let self else { return }
      webkit_web_view_load_uri(pointer, address.url)
    }
  }

  /// Indicates if the view has ever begun a load.
  package var hasLoads: Bool { resources.hasLoads }

  /// Address of the main document, or of the one that is being loaded.
  package var url: String { webkit_web_view_get_uri(pointer).map { String(cString: $0) } ?? "" }

  /// Indicates if the web process answers; false while a script doesn't yield.
  package var isResponsive: Bool { webkit_web_view_get_is_web_process_responsive(pointer) != 0 }

  /// Stops all loading.
  package func stopLoading() { webkit_web_view_stop_loading(pointer) }

  /// Allowed length of a view's sides, in dip: X windows are measured in 16 bits, and each dip takes up to 16 pixels of
  /// memory.
  package static let sides = 1...8_192

  /// Lays the page out anew at this size in dip, or at the nearest allowed one.
  package func resize(width: Double, height: Double) {
    let (width, height) = (Bounded.int(width, in: Self.sides), Bounded.int(height, in: Self.sides))
    guard width != self.width || height != self.height else { return }
    changes.rise()
    self.width = width
    self.height = height
    galley_window_resize(window, pointer, Int32(clamping: width), Int32(clamping: height))
  }

  /// Factor by which the page is drawn larger than its layout; the page sees a window that is smaller by it.
  package var zoom = 1.0 {
    didSet {
      guard zoom != oldValue else { return }
      changes.rise()
      webkit_web_view_set_zoom_level(pointer, zoom)
    }
  }

  /// Taps the page with a finger, in dip from the view's top-left.
  ///
  /// Mouse events and a click follow unless the page prevents them in its touch handlers, as on a phone; the method
  /// waits for those handlers.
  package func tap(x: Double, y: Double) async {
    input.touch(x: x, y: y)
    _ = try? await scripts.flushInput()
    input.click(x: x, y: y)
  }

  /// Shows or hides the window, which the page sees as `document.visibilityState` and as its focus.
  package func setVisible(_ visible: Bool) {
    changes.rise()
    isVisible = visible
    galley_set_visible(pointer, window, visible ? 1 : 0)
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

/// Counter of all exchanges between the host and a page, which the parts of a view share.
@EngineActor final class PageActivity {
  private(set) var count = 0

  /// Counts one exchange: a command or question to the page, or an event or answer from it.
  func rise() { count += 1 }
}
