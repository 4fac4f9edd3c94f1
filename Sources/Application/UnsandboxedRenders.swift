internal import Core
internal import RenderModel
internal import Synchronization

/// Number of renders in this call whose web processes had no sandbox.
package enum UnsandboxedRenders {
  private static let number = Atomic(0)

  /// Number of these renders until now.
  package static var count: Int { number.load(ordering: .relaxed) }

  /// Counts a record if its engine ran without a sandbox.
  static func note(_ record: RenderRecord) {
    // A render that was refused for it ran nothing.
    if record.engine?.sandbox == false, !record.has(.sandboxMissing) { number.add(1, ordering: .relaxed) }
  }
}
