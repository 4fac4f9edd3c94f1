internal import Core
internal import CWebKitGTK

/// One web page in a window that nobody sees.
@WebKitActor package final class WebView {
  /// How a view is set up; fixed once it exists.
  package struct Configuration: Sendable {
    /// dip
    package var width: Int
    package var height: Int
    package var userAgent: String
    /// Whether touch events exist, as on a phone.
    package var touch: Bool
    /// Whether a compositor draws the page, as on a phone; 3D transforms and backdrop filters need one.
    package var isComposited = false
    /// Run at document start in the top frame's own world, in this order.
    package var topFrameScripts: [String]
    /// Run at document start in every frame's own world, before the others.
    package var everyFrameScripts: [String]
    /// Run at document start in the top frame's host world, where they may post to `webkit.messageHandlers.galley`.
    package var hostScripts: [String] = []
    /// The same for every frame.
    package var hostFrameScripts: [String] = []

    package init(
      width: Int, height: Int, userAgent: String, touch: Bool, isComposited: Bool = false,
      topFrameScripts: [String] = [], everyFrameScripts: [String] = []
    ) {
      self.width = width
      self.height = height
      self.userAgent = userAgent
      self.touch = touch
      self.isComposited = isComposited
      self.topFrameScripts = topFrameScripts
      self.everyFrameScripts = everyFrameScripts
    }
  }

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
  /// Numbers the resources in the order they were asked for.
  package internal(set) var resourceCount = 0
  /// The addresses of those on their way, by their numbers.
  package internal(set) var openResources: [Int: String] = [:]
  /// Whether resources are told with their heads and with the size of what was decoded, which costs a copy of it.
  package var tellsHeads = false
  /// Script calls that wait for their end.
  var calls: Set<ScriptCall> = []
  /// Rises with everything that is told or asked of the page, or that it tells or answers.
  package internal(set) var activity = 0
  /// Monotonic µs of the first load; resource times count from it.
  var loadBegan: gint64?
  /// X time of the last input event; rises with every event.
  var inputTime: guint32 = 1_000
  /// The list of a `select` that was tapped and waits for a choice.
  var options: OptionMenu?
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
    let settings = Self.makeSettings(configuration)
    pointer = galley_view_new(session.context, content, settings, related?.pointer)
    g_object_unref(settings)
    window = galley_window_around(pointer)
    galley_window_resize(window, pointer, Int32(clamping: width), Int32(clamping: height))
    gtk_widget_show_all(window)
    if session.clock != nil { holdFrames() }
    install(configuration)
    connectSignals()
  }

  isolated deinit {
    gtk_widget_destroy(window)
    g_object_unref(content)
  }

  /// Loads a page; what comes of it is told to `onEvent`.
  package func load(_ address: LoadableAddress) {
    activity += 1
    if loadBegan == nil { loadBegan = g_get_monotonic_time() }
    webkit_web_view_load_uri(pointer, address.url)
  }

  /// Whether it was ever told to load something.
  package var hasLoads: Bool { loadBegan != nil }

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
    activity += 1
    self.width = width
    self.height = height
    galley_window_resize(window, pointer, Int32(clamping: width), Int32(clamping: height))
  }

  /// How much larger than its layout the page is drawn; it sees a window that is so much smaller.
  package var zoom = 1.0 {
    didSet {
      guard zoom != oldValue else { return }
      activity += 1
      webkit_web_view_set_zoom_level(pointer, zoom)
    }
  }

  /// Shows or hides the window, which the page sees as `document.visibilityState`.
  package func setVisible(_ visible: Bool) {
    activity += 1
    isVisible = visible
    if visible { gtk_widget_show(window) } else { gtk_widget_hide(window) }
  }

  /// Ends the web process at once; `processEnded(.terminatedByHost)` follows.
  package func terminate() {
    endsByHost = true
    webkit_web_view_terminate_web_process(pointer)
  }

  private func install(_ configuration: Configuration) {
    // The page's own world has no handler: whatever its scripts get hold of, they can't post to the host.
    webkit_user_content_manager_register_script_message_handler_in_world(content, Self.hostWorld, Self.hostWorld)
    for script in configuration.everyFrameScripts { add(script, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES) }
    for script in configuration.topFrameScripts { add(script, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME) }
    for script in configuration.hostFrameScripts {
      add(script, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, world: Self.hostWorld)
    }
    for script in configuration.hostScripts {
      add(script, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, world: Self.hostWorld)
    }
    if configuration.touch { hideScrollbars() }
    let target = SignalTarget(self)
    connect(
      UnsafeMutableRawPointer(content), "script-message-received::\(Self.hostWorld)", target,
      unsafeBitCast(onScriptMessage, to: GCallback.self))
    var transparent = GdkRGBA(red: 1, green: 1, blue: 1, alpha: 1)
    webkit_web_view_set_background_color(pointer, &transparent)
  }

  /// A phone's fade away; the engine's would be in pictures or not, as their fading comes.
  private func hideScrollbars() {
    let sheet = webkit_user_style_sheet_new(
      "* { scrollbar-width: none }", WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_STYLE_LEVEL_USER, nil, nil)
    webkit_user_content_manager_add_style_sheet(content, sheet)
    webkit_user_style_sheet_unref(sheet)
  }

  private func add(_ source: String, frames: WebKitUserContentInjectedFrames, world: String? = nil) {
    let start = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
    let script =
      world.map { webkit_user_script_new_for_world(source, frames, start, $0, nil, nil) }
      ?? webkit_user_script_new(source, frames, start, nil, nil)
    webkit_user_content_manager_add_script(content, script)
    webkit_user_script_unref(script)
  }

  private static func makeSettings(_ configuration: Configuration) -> UnsafeMutablePointer<WebKitSettings> {
    let settings: UnsafeMutablePointer<WebKitSettings> = webkit_settings_new()
    webkit_settings_set_user_agent(settings, configuration.userAgent)
    webkit_settings_set_javascript_can_open_windows_automatically(settings, 1)
    webkit_settings_set_enable_webgl(settings, 1)
    // Later it is too late: what was laid out without a compositor stays flat.
    webkit_settings_set_hardware_acceleration_policy(
      settings,
      configuration.isComposited
        ? WEBKIT_HARDWARE_ACCELERATION_POLICY_ALWAYS : WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    webkit_settings_set_enable_page_cache(settings, 0)
    webkit_settings_set_enable_smooth_scrolling(settings, 0)
    webkit_settings_set_enable_media_stream(settings, 0)
    webkit_settings_set_enable_developer_extras(settings, 0)
    webkit_settings_set_enable_back_forward_navigation_gestures(settings, 0)
    // Names are asked for by the network process itself, past the proxy and whatever it refuses.
    switchOff("LinkDNSPrefetch", in: settings)
    return settings
  }

  /// Switches off what the engine has no setting of its own for; an engine without it has nothing to switch off.
  private static func switchOff(_ identifier: String, in settings: UnsafeMutablePointer<WebKitSettings>) {
    guard let features = webkit_settings_get_all_features() else { return }
    defer { webkit_feature_list_unref(features) }
    for at in 0..<webkit_feature_list_get_length(features) {
      guard let feature = webkit_feature_list_get(features, at) else { continue }
      if String(cString: webkit_feature_get_identifier(feature)) == identifier {
        webkit_settings_set_feature_enabled(settings, feature, 0)
      }
    }
  }
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
