internal import CWebKitGTK
internal import Engine

extension WebView {
  /// Settings of a view; fixed once it exists.
  package struct Configuration: Sendable {
    /// Size in dip.
    package var width: Int
    package var height: Int
    package var userAgent: String
    /// Indicates if touch events exist, as on a phone.
    package var touch: Bool
    /// Indicates if a compositor draws the page, as on a phone; 3D transforms and backdrop filters need one.
    package var isComposited = false
    /// Indicates if the user prefers dark colours.
    package var isDark = false
    /// Indicates if the user prefers reduced motion.
    package var reducesMotion = false
    /// Scripts that run at document start in the top frame's own world, in this order.
    package var topFrameScripts: [String]
    /// Scripts that run at document start in every frame's own world, before the others.
    package var everyFrameScripts: [String]
    /// Scripts that run at document start in the top frame's host world, where they may post to
    /// `webkit.messageHandlers.galley`.
    package var hostScripts: [String] = []
    /// Scripts that run at document start in every frame's host world.
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
  /// Installs the message handler, the scripts and the style sheets in a view's content manager.
  @EngineActor func install(in content: UnsafeMutablePointer<WebKitUserContentManager>) {
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
    // A phone's fade away; the engine's would be in pictures or not, as their fading comes.
    if touch { Self.add(style: "* { scrollbar-width: none }", to: content) }
    if isComposited { Self.add(style: Self.paintedBackgrounds, to: content) }
  }

  /// Style sheet that makes the engine paint background images itself.
  ///
  /// If a background image is the only content of a layer, the engine hands it to its compositor, which draws it from
  /// its corner, whatever its position, and repeated. A transparent shadow paints nothing but prevents that, and the
  /// page's own shadow takes precedence.
  private static let paintedBackgrounds = """
    :not(:has(> *)):not(img, video, canvas, iframe, object, embed), [style*="url("], ::before, ::after {
      box-shadow: 0 0 transparent
    }
    """

  @EngineActor private static func add(style: String, to content: UnsafeMutablePointer<WebKitUserContentManager>) {
    let sheet = webkit_user_style_sheet_new(
      style, WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_STYLE_LEVEL_USER, nil, nil)
    webkit_user_content_manager_add_style_sheet(content, sheet)
    webkit_user_style_sheet_unref(sheet)
  }

  @EngineActor private static func add(
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

  /// Creates the engine's settings for a view.
  @EngineActor func makeSettings() -> UnsafeMutablePointer<WebKitSettings> {
    let settings: UnsafeMutablePointer<WebKitSettings> = webkit_settings_new()
    webkit_settings_set_user_agent(settings, userAgent)
    webkit_settings_set_javascript_can_open_windows_automatically(settings, 1)
    webkit_settings_set_enable_webgl(settings, 1)
    // Later it is too late: what was laid out without a compositor stays flat.
    webkit_settings_set_hardware_acceleration_policy(
      settings,
      isComposited ? WEBKIT_HARDWARE_ACCELERATION_POLICY_ALWAYS : WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    webkit_settings_set_enable_page_cache(settings, 0)
    // A process that ends while a page fills the screen takes the worker along.
    webkit_settings_set_enable_fullscreen(settings, 0)
    webkit_settings_set_enable_smooth_scrolling(settings, 0)
    webkit_settings_set_enable_media_stream(settings, 0)
    webkit_settings_set_enable_developer_extras(settings, 0)
    webkit_settings_set_enable_back_forward_navigation_gestures(settings, 0)
    // Names are asked for by the network process itself, past the proxy and whatever it refuses.
    Self.switchOff("LinkDNSPrefetch", in: settings)
    return settings
  }

  /// Makes the engine decode images as it paints them: asynchronous decoding is a frame ahead for animated images.
  @EngineActor static func decodeWhilePainting(_ settings: UnsafeMutablePointer<WebKitSettings>) {
    switchOff("AnimatedImageAsyncDecodingEnabled", in: settings)
    switchOff("LargeImageAsyncDecodingEnabled", in: settings)
  }

  /// Switches off a feature that has no setting of its own; does nothing if the engine doesn't know the feature.
  @EngineActor private static func switchOff(_ identifier: String, in settings: UnsafeMutablePointer<WebKitSettings>) {
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
