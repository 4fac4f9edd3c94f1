internal import Core
internal import CWebKitGTK

/// The resources that a view's pages ask for, each from its start to its end.
@WebKitActor package final class ResourceWatch {
  /// Numbers the resources in the order they were asked for.
  package private(set) var count = 0
  /// Those on their way, by their numbers.
  package private(set) var open: [Int: OpenRequest] = [:]
  /// How many answers have begun so far.
  package private(set) var answers = 0
  /// Whether resources are told with their heads and with the size of what was decoded, which costs a copy of it.
  package var recordsHeaders = false
  /// The time that pages live in, in milliseconds.
  package var pageTime: @WebKitActor () -> Double = { 0 }
  /// Hears of each that finished or failed.
  var onEnd: ((ResourceLoad) -> Void)?
  /// Monotonic µs of the first load; resource times count from it.
  private var loadBegan: gint64?

  /// Whether the view was ever told to load something.
  var hasLoads: Bool { loadBegan != nil }

  /// Seconds since the first load.
  package var secondsSinceLoad: Double {
    guard let loadBegan else { return 0 }
    return Double(g_get_monotonic_time() - loadBegan) / 1_000_000
  }

  /// The view is told to load something.
  func loadBegins() {
    if loadBegan == nil { loadBegan = g_get_monotonic_time() }
  }

  /// A page asked for a resource.
  func started(
    _ resource: UnsafeMutablePointer<WebKitWebResource>, _ request: UnsafeMutablePointer<WebKitURIRequest>
  ) {
    let url = WebSession.meant(ResourceLoad.url(webkit_uri_request_get_uri(request)))
    let now = secondsSinceLoad
    let load = ResourceLoad(
      url: url, index: count, status: 0, mimeType: "", bytes: -1, start: now, end: now, failure: nil, redirects: [],
      asked: pageTime(),
      isServiceWorker: HTTPHeader.value(of: "Service-Worker", in: webkit_uri_request_get_http_headers(request)) != nil)
    open[count] = OpenRequest(url: url, purpose: OpenRequest.Purpose(request), asked: .now)
    count += 1
    let pending = PendingResource(watch: self, load: load)
    pending.take(request)
    for (signal, callback) in [
      ("sent-request", unsafeBitCast(onSentRequest, to: GCallback.self)),
      ("notify::response", unsafeBitCast(onResponse, to: GCallback.self)),
      ("finished", unsafeBitCast(onFinished, to: GCallback.self)),
      ("failed", unsafeBitCast(onFailed, to: GCallback.self)),
    ] {
      galley_connect(
        UnsafeMutableRawPointer(resource), signal, callback, Unmanaged.passRetained(pending).toOpaque(),
        { data, _ in releaseTarget(data) })
    }
  }

  /// The answer to a request begins.
  fileprivate func answered(_ index: Int, _ response: UnsafeMutablePointer<WebKitURIResponse>) {
    answers += 1
    let mimeType = webkit_uri_response_get_mime_type(response).map { String(cString: $0) } ?? ""
    let length = PendingResource.length(of: response)
    open[index]?.answer = OpenRequest.Answer(mimeType: mimeType, length: length, at: .now)
  }

  /// A resource has ended.
  fileprivate func end(_ load: ResourceLoad) {
    var load = load
    load.end = secondsSinceLoad
    open[load.index] = nil
    onEnd?(load)
  }
}

/// A resource on its way, until it finishes or fails; each of its signal handlers owns a reference.
@WebKitActor private final class PendingResource {
  private weak var watch: ResourceWatch?
  var load: ResourceLoad

  init(watch: ResourceWatch, load: ResourceLoad) {
    self.watch = watch
    self.load = load
  }

  func take(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    guard let response else { return }
    load.status = Int(webkit_uri_response_get_status_code(response))
    load.mimeType = webkit_uri_response_get_mime_type(response).map { String(cString: $0) } ?? ""
    if let length = Self.length(of: response) { load.bytes = length }
    if watch?.recordsHeaders == true {
      load.responseHeaders = HTTPHeader.list(webkit_uri_response_get_http_headers(response))
    }
  }

  /// Bytes that a head promises; nil when it says nothing of it.
  static func length(of response: UnsafeMutablePointer<WebKitURIResponse>) -> Int? {
    let length = webkit_uri_response_get_content_length(response)
    // A stream of unknown length says the largest number there is.
    return length > 0 && length < 1 << 50 ? Int(exactly: length) : nil
  }

  /// The answer begins.
  func takeHead(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    if let response { watch?.answered(load.index, response) }
  }

  /// An answer that says there is no such thing, when that is why the engine gave up.
  ///
  /// It cancels such loads itself where what comes can't be used: of scripts, style sheets and fonts, not of images.
  func takeRefusal(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    guard let response, webkit_uri_response_get_status_code(response) >= 400 else { return }
    take(response)
    load.bytes = -1
    load.failure = nil
  }

  /// What is asked for, as it is sent.
  func take(_ request: UnsafeMutablePointer<WebKitURIRequest>) {
    guard watch?.recordsHeaders == true else { return }
    load.method = webkit_uri_request_get_http_method(request).map { String(cString: $0) } ?? "GET"
    load.requestHeaders = HTTPHeader.list(webkit_uri_request_get_http_headers(request))
  }

  /// Whether the body itself has to say how long it is.
  var needsBody: Bool {
    load.bytes < 0 || watch?.recordsHeaders == true && load.responseHeaders.value(of: "content-encoding") != nil
  }

  func finish() {
    watch?.end(load)
    watch = nil
  }
}

/// Runs `body` with the resource behind a handler's user data.
private func withResource(_ data: gpointer?, _ body: @WebKitActor (PendingResource) -> Void) {
  guard let data else { return }
  let address = UInt(bitPattern: data)
  WebKitActor.assumeIsolated {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    body(Unmanaged<PendingResource>.fromOpaque(pointer).takeUnretainedValue())
  }
}

private let onSentRequest:
  @convention(c) (gpointer?, UnsafeMutablePointer<WebKitURIRequest>?, gpointer?, gpointer?) -> Void = {
    _, request, redirect, data in
    guard let request else { return }
    let at = UInt(bitPattern: request)
    withResource(data) { resource in
      if let request = UnsafeMutablePointer<WebKitURIRequest>(bitPattern: at) { resource.take(request) }
    }
    guard redirect != nil, let address = webkit_uri_request_get_uri(request) else { return }
    let url = ResourceLoad.url(address)
    withResource(data) { resource in
      resource.load.redirects.append(resource.load.url)
      resource.load.url = WebSession.meant(url)
    }
  }

private let onResponse: @convention(c) (UnsafeMutablePointer<WebKitWebResource>?, gpointer?, gpointer?) -> Void = {
  resource, _, data in
  let at = UInt(bitPattern: resource)
  withResource(data) { pending in
    guard let resource = UnsafeMutablePointer<WebKitWebResource>(bitPattern: at) else { return }
    pending.takeHead(webkit_web_resource_get_response(resource))
  }
}

private let onFinished: @convention(c) (UnsafeMutablePointer<WebKitWebResource>?, gpointer?) -> Void = {
  resource, data in
  guard let resource, let data else { return }
  let (at, address) = (UInt(bitPattern: resource), UInt(bitPattern: data))
  WebKitActor.assumeIsolated {
    guard let resource = UnsafeMutablePointer<WebKitWebResource>(bitPattern: at),
      let pointer = UnsafeRawPointer(bitPattern: address)
    else { return }
    let pending = Unmanaged<PendingResource>.fromOpaque(pointer).takeUnretainedValue()
    pending.take(webkit_web_resource_get_response(resource))
    guard pending.needsBody else { return pending.finish() }
    let owned = Unmanaged.passRetained(pending).toOpaque()
    webkit_web_resource_get_data(resource, nil, { onData($0, $1, $2) }, owned)
  }
}

private func onData(_ resource: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let resource, let data else { return }
  var length: gsize = 0
  let bytes = resource.withMemoryRebound(to: WebKitWebResource.self, capacity: 1) {
    webkit_web_resource_get_data_finish($0, result, &length, nil)
  }
  let count = bytes == nil ? -1 : Int(length)
  g_free(bytes)
  withResource(data) { resource in
    if resource.load.bytes < 0 { resource.load.bytes = count }
    if count >= 0 { resource.load.decodedBytes = count }
    resource.finish()
  }
  releaseTarget(data)
}

private let onFailed:
  @convention(c) (UnsafeMutablePointer<WebKitWebResource>?, UnsafePointer<GError>?, gpointer?) -> Void = {
    resource, error, data in
    let at = UInt(bitPattern: resource)
    let message = error.map { String(cString: $0.pointee.message) } ?? "failed"
    withResource(data) { pending in
      pending.load.failure = message
      if let resource = UnsafeMutablePointer<WebKitWebResource>(bitPattern: at) {
        pending.takeRefusal(webkit_web_resource_get_response(resource))
      }
      pending.finish()
    }
  }

extension WebView {
  /// The main document as it came, decoded but not yet understood; nil where there is none.
  package func documentBytes() async -> [UInt8]? {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return nil }
    return await WebKitActor.wait { wakeup in
      let box = Unmanaged.passRetained(DocumentWait(wakeup)).toOpaque()
      webkit_web_resource_get_data(resource, nil, { onDocument($0, $1, $2) }, box)
    }
  }
}

private final class DocumentWait: Sendable {
  let wakeup: Wakeup<[UInt8]?>
  init(_ wakeup: Wakeup<[UInt8]?>) { self.wakeup = wakeup }
}

private func onDocument(_ resource: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let resource, let data else { return }
  var length: gsize = 0
  let bytes = resource.withMemoryRebound(to: WebKitWebResource.self, capacity: 1) {
    webkit_web_resource_get_data_finish($0, result, &length, nil)
  }
  defer { g_free(bytes) }
  let copy = bytes.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) }
  Unmanaged<DocumentWait>.fromOpaque(data).takeRetainedValue().wakeup.resume(returning: copy)
}
