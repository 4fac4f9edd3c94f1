package import Core
internal import FoundationEssentials
internal import Pixels
internal import RenderModel

/// Makes what a verification found the baseline, as a whole or in parts.
package struct Approval: Sendable {
  package private(set) var candidate: Candidate
  /// The folder of the creative's results.
  package let folder: String
  private let store: BaselineStore

  /// - Parameter store: where the baselines are now; the place in which they were verified for nil.
  package init(_ candidate: Candidate, folder: String, store: String? = nil) {
    (self.candidate, self.folder) = (candidate, folder)
    self.store = BaselineStore(store ?? candidate.store)
  }

  /// Reads what was left in a folder of results; nil when nothing was.
  ///
  /// Another machine may have verified, as a job does whose results are an artifact. Its baselines are then those at the
  /// same place from the working folder; `baselines` names any other.
  /// - Throws: a request's fault for what is no verification, and when there is no place for its baselines.
  package static func read(
    _ folder: String, baselines: String? = nil, in working: String = "."
  ) throws(Fault) -> Approval? {
    guard let bytes = try StoredFile.read("\(folder)/\(Candidate.fileName)") else { return nil }
    try DocumentVersion.check(bytes, of: "\(folder)/\(Candidate.fileName)", remedy: "verify anew")
    guard let candidate = try? JSONDecoder().decode(Candidate.self, from: Data(bytes)) else {
      throw .request("baseline-broken", "\(folder)/\(Candidate.fileName) is no verification")
    }
    let store = if let baselines { baselines } else { try place(of: candidate, in: working) }
    return Approval(candidate, folder: folder, store: store)
  }

  /// The store's place on this machine.
  private static func place(of candidate: Candidate, in working: String) throws(Fault) -> String {
    func hasRoom(_ path: String) -> Bool { AbsolutePath.isFolder(AbsolutePath.split(path).parent) }
    if hasRoom(candidate.store) { return candidate.store }
    if let directory = candidate.directory, candidate.store.hasPrefix(directory + "/") {
      let here = AbsolutePath.resolved(working + candidate.store.dropFirst(directory.count))
      if hasRoom(here) { return here }
    }
    throw .request(
      "baseline-elsewhere",
      "\(candidate.key.text) was verified with baselines in \(candidate.store), which isn't here: go to the folder in "
        + "which it was verified, or name its baselines with --baselines")
  }

  /// Writes what is needed and returns whether anything changed; `names` are parts, nil for all.
  ///
  /// What wasn't chosen can be approved later: the verification is one against the new baseline from then on.
  /// - Throws: a request's fault when the baseline isn't what was compared with, or of another drawing a part.
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
        "baseline-fingerprint-differs", "\(candidate.key.text) was drawn by something else: approve it as a whole")
    }
    for part in chosen { try replace(part, in: &manifest) }
    return try write(manifest, over: old)
  }

  /// Keeps pictures that changed as variants beside the recorded ones, which stay; `names` are parts, nil for all.
  ///
  /// The log and the states stay as they are recorded.
  /// - Throws: a request's fault when there is no baseline, none of the pictures changed, or one has enough variants.
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
        throw .request("baseline-variants-too-many", "\(part.name) has \(variants.count) variants: approve it instead")
      }
      variants.append(BaselineManifest.Screenshot.Variant(sha256: variant.sha256, drawn: variant.drawn))
      manifest.screenshots[index].variants = variants
      added = true
    }
    guard added else { throw .request("baseline-without-variants", "no picture of \(candidate.key.text) changed") }
    return try write(manifest, over: old)
  }

  /// What is recorded, as long as it is what was compared with.
  private func current() throws(Fault) -> BaselineManifest? {
    let old = try store.manifest(candidate.key)
    guard old.map(Document.hash(ofJSON:)) == candidate.against else {
      throw .request(
        "baseline-outdated", "\(candidate.key.text) was recorded anew since it was verified: verify it again")
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

  /// Nothing but what drew it; the parts follow.
  private func whole(_ old: BaselineManifest?) throws(Fault) -> BaselineManifest {
    let fingerprint = try store.keep(Document.bytes(candidate.fingerprint), as: "json")
    let log = BaselineManifest.Log(sha256: Document.hash(of: []), count: 0)
    return BaselineManifest(
      source: candidate.source, fingerprint: fingerprint, states: candidate.states, screenshots: [],
      events: old?.events ?? log, seed: candidate.seed, date: candidate.date)
  }

  private func replace(_ part: Candidate.Part, in manifest: inout BaselineManifest) throws(Fault) {
    switch part.name {
    case PartName.states: manifest.states = candidate.states
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

  /// The name under which the baseline has the picture; nil where that is another part's name, or there is none.
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

  /// A part's file, as it was when it was compared.
  private func contents(of part: Candidate.Part) throws(Fault) -> [UInt8] {
    let path = "\(folder)/\(part.file ?? "")"
    guard let bytes = try StoredFile.read(path), Document.hash(of: bytes) == part.sha256 else {
      throw .request("baseline-result-changed", "\(path) isn't what was verified: verify again")
    }
    return bytes
  }
}

/// Baselines are drawn once and fetched by everybody, so they are compressed as far as it goes.
enum ImageCompression {
  /// The same picture in fewer bytes; the file itself where nothing is gained.
  static func smaller(_ file: [UInt8]) -> [UInt8] {
    guard let other = PNGRecompression.recompress(file), other.count < file.count else { return file }
    return other
  }
}
