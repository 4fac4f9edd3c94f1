internal import CWebKitGTK
internal import Core
package import Engine
internal import Pixels

/// Resources that a view's pages request, each from its start to its end.
@EngineActor package final class ResourceWatch {
  /// Number of resources requested so far, which is also the next one's number.
  package private(set) var count = 0
  /// Resources on their way, by their numbers.
  package private(set) var open: [Int: OpenRequest] = [:]
  /// Number of answers that have begun so far.
  package private(set) var answers = 0
  /// Indicates if reports include the headers and the decoded size, which takes a copy of encoded bodies.
  package var recordsHeaders = false
  /// Indicates if images are checked for animation, which takes a copy of each that may be animated.
  package var readsImages = false
  /// Receiver of decoded bodies, and its choice of resources; nil for none.
  package var bodies: BodyReceiver?
  /// Source of the page's time, in milliseconds.
  package var pageTime: @EngineActor () -> Double = { 0 }
  /// View that reports each resource that finished or failed.
  weak var view: WebView?
  /// Monotonic microseconds at the first load, from which resource times count; nil before it.
  private var loadBegan: gint64?

  /// Indicates if the view has ever begun a load.
  var hasLoads: Bool { loadBegan != nil }

  /// Seconds since the first load.
  package var secondsSinceLoad: Double {
    guard let loadBegan else { return 0 }
    return Double(g_get_monotonic_time() - loadBegan) / 1_000_000
  }

  /// Records that the view begins a load.
  func loadBegins() {
    if loadBegan == nil { loadBegan = g_get_monotonic_time() }
  }

  /// Records that a page has requested a resource, and follows its signals.
  func started(
    _ resource: UnsafeMutablePointer<WebKitWebResource>, _ request: UnsafeMutablePointer<WebKitURIRequest>
  ) {
    let url = CreativeScheme.meant(ResourceLoad.url(webkit_uri_request_get_uri(request)))
    var load = ResourceLoad(url: url, index: count, requested: secondsSinceLoad)
    load.asked = pageTime()
    load.isServiceWorker =
      HTTPHeader.value(of: "Service-Worker", in: webkit_uri_request_get_http_headers(request)) != nil
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

  /// Records that the answer to a request begins.
  fileprivate func answered(_ index: Int, _ response: UnsafeMutablePointer<WebKitURIResponse>) {
    answers += 1
    let mimeType = webkit_uri_response_get_mime_type(response).map { String(cString: $0) } ?? ""
    let length = PendingResource.length(of: response)
    open[index]?.answer = OpenRequest.Answer(mimeType: mimeType, length: length, at: .now)
  }

  /// Passes a body to its receiver if that wants it; the resource's own report doesn't wait for it.
  fileprivate func read(_ load: ResourceLoad, _ resource: UnsafeMutablePointer<WebKitWebResource>) {
    guard let bodies, bodies.wants(load) else { return }
    g_object_ref(UnsafeMutableRawPointer(resource))
    let address = UInt(bitPattern: resource)
    Task { @EngineActor in
      guard let resource = UnsafeMutablePointer<WebKitWebResource>(bitPattern: address) else { return }
      defer { g_object_unref(UnsafeMutableRawPointer(resource)) }
      if let bytes = await ResourceWatch.body(of: resource) { bodies.receive(load, bytes) }
    }
  }

  /// Returns a resource's decoded body; nil if there is none.
  fileprivate static func body(of resource: UnsafeMutablePointer<WebKitWebResource>) async -> [UInt8]? {
    await EngineActor.wait { wakeup in
      let box = Unmanaged.passRetained(BodyWait(wakeup)).toOpaque()
      webkit_web_resource_get_data(resource, nil, { onBody($0, $1, $2) }, box)
    }
  }

  /// Reports the end of a resource.
  fileprivate func end(_ load: ResourceLoad) {
    var load = load
    load.end = secondsSinceLoad
    open[load.index] = nil
    view?.emit(.resource(load))
  }
}

/// Resource on its way, until it finishes or fails; each of its signal handlers owns a reference.
@EngineActor private final class PendingResource {
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

  /// Returns the number of bytes that a header states; nil if it states none.
  static func length(of response: UnsafeMutablePointer<WebKitURIResponse>) -> Int? {
    let length = webkit_uri_response_get_content_length(response)
    // A stream of unknown length says the largest number there is.
    return length > 0 && length < 1 << 50 ? Int(exactly: length) : nil
  }

  /// Records that the answer begins.
  func takeHead(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    if let response { watch?.answered(load.index, response) }
  }

  /// Takes an answer with an error status as the resource's outcome, in place of the engine's failure.
  ///
  /// The engine cancels loads of scripts, style sheets and fonts itself if the answer can't be used, but not of images.
  func takeRefusal(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    guard let response, webkit_uri_response_get_status_code(response) >= 400 else { return }
    take(response)
    load.bytes = -1
    load.failure = nil
  }

  /// Records the method and the header of a request as it is sent, if the view records headers.
  func take(_ request: UnsafeMutablePointer<WebKitURIRequest>) {
    guard watch?.recordsHeaders == true else { return }
    load.method = webkit_uri_request_get_http_method(request).map { String(cString: $0) } ?? "GET"
    load.requestHeaders = HTTPHeader.list(webkit_uri_request_get_http_headers(request))
  }

  /// Indicates if the body must be read, for its decoded length or for its animation.
  var needsBody: Bool { needsLength || mayMove }

  private var needsLength: Bool {
    load.bytes < 0 || watch?.recordsHeaders == true && load.responseHeaders.value(of: "content-encoding") != nil
  }

  private static let moving: Set<String> = ["image/gif", "image/webp", "image/png", "image/apng"]

  private var mayMove: Bool { watch?.readsImages == true && Self.moving.contains(load.mimeType) }

  /// Stores the size of the decoded body, and its animation if it is needed.
  func take(_ body: UnsafeBufferPointer<UInt8>) {
    if needsLength { load.decodedBytes = body.count }
    if load.bytes < 0 { load.bytes = body.count }
    guard mayMove else { return }
    let bytes = Array(body)
    load.animation = AnimatedImage(bytes)
    load.isStill = AnimatedImage.isStill(bytes)
  }

  func read(_ resource: UnsafeMutablePointer<WebKitWebResource>) { watch?.read(load, resource) }

  func finish() {
    watch?.end(load)
    watch = nil
  }
}

/// Runs `body` with the resource behind a handler's user data.
private func withResource(_ data: gpointer?, _ body: @EngineActor (PendingResource) -> Void) {
  guard let data else { return }
  let address = UInt(bitPattern: data)
  EngineActor.assumeIsolated {
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
      resource.load.url = CreativeScheme.meant(url)
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
  EngineActor.assumeIsolated {
    guard let resource = UnsafeMutablePointer<WebKitWebResource>(bitPattern: at),
      let pointer = UnsafeRawPointer(bitPattern: address)
    else { return }
    let pending = Unmanaged<PendingResource>.fromOpaque(pointer).takeUnretainedValue()
    pending.take(webkit_web_resource_get_response(resource))
    pending.read(resource)
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
  let at = UInt(bitPattern: bytes)
  withResource(data) { resource in
    if let bytes = UnsafePointer<UInt8>(bitPattern: at) {
      resource.take(UnsafeBufferPointer(start: bytes, count: Int(clamping: length)))
    }
    resource.finish()
  }
  g_free(bytes)
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
  /// Returns the main document's decoded bytes as they were received; nil if there is no document.
  package func documentBytes() async -> [UInt8]? {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return nil }
    return await ResourceWatch.body(of: resource)
  }
}

/// Receiver of the decoded bodies of some resources.
package struct BodyReceiver: Sendable {
  fileprivate let wants: @EngineActor (ResourceLoad) -> Bool
  fileprivate let receive: @EngineActor (ResourceLoad, [UInt8]) -> Void

  package init(
    wants: @escaping @EngineActor (ResourceLoad) -> Bool,
    receive: @escaping @EngineActor (ResourceLoad, [UInt8]) -> Void
  ) {
    (self.wants, self.receive) = (wants, receive)
  }
}

private final class BodyWait: Sendable {
  let wakeup: Wakeup<[UInt8]?>
  init(_ wakeup: Wakeup<[UInt8]?>) { self.wakeup = wakeup }
}

private func onBody(_ resource: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let resource, let data else { return }
  var length: gsize = 0
  let bytes = resource.withMemoryRebound(to: WebKitWebResource.self, capacity: 1) {
    webkit_web_resource_get_data_finish($0, result, &length, nil)
  }
  defer { g_free(bytes) }
  let copy = bytes.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) }
  Unmanaged<BodyWait>.fromOpaque(data).takeRetainedValue().wakeup.resume(returning: copy)
}

extension OpenRequest.Purpose {
  /// Reads the purpose from the request's header.
  @EngineActor fileprivate init(_ request: UnsafeMutablePointer<WebKitURIRequest>) {
    let headers = webkit_uri_request_get_http_headers(request)
    self.init(
      accept: HTTPHeader.value(of: "Accept", in: headers),
      destination: HTTPHeader.value(of: "Sec-Fetch-Dest", in: headers))
  }
}
