internal import CWebKitGTK

extension WebView {
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
}

extension WebView.Configuration {
  /// Gives a view its scripts.
  @WebKitActor func install(in content: UnsafeMutablePointer<WebKitUserContentManager>) {
    // The page's own world has no handler: whatever its scripts get hold of, they can't post to the host.
    webkit_user_content_manager_register_script_message_handler_in_world(content, WebView.hostWorld, WebView.hostWorld)
    for script in everyFrameScripts { Self.add(script, to: content, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES) }
    for script in topFrameScripts { Self.add(script, to: content, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME) }
    for script in hostFrameScripts {
      Self.add(script, to: content, frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, world: WebView.hostWorld)
    }
    for script in hostScripts {
      Self.add(script, to: content, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, world: WebView.hostWorld)
    }
    if touch { Self.hideScrollbars(content) }
  }

  /// A phone's fade away; the engine's would be in pictures or not, as their fading comes.
  @WebKitActor private static func hideScrollbars(_ content: UnsafeMutablePointer<WebKitUserContentManager>) {
    let sheet = webkit_user_style_sheet_new(
      "* { scrollbar-width: none }", WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_STYLE_LEVEL_USER, nil, nil)
    webkit_user_content_manager_add_style_sheet(content, sheet)
    webkit_user_style_sheet_unref(sheet)
  }

  @WebKitActor private static func add(
    _ source: String, to content: UnsafeMutablePointer<WebKitUserContentManager>,
    frames: WebKitUserContentInjectedFrames, world: String? = nil
  ) {
    let start = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
    let script =
      world.map { webkit_user_script_new_for_world(source, frames, start, $0, nil, nil) }
      ?? webkit_user_script_new(source, frames, start, nil, nil)
    webkit_user_content_manager_add_script(content, script)
    webkit_user_script_unref(script)
  }

  /// The engine's settings for a view.
  @WebKitActor func makeSettings() -> UnsafeMutablePointer<WebKitSettings> {
    let settings: UnsafeMutablePointer<WebKitSettings> = webkit_settings_new()
    webkit_settings_set_user_agent(settings, userAgent)
    webkit_settings_set_javascript_can_open_windows_automatically(settings, 1)
    webkit_settings_set_enable_webgl(settings, 1)
    // Later it is too late: what was laid out without a compositor stays flat.
    webkit_settings_set_hardware_acceleration_policy(
      settings,
      isComposited ? WEBKIT_HARDWARE_ACCELERATION_POLICY_ALWAYS : WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    webkit_settings_set_enable_page_cache(settings, 0)
    webkit_settings_set_enable_smooth_scrolling(settings, 0)
    webkit_settings_set_enable_media_stream(settings, 0)
    webkit_settings_set_enable_developer_extras(settings, 0)
    webkit_settings_set_enable_back_forward_navigation_gestures(settings, 0)
    // Names are asked for by the network process itself, past the proxy and whatever it refuses.
    Self.switchOff("LinkDNSPrefetch", in: settings)
    return settings
  }

  /// Switches off what the engine has no setting of its own for; an engine without it has nothing to switch off.
  @WebKitActor private static func switchOff(_ identifier: String, in settings: UnsafeMutablePointer<WebKitSettings>) {
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
