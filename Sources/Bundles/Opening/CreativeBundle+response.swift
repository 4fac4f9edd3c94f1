internal import MRAID
internal import OpenRTB

extension CreativeBundle {
  /// What a film's slot is where nobody says: the format that videos in a page come in.
  private static let videoSlot = Size(width: 300, height: 250)

  /// An ad server's answer, with whatever lies beside it; understood only when it is shown.
  static func response(
    _ bytes: [UInt8], form: ResponseForm, kind: Kind? = nil, sha256: String, store: any BundleStore
  ) -> CreativeBundle {
    var bundle = CreativeBundle(
      kind: kind ?? (form == .vast ? .vast : .bid), sha256: sha256,
      meta: CreativeMeta(size: size(bytes, form)), store: store)
    bundle.response = (form, bytes)
    return bundle
  }

  /// The same files around a document of this markup: what a response's ad turned out to be.
  package func showing(_ markup: String) -> CreativeBundle {
    let bytes = Array(markup.utf8)
    let document = MarkupFragment.wrapped(bytes, isScript: false) ?? bytes
    var bundle = self
    bundle.entry = BundleResource(document: document, path: "index.html", charset: "utf-8")
    bundle.url = nil
    return bundle
  }

  /// The winning bid's size; what can't be read is told when it is shown.
  private static func size(_ bytes: [UInt8], _ form: ResponseForm) -> Size? {
    guard form == .bid else { return videoSlot }
    guard let bid = try? BidResponseParser.parse(bytes).auction?.winner else { return nil }
    if let width = bid.width, let height = bid.height { return Size(width: width, height: height) }
    return bid.markupType == .video ? videoSlot : nil
  }
}
