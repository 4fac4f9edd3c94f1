package import Core
internal import FoundationEssentials
internal import Pixels
internal import RenderModel

/// Makes the results of a verification the new baseline, as a whole or in parts.
package struct Approval: Sendable {
  package private(set) var candidate: Candidate
  /// The folder of the creative's results.
  package let folder: String
  private let store: BaselineStore

  /// - Parameter store: the current folder of the baselines; nil for the one used by the verification.
  package init(_ candidate: Candidate, folder: String, store: String? = nil) {
    (self.candidate, self.folder) = (candidate, folder)
    self.store = BaselineStore(store ?? candidate.store)
  }

  /// Reads the verification stored in a folder of results; nil if there is none.
  ///
  /// The verification may come from another machine, for example as a CI job's artifact, and no path in an artifact is
  /// trusted. Its baselines are therefore looked for at the same relative path below the working folder; `baselines`
  /// names another folder.
  /// - Throws: a request's fault if the file is no verification, or if no folder for its baselines is found.
  package static func read(
    _ folder: String, baselines: String? = nil, in working: String = "."
  ) throws(Fault) -> Approval? {
    guard let bytes = try StoredFile.read("\(folder)/\(Candidate.fileName)") else { return nil }
    try DocumentVersion.check(bytes, of: "\(folder)/\(Candidate.fileName)", remedy: "verify again")
    guard let candidate = try? JSONDecoder().decode(Candidate.self, from: Data(bytes)), candidate.isSound else {
      throw .request("baseline-broken", "\(folder)/\(Candidate.fileName) isn't a verification")
    }
    let store = if let baselines { baselines } else { try place(of: candidate, in: working) }
    return Approval(candidate, folder: folder, store: store)
  }

  /// Returns the store's path on this machine.
  ///
  /// It lies below the working folder, and is a store by its name or its contents.
  private static func place(of candidate: Candidate, in working: String) throws(Fault) -> String {
    let here = AbsolutePath.resolved(working)
    for root in [here, candidate.directory].compactMap(\.self) where candidate.store.hasPrefix(root + "/") {
      let name = String(candidate.store.dropFirst(root.count + 1))
      let place = "\(here)/\(name)"
      // With a link on the way it would be anywhere.
      guard AbsolutePath.isPlain(name), AbsolutePath.resolved(place) == place,
        AbsolutePath.isFolder(AbsolutePath.split(place).parent)
      else { continue }
      if AbsolutePath.split(place).name == BaselineStore.folderName || BaselineStore(place).exists { return place }
    }
    throw .request(
      "baseline-elsewhere",
      "\(candidate.key.text) was verified with baselines in \(candidate.store), which isn't below this folder: "
        + "run the command in the folder of the verification, or name the baselines with --baselines")
  }

  /// Writes the chosen parts and returns true if the baseline changed; `names` are the parts, nil for all.
  ///
  /// The remaining parts can be approved later: the verification then counts as one against the new baseline.
  /// - Throws: a request's fault if the baseline has changed since the comparison, or if single parts are chosen though
  ///   the pictures were drawn under another fingerprint.
  package mutating func approve(_ names: Set<String>? = nil) throws(Fault) -> Bool {
    let old = try current()
    // Without a log and states there is no baseline yet.
    let chosen = candidate.parts.filter { part in
      names?.contains(part.name) ?? true || old == nil && !PartName.isPicture(part.name)
    }
    var manifest: BaselineManifest
    if names == nil || old == nil {
      manifest = try whole(old)
    } else if let old, candidate.differences == nil {
      manifest = old
      // The parts that stay were drawn under the old conditions, where anybody knows them.
      (manifest.seed, manifest.date) = (old.seed ?? candidate.seed, old.date ?? candidate.date)
    } else {
      throw .request(
        "baseline-fingerprint-differs", "\(candidate.key.text) was drawn in another environment: approve it as a whole")
    }
    for part in chosen { try replace(part, in: &manifest) }
    return try write(manifest, over: old)
  }

  /// Adds changed pictures as variants beside the recorded ones, which stay; `names` are parts, nil for all.
  ///
  /// The recorded log and states stay unchanged.
  /// - Throws: a request's fault if there is no baseline, no chosen picture changed, or one has the maximum number of
  ///   variants.
  package mutating func approveVariants(_ names: Set<String>? = nil) throws(Fault) -> Bool {
    guard let old = try current(), candidate.differences == nil else {
      throw .request("baseline-without-variants", "\(candidate.key.text) can't have variants: approve it as a whole")
    }
    let chosen = candidate.parts.filter { part in
      PartName.isPicture(part.name) && part.verdict == .changed && names?.contains(part.name) ?? true
    }
    var manifest = old
    var added = false
    for part in chosen {
      let recorded = part.replaces ?? part.name
      guard let index = manifest.screenshots.firstIndex(where: { $0.name == recorded }),
        let variant = try screenshot(part)
      else { continue }
      var variants = manifest.screenshots[index].variants ?? []
      guard variants.count < BaselineManifest.Screenshot.mostVariants else {
        throw .request(
          "baseline-variants-too-many",
          "\(part.name) already has \(variants.count) variants: approve it without --as-variant")
      }
      variants.append(BaselineManifest.Screenshot.Variant(sha256: variant.sha256, drawn: variant.drawn))
      manifest.screenshots[index].variants = variants
      added = true
    }
    guard added else { throw .request("baseline-without-variants", "no screenshot of \(candidate.key.text) changed") }
    return try write(manifest, over: old)
  }

  /// Returns the recorded manifest; fails if it isn't the one that was compared.
  private func current() throws(Fault) -> BaselineManifest? {
    let old = try store.manifest(candidate.key)
    guard old.map(Document.hash(ofJSON:)) == candidate.against else {
      throw .request(
        "baseline-outdated", "\(candidate.key.text) was recorded again after the verification: verify it again")
    }
    return old
  }

  private mutating func write(_ manifest: BaselineManifest, over old: BaselineManifest?) throws(Fault) -> Bool {
    guard manifest != old else { return false }
    try store.write(manifest, candidate.key)
    candidate.against = Document.hash(ofJSON: manifest)
    try StoredFile.write(Document.bytes(candidate), to: "\(folder)/\(Candidate.fileName)")
    return true
  }

  /// Returns a manifest without pictures, which are added part by part.
  private func whole(_ old: BaselineManifest?) throws(Fault) -> BaselineManifest {
    let fingerprint = try store.keep(Document.bytes(candidate.fingerprint), as: "json")
    let log = BaselineManifest.Log(sha256: Document.hash(of: []), count: 0)
    return BaselineManifest(
      source: candidate.source, fingerprint: fingerprint, states: candidate.states, screenshots: [],
      events: old?.events ?? log, seed: candidate.seed, date: candidate.date,
      settings: candidate.settings, files: candidate.files)
  }

  private func replace(_ part: Candidate.Part, in manifest: inout BaselineManifest) throws(Fault) {
    switch part.name {
    case PartName.states: manifest.states = candidate.states
    case PartName.files: manifest.files = candidate.files
    case PartName.events:
      let isKept = part.verdict == .unchanged || part.verdict == .flaky && manifest.events.flaky == true
      if !isKept { manifest.events = try log(part) }
    default:
      let replaced = [part.name, former(of: part)]
      manifest.screenshots.removeAll { replaced.contains($0.name) }
      if let screenshot = try screenshot(part) { manifest.screenshots.append(screenshot) }
      manifest.screenshots.sort { $0.name < $1.name }
    }
  }

  /// Returns the picture's name in the baseline; nil if another part has that name, or if there is no such picture.
  private func former(of part: Candidate.Part) -> String? {
    let name = part.replaces ?? part.kept?.name
    return candidate.parts.contains { $0.name == name } ? nil : name
  }

  private func screenshot(_ part: Candidate.Part) throws(Fault) -> BaselineManifest.Screenshot? {
    if var kept = part.kept {
      kept.name = part.name
      return kept
    }
    guard part.file != nil else { return nil }
    let drawn = try contents(of: part)
    let small = ImageCompression.smaller(drawn)
    return BaselineManifest.Screenshot(
      name: part.name, sha256: try store.keep(small, as: "png"), drawn: Document.hash(of: drawn),
      isFlaky: part.verdict == .flaky)
  }

  private func log(_ part: Candidate.Part) throws(Fault) -> BaselineManifest.Log {
    _ = try contents(of: part)
    let events = try EventLogFile.read("\(folder)/\(part.file ?? "")")
    let hash = try store.keep(NormalisedLog.bytes(events), as: "ndjson")
    return BaselineManifest.Log(sha256: hash, count: events.count, isFlaky: part.verdict == .flaky)
  }

  /// Returns the contents of a part's file, checked against the hash from the comparison.
  private func contents(of part: Candidate.Part) throws(Fault) -> [UInt8] {
    let path = "\(folder)/\(part.file ?? "")"
    guard AbsolutePath.isOwn(part.file ?? "", in: folder) else {
      throw .request("baseline-result-changed", "\(path) isn't a file of the results: verify again")
    }
    guard let bytes = try StoredFile.read(path), Document.hash(of: bytes) == part.sha256 else {
      throw .request("baseline-result-changed", "\(path) has changed since the verification: verify again")
    }
    return bytes
  }
}

/// Compresses pictures of baselines as far as possible, since they are written once and fetched by every user.
enum ImageCompression {
  /// Returns the same picture in fewer bytes, or the file itself if recompression doesn't make it smaller.
  static func smaller(_ file: [UInt8]) -> [UInt8] {
    guard let other = PNGRecompression.recompress(file), other.count < file.count else { return file }
    return other
  }
}
