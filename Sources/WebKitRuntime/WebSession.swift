internal import CWebKitGTK

/// What a web process sends requests for at all, before anybody looks at addresses; as the extension reads it.
package enum WebReach: Int32, Sendable {
  /// Nothing: all there is are the creative's own files.
  case nothing = 0
  /// Hosts that are numbers, and this machine's own name; no name server hears of any other.
  case numbers = 1
  /// Any host.
  case names = 2
}

/// A browsing session of its own: cookies, storage, caches and web process shared with no other.
@WebKitActor package final class WebSession {
  /// How a session is set up; fixed once it exists.
  package struct Configuration: Sendable {
    /// Mebibytes at which WebKit ends a web process by itself.
    package var memoryLimit: Int
    /// Whether web processes run in WebKit's bubblewrap sandbox.
    package var sandbox: Bool
    /// What web processes may send requests for on the web; the proxy judges the addresses.
    package var reach: WebReach
    /// The proxy that every request goes by, like `http://127.0.0.1:3128`; nil for the machine's own ways.
    package var proxy: String?
    /// Whether certificates are the proxy's business, which ends TLS and judges whom it speaks to itself.
    package var trustsProxy = false
    /// Whether no request waits for another's connection, where there is a clock: whoever answers has an order of its own.
    package var asksAllAtOnce = false
    /// The folder with Galley's web process extension, nil to do without.
    package var extensionDirectory: String?

    /// Whether it only exists to lend its network process to all others.
    ///
    /// The engine starts one for each session, unless there is a session that could keep what it stores.
    package var keepsNetworkProcess = false
    /// What web processes live in; nil for the machine's time. Needs the extension.
    package var clock: VirtualClock?

    package init(
      memoryLimit: Int = 1024, sandbox: Bool = true, reach: WebReach = .names, proxy: String? = nil,
      extensionDirectory: String? = nil, clock: VirtualClock? = nil
    ) {
      self.proxy = proxy
      self.clock = clock
      self.memoryLimit = memoryLimit
      self.sandbox = sandbox
      self.reach = reach
      self.extensionDirectory = extensionDirectory
    }
  }

  /// The scheme creatives are served under; secure, with storage and CORS.
  package nonisolated static let scheme = "creative"

  /// What a page means by an address of its scheme: `//host/path` in one of the creative's files is of the web.
  ///
  /// A session's own hosts are single words, so a host with a dot, a port or brackets is none of them. The web process
  /// extension sends such requests to the web by the same rule.
  package nonisolated static func meant(_ url: String) -> String {
    guard url.hasPrefix("\(scheme)://") else { return url }
    let rest = url.dropFirst(scheme.count + 3)
    let host = rest.prefix { !"/?#".contains($0) }
    guard host.lowercased() == "localhost" || host.contains(where: { ".:[]@%".contains($0) }) else { return url }
    return "https://" + rest
  }

  let context: UnsafeMutablePointer<WebKitWebContext>
  private let configuration: Configuration
  /// What its web processes live in; nil for the machine's time.
  var clock: VirtualClock? { configuration.clock }
  /// Answers `creative://HOST/path`, by host.
  private var handlers: [String: (String) -> SchemeResponse] = [:]
  /// The proxy that its pages' requests go by; nil for the machine's own ways.
  package var proxy: String? { configuration.proxy }
  /// Whether certificates are that proxy's business.
  package var trustsProxy: Bool { configuration.trustsProxy }
  /// Called with the URL of each download, which is refused.
  package var onDownload: ((String) -> Void)?

  /// Seconds beyond the end of any clock.
  private static let never = 1e9

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    let manager =
      configuration.keepsNetworkProcess ? galley_persistent_manager() : webkit_website_data_manager_new_ephemeral()
    let memory = webkit_memory_pressure_settings_new()
    webkit_memory_pressure_settings_set_memory_limit(memory, guint(configuration.memoryLimit))
    webkit_memory_pressure_settings_set_kill_threshold(memory, 1.0)
    webkit_memory_pressure_settings_set_strict_threshold(memory, 0.9)
    webkit_memory_pressure_settings_set_conservative_threshold(memory, 0.8)
    // Looking takes 10 to 20 ms of a processor: the engine reads what each of its thousand mappings holds. With a clock
    // that is stepped, which passes over years as a render begins, whoever renders watches in the machine's time.
    webkit_memory_pressure_settings_set_poll_interval(memory, configuration.clock == nil ? 0.5 : Self.never)
    if configuration.clock != nil { EngineActivity.setManyConnections(configuration.asksAllAtOnce) }
    context = galley_context_new(manager, memory)
    webkit_memory_pressure_settings_free(memory)
    if let proxy = configuration.proxy {
      let settings = webkit_network_proxy_settings_new(proxy, nil)
      webkit_website_data_manager_set_network_proxy_settings(
        manager, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, settings)
      webkit_network_proxy_settings_free(settings)
    }
    if configuration.trustsProxy {
      webkit_website_data_manager_set_tls_errors_policy(manager, WEBKIT_TLS_ERRORS_POLICY_IGNORE)
    }
    // Anything that is set starts the network process.
    if configuration.keepsNetworkProcess {
      webkit_website_data_manager_set_persistent_credential_storage_enabled(manager, 0)
    }
    g_object_unref(manager)
    configure()
  }

  isolated deinit { g_object_unref(context) }

  /// Serves `creative://host/…` from `handler`, which gets the path with its query.
  package func serve(host: String, _ handler: @escaping (String) -> SchemeResponse) {
    handlers[host] = handler
  }

  /// Forgets a host's handler.
  package func stopServing(host: String) { handlers[host] = nil }

  /// Forgets everything pages have stored: cookies, caches, databases, service workers.
  package func clear() async {
    await WebKitActor.wait { (wakeup: Wakeup<Void>) in
      let box = Unmanaged.passRetained(ClearingWait(wakeup)).toOpaque()
      webkit_website_data_manager_clear(
        webkit_web_context_get_website_data_manager(context), WEBKIT_WEBSITE_DATA_ALL, 0, nil,
        { onCleared($0, $1, $2) }, box)
    }
  }

  private func configure() {
    // With the model for documents nothing is kept in memory: each further use of an image would be a request. On the
    // disk a session keeps nothing, whatever the model.
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_WEB_BROWSER)
    webkit_web_context_set_sandbox_enabled(context, configuration.sandbox ? 1 : 0)
    let target = SignalTarget(self)
    webkit_web_context_register_uri_scheme(
      context, Self.scheme, { onSchemeRequest($0, $1) }, target.retainedPointer(), { releaseTarget($0) })
    let security = webkit_web_context_get_security_manager(context)
    webkit_security_manager_register_uri_scheme_as_secure(security, Self.scheme)
    webkit_security_manager_register_uri_scheme_as_cors_enabled(security, Self.scheme)
    connect(context, "download-started", target, unsafeBitCast(onDownloadStarted, to: GCallback.self))
    if let fonts = FontSetup.folder { webkit_web_context_add_path_to_sandbox(context, fonts, 1) }
    for place in FontSetup.ownPlaces { webkit_web_context_add_path_to_sandbox(context, place, 1) }
    if let directory = configuration.extensionDirectory {
      webkit_web_context_set_web_extensions_directory(context, directory)
      webkit_web_context_set_web_extensions_initialization_user_data(
        context, galley_extension_data(configuration.reach.rawValue, configuration.clock?.folder ?? ""))
      if let clock = configuration.clock { webkit_web_context_add_path_to_sandbox(context, clock.folder, 0) }
    }
  }

  fileprivate func answer(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>) {
    let url = String(cString: webkit_uri_scheme_request_get_uri(request))
    let rest = url.dropFirst(Self.scheme.count + 3)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let path = slash == rest.endIndex ? "/" : String(rest[slash...])
    let response = handlers[String(rest[..<slash])]?(path) ?? .notFound
    finish(request, with: response)
  }

  private func finish(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>, with answer: SchemeResponse) {
    let bytes = answer.body.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    let stream = g_memory_input_stream_new_from_bytes(bytes)
    let response = webkit_uri_scheme_response_new(stream, gint64(answer.body.count))
    webkit_uri_scheme_response_set_status(response, guint(answer.status), answer.status == 200 ? "OK" : "Not Found")
    webkit_uri_scheme_response_set_content_type(response, answer.mimeType)
    let headers = soup_message_headers_new(SOUP_MESSAGE_HEADERS_RESPONSE)
    // Pages that fetch find these only among the headers.
    soup_message_headers_append(headers, "Content-Type", answer.mimeType)
    soup_message_headers_append(headers, "Content-Length", "\(answer.body.count)")
    soup_message_headers_append(headers, "Access-Control-Allow-Origin", "*")
    if !answer.mayBeReused { soup_message_headers_append(headers, "Cache-Control", "no-store") }
    webkit_uri_scheme_response_set_http_headers(response, headers)
    webkit_uri_scheme_request_finish_with_response(request, response)
    g_object_unref(response)
    g_object_unref(stream)
    g_bytes_unref(bytes)
  }
}

private final class ClearingWait: Sendable {
  let wakeup: Wakeup<Void>
  init(_ wakeup: Wakeup<Void>) { self.wakeup = wakeup }
}

private func onCleared(_ manager: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let manager, let data else { return }
  _ = manager.withMemoryRebound(to: WebKitWebsiteDataManager.self, capacity: 1) {
    webkit_website_data_manager_clear_finish($0, result, nil)
  }
  Unmanaged<ClearingWait>.fromOpaque(data).takeRetainedValue().wakeup.resume()
}

private func onSchemeRequest(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>?, _ data: gpointer?) {
  guard let request, let data else { return }
  let (at, target) = (UInt(bitPattern: request), UInt(bitPattern: data))
  WebKitActor.assumeIsolated {
    guard let session = SignalTarget<WebSession>.object(at: target),
      let request = UnsafeMutablePointer<WebKitURISchemeRequest>(bitPattern: at)
    else { return }
    session.answer(request)
  }
}

private let onDownloadStarted: @convention(c) (gpointer?, UnsafeMutablePointer<WebKitDownload>?, gpointer?) -> Void = {
  _, download, data in
  guard let download, let data else { return }
  let (at, target) = (UInt(bitPattern: download), UInt(bitPattern: data))
  WebKitActor.assumeIsolated {
    guard let download = UnsafeMutablePointer<WebKitDownload>(bitPattern: at) else { return }
    let request = webkit_download_get_request(download)
    let url = request.flatMap { webkit_uri_request_get_uri($0) }.map { String(cString: $0) } ?? ""
    webkit_download_cancel(download)
    SignalTarget<WebSession>.object(at: target)?.onDownload?(url)
  }
}

/// What the creative scheme answers a request with.
package struct SchemeResponse: Sendable {
  package var status: Int
  package var mimeType: String
  package var body: [UInt8]
  /// Whether pages may use it again without asking; the engine then keeps it as long as its session isn't cleared.
  package private(set) var mayBeReused = false

  package init(status: Int = 200, mimeType: String, body: [UInt8]) {
    self.status = status
    self.mimeType = mimeType
    self.body = body
  }

  /// The same for a file of a creative's, which a web server would be asked for once; films are never kept.
  package var reusable: SchemeResponse {
    var response = self
    response.mayBeReused = !mimeType.hasPrefix("video/") && !mimeType.hasPrefix("audio/")
    return response
  }

  /// No such file in the creative.
  package static let notFound = SchemeResponse(status: 404, mimeType: "text/plain", body: Array("not found".utf8))
}
