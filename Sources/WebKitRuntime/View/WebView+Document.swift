internal import CWebKitGTK
internal import Core

extension WebView {
  /// The main document as it came, decoded but not yet understood; nil where there is none.
  package func documentBytes() async -> [UInt8]? {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return nil }
    return await withCheckedContinuation { continuation in
      let box = Unmanaged.passRetained(BytesContinuation(continuation)).toOpaque()
      webkit_web_resource_get_data(resource, nil, { onDocument($0, $1, $2) }, box)
    }
  }
}

private final class BytesContinuation: Sendable {
  let continuation: CheckedContinuation<[UInt8]?, Never>
  init(_ continuation: CheckedContinuation<[UInt8]?, Never>) { self.continuation = continuation }
}

private func onDocument(_ resource: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let resource, let data else { return }
  var length: gsize = 0
  let bytes = resource.withMemoryRebound(to: WebKitWebResource.self, capacity: 1) {
    webkit_web_resource_get_data_finish($0, result, &length, nil)
  }
  defer { g_free(bytes) }
  let copy = bytes.map { Array(UnsafeBufferPointer(start: $0, count: Int(length))) }
  Unmanaged<BytesContinuation>.fromOpaque(data).takeRetainedValue().continuation.resume(returning: copy)
}
