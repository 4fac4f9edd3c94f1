internal import CWebKitGTK
internal import Core

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
