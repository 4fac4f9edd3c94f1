internal import Cluster
internal import Comparison
internal import Core
internal import Scheduling

/// Checks of names in changes before they become parts of paths, so that a change can't refer to any other file.
extension StoreChange {
  var isSound: Bool { true }
}

extension AcceptRender {
  var isSound: Bool {
    let names = [new.name] + [new.file].compactMap(\.self)
    return RenderID.isOne(new.id) && names.allSatisfy { AbsolutePath.isPlainName($0) }
      && new.content.utf8.count <= 20_000
  }
}

extension StartRender {
  var isSound: Bool { RenderID.isOne(id) }
}

extension EndRender {
  var isSound: Bool {
    guard RenderID.isOne(id), ContentHash.isOneOrNone(ending.parcel) else { return false }
    if let review = ending.review, review.render != id || !review.isSound { return false }
    guard let summary = ending.summary else { return true }
    return RenderSummary.read(summary)?.isSound ?? false
  }
}

extension ForgetRender {
  var isSound: Bool { RenderID.isOne(id) }
}

extension RemoveRender {
  var isSound: Bool { RenderID.isOne(id) }
}

extension RestoreRender {
  var isSound: Bool { RenderID.isOne(id) }
}

extension UpdateReview {
  var isSound: Bool { review.isSound }
}

extension SetBaseline {
  var isSound: Bool {
    key.isPlain && ContentHash.isOneOrNone(manifest)
  }
}

extension KeepShare {
  var isSound: Bool { RenderID.isOne(share.render) && share.id.utf8.count <= 100 && (1...10_000).contains(most) }
}

extension EndShare {
  var isSound: Bool { RenderID.isOne(render) && (id?.utf8.count ?? 0) <= 100 && (1...10_000).contains(most) }
}

extension KeepComparison {
  var isSound: Bool { AbsolutePath.isPlainName(id) && ContentHash.isOne(parcel) }
}
