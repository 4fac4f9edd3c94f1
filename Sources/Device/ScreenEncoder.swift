package import Pixels
internal import Synchronization

/// Encodes images of screens; parts that are the same in successive ones are drawn and compressed only once.
package final class ScreenEncoder: Sendable {
  private struct Entry: Sendable {
    let layout: ScreenTemplate.Layout
    let template: ScreenTemplate
  }

  /// Templates in the order of their last use, the latest at the end.
  private let entries = Mutex<[Entry]>([])
  /// Maximum size of all templates together, in bytes.
  private let capacity: Int

  /// - Parameter capacity: maximum size of all templates in bytes; a banner at three pixels per dip takes 0.7 MB.
  package init(capacity: Int = 8 << 20) {
    self.capacity = capacity
  }

  /// The PNG of a screen as composed by `Compositor`.
  /// - Throws: as `PNGEncoder`.
  package func encode(_ screen: Screen, views: [ViewID: Bitmap]) throws(PNGError) -> [UInt8] {
    if let layout = ScreenTemplate.Layout(screen),
      let file = try template(of: layout).encode(screen, layout, views: views)
    {
      return file
    }
    return try PNGEncoder.encode(Compositor().compose(screen, views: views))
  }

  /// Present size of all templates, in bytes.
  var byteCount: Int { entries.withLock { $0.reduce(0) { $0 + $1.template.byteCount } } }

  /// The layouts whose templates are stored, the last used at the end.
  var layouts: [ScreenTemplate.Layout] { entries.withLock { $0.map(\.layout) } }

  private func template(of layout: ScreenTemplate.Layout) throws(PNGError) -> ScreenTemplate {
    let known = entries.withLock { entries -> ScreenTemplate? in
      guard let index = entries.firstIndex(where: { $0.layout == layout }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.template
    }
    if let known { return known }
    // Two tasks may draw the same at once; nobody waits for the other.
    let template = try ScreenTemplate(layout)
    entries.withLock { keep(Entry(layout: layout, template: template), in: &$0) }
    return template
  }

  /// Adds a template and drops those unused for longest; one larger than the capacity isn't stored.
  private func keep(_ entry: Entry, in entries: inout [Entry]) {
    guard entry.template.byteCount <= capacity, !entries.contains(where: { $0.layout == entry.layout }) else { return }
    entries.append(entry)
    while entries.reduce(0, { $0 + $1.template.byteCount }) > capacity { entries.removeFirst() }
  }
}
