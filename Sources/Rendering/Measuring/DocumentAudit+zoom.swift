internal import Jobs
internal import MRAID

extension DocumentAudit {
  /// The same with lengths in dip, of a page that is drawn so much larger than it is laid out.
  func zoomed(by zoom: Double) -> DocumentAudit {
    guard zoom != 1 else { return self }
    var audit = self
    audit.unnamed = unnamed.map { $0.zoomed(by: zoom) }
    audit.clipped = clipped.map { $0.zoomed(by: zoom) }
    audit.lettering = lettering.map {
      Lettering(element: $0.element.zoomed(by: zoom), size: Self.tenths($0.size * zoom))
    }
    audit.closeControls = closeControls.map {
      CloseControl(element: $0.element.zoomed(by: zoom), contrast: $0.contrast)
    }
    audit.overflow.x = Self.tenths(overflow.x * zoom)
    audit.overflow.y = Self.tenths(overflow.y * zoom)
    return audit
  }

  fileprivate static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension DocumentAudit.Element {
  fileprivate func zoomed(by zoom: Double) -> Self {
    var element = self
    let box = frame.scaled(by: zoom)
    element.frame = Rect(
      x: DocumentAudit.tenths(box.x), y: DocumentAudit.tenths(box.y), width: DocumentAudit.tenths(box.width),
      height: DocumentAudit.tenths(box.height))
    return element
  }
}
