internal import CWebKitGTK
package import Engine

/// Hosts to which a web process sends requests at all, before addresses are judged; raw values are the extension's.
package enum WebReach: Int32, Sendable {
  /// No hosts: only the creative's own files.
  case nothing = 0
  /// Numeric hosts and this machine's own name, so that no name server is asked for any other.
  case numbers = 1
  /// Any host.
  case names = 2
}

/// Browsing session of its own: cookies, storage, caches and web process are shared with no other session.
@EngineActor package final class WebSession {
  /// Settings of a session; fixed once it exists.
  package struct Configuration: Sendable {
    /// Mebibytes at which WebKit ends a web process by itself.
    package var memoryLimit: Int
    /// Indicates if web processes run in WebKit's bubblewrap sandbox.
    package var sandbox: Bool
    /// Hosts on the web to which web processes may send requests; the proxy judges the addresses.
    package var reach: WebReach
    /// Proxy of every request, like `http://127.0.0.1:3128`; nil for the machine's own settings.
    package var proxy: String?
    /// Indicates if certificates are left to the proxy, which ends TLS and checks the servers' certificates itself.
    package var trustsProxy = false
    /// Names of scripts, in lower case, that Galley's own host answers wherever pages request them.
    package var containerScripts: [String] = []
    /// Indicates if no request waits for another's connection, as the answering side has an order of its own; needs a
    /// clock.
    package var asksAllAtOnce = false
    /// Language of the app, as pages and servers see it.
    package var language = "en-US"
    /// Folder with Galley's web process extension; nil to do without it.
    package var extensionDirectory: String?

    /// Indicates if the session only exists to share its network process with all others.
    ///
    /// The engine starts a network process for each session unless there is one that could store data permanently.
    package var keepsNetworkProcess = false
    /// Clock of the web processes, which needs the extension; nil for the machine's time.
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

  let context: UnsafeMutablePointer<WebKitWebContext>
  private let configuration: Configuration
  /// Clock of the web processes; nil for the machine's time.
  var clock: VirtualClock? { configuration.clock }
  /// Handlers that answer `creative://HOST/path`, by host.
  private var handlers: [String: (String) -> SchemeResponse] = [:]
  /// Proxy of the pages' requests; nil for the machine's own settings.
  package var proxy: String? { configuration.proxy }
  /// Indicates if certificates are left to that proxy.
  package var trustsProxy: Bool { configuration.trustsProxy }
  /// Called with the URL of each download, which is refused.
  package var onDownload: ((String) -> Void)?

  /// Poll interval in seconds that is longer than any clock runs.
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

  /// Serves `creative://host/…` from `handler`, which receives the path with its query.
  package func serve(host: String, _ handler: @escaping (String) -> SchemeResponse) {
    handlers[host] = handler
  }

  /// Removes a host's handler.
  package func stopServing(host: String) { handlers[host] = nil }

  /// Deletes everything that pages have stored: cookies, caches, databases, service workers.
  package func clear() async {
    await EngineActor.wait { (wakeup: Wakeup<Void>) in
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
    galley_set_language(context, configuration.language)
    let target = SignalTarget(self)
    webkit_web_context_register_uri_scheme(
      context, CreativeScheme.name, { onSchemeRequest($0, $1) }, target.retainedPointer(), { releaseTarget($0) })
    let security = webkit_web_context_get_security_manager(context)
    webkit_security_manager_register_uri_scheme_as_secure(security, CreativeScheme.name)
    webkit_security_manager_register_uri_scheme_as_cors_enabled(security, CreativeScheme.name)
    connect(context, "download-started", target, unsafeBitCast(onDownloadStarted, to: GCallback.self))
    if let fonts = FontSetup.folder { webkit_web_context_add_path_to_sandbox(context, fonts, 1) }
    for place in FontSetup.ownPlaces { webkit_web_context_add_path_to_sandbox(context, place, 1) }
    if let directory = configuration.extensionDirectory {
      webkit_web_context_set_web_extensions_directory(context, directory)
      webkit_web_context_set_web_extensions_initialization_user_data(
        context,
        galley_extension_data(
          configuration.reach.rawValue, configuration.clock?.folder ?? "",
          configuration.containerScripts.joined(separator: " ")))
      if let clock = configuration.clock { webkit_web_context_add_path_to_sandbox(context, clock.folder, 0) }
    }
  }

  fileprivate func answer(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>) {
    let url = String(cString: webkit_uri_scheme_request_get_uri(request))
    let rest = url.dropFirst(CreativeScheme.name.count + 3)
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
  EngineActor.assumeIsolated {
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
  EngineActor.assumeIsolated {
    guard let download = UnsafeMutablePointer<WebKitDownload>(bitPattern: at) else { return }
    let request = webkit_download_get_request(download)
    let url = request.flatMap { webkit_uri_request_get_uri($0) }.map { String(cString: $0) } ?? ""
    webkit_download_cancel(download)
    SignalTarget<WebSession>.object(at: target)?.onDownload?(url)
  }
}
