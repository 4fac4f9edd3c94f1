internal import Core
internal import MRAID
internal import RenderModel

/// Call by which an ad asks its network to open the store, or tells the network its state, as profiles write it.
struct StoreCall: Hashable, Sendable {
  /// Text in a profile, as `FbPlayableAd.onCTAClick` or `parent.postMessage('download')`.
  let text: String
  /// The same, as it is searched for in code.
  let call: PlayableCode.Call

  init(_ text: String) {
    self.text = text
    call = PlayableCode.Call(text)
  }

  /// Text for users, as `FbPlayableAd.onCTAClick()`.
  var shown: String { text.hasSuffix(")") ? text : "\(text)()" }

  /// Calls that open the store, of all networks that Galley knows.
  static let all: [StoreCall] = {
    var known: Set<StoreCall> = []
    return all(of: ProfileCatalogue.standard.profiles).filter { known.insert($0).inserted }
  }()

  /// Returns the calls that open the store by the rules of these profiles.
  static func all(of profiles: [Profile]) -> [StoreCall] {
    profiles.flatMap(\.rules).filter { $0.check == PlayableChecks.storeCall.id }.flatMap { $0.calls ?? [] }
      .map(StoreCall.init)
  }

  /// Indicates if an event's member `call`, with its arguments, is this call.
  func isMade(by event: Event) -> Bool {
    guard let said = event.detail["call"]?.string else { return false }
    let made = PlayableCode.Call(said)
    guard made.parts == call.parts else { return false }
    guard let argument = call.argument else { return true }
    let given = made.argument ?? event.detail["arguments"]?[0]?.string
    return given == argument || (given == nil && event.isNamed(.storeOpened))
  }

  /// Indicates if the creative's own code makes the call, or may make it in a way that only a run shows.
  func isNamed(in inventory: Inventory?) -> Bool { use(in: inventory) > .none }

  /// Indicates if the creative's own code makes the call.
  func isCalled(in inventory: Inventory?) -> Bool { use(in: inventory) == .called }

  private func use(in inventory: Inventory?) -> PlayableCode.Use {
    guard let inventory else { return .none }
    return inventory.code(for: call).use(of: call)
  }
}

extension Inventory {
  /// Calls and functions of all networks that Galley knows, for which the code is searched once.
  private static let networks: (calls: [PlayableCode.Call], names: [String]) = {
    let rules = ProfileCatalogue.standard.profiles.flatMap(\.rules)
    let calls = rules.flatMap { ($0.calls ?? []) + ($0.refuses ?? []) } + ClickthroughChecks.exits.map(\.text)
    return (calls.map(PlayableCode.Call.init), rules.flatMap { $0.answers ?? [] })
  }()

  /// Returns the calls and functions of the networks in these files.
  static func code(of sources: [SourceText]) -> PlayableCode {
    code(of: sources, calls: networks.calls, names: networks.names)
  }

  private static func code(of sources: [SourceText], calls: [PlayableCode.Call], names: [String]) -> PlayableCode {
    var code = PlayableCode(calls: calls, names: names)
    for source in sources where !source.path.hasSuffix(".css") {
      let bytes = Array(source.text.utf8)
      if source.isScript { code.read(script: bytes) } else { code.read(page: bytes) }
    }
    return code
  }

  /// Returns the search of the code that covers a call, which a profile of the user's may have added.
  fileprivate func code(for call: PlayableCode.Call) -> PlayableCode {
    code.covers(call) ? code : Self.code(of: sources, calls: [call], names: [])
  }

  /// Indicates if the code has a function of the page's, or may have it.
  func hasFunction(_ name: String) -> Bool {
    if Self.networks.names.contains(name) { return code.has(name) }
    return Self.code(of: sources, calls: [], names: [name]).has(name)
  }
}

extension SourceText {
  /// Indicates if it is a script, rather than a page or a style.
  var isScript: Bool { [".js", ".mjs", ".cjs"].contains { path.lowercased().hasSuffix($0) } }

  /// Indicates if the file has a word, if only in a text.
  func has(_ word: String) -> Bool { !Self.places(of: Array(word.utf8), in: Array(text.utf8)).isEmpty }

  /// Returns the first place of a text with word boundaries at its ends; nil if there is none.
  func place(ofWord word: String) -> Finding.Place? {
    let start = Self.places(of: Array(word.utf8), in: Array(text.utf8)).first
    return start.map { place(of: text.utf8.index(text.startIndex, offsetBy: $0)) }
  }

  /// Returns the offsets of a text with word boundaries at its ends, at most 200.
  private static func places(of wanted: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
    var places: [Int] = []
    for start in 0...bytes.count - wanted.count where bytes[start] == first && places.count < 200 {
      let end = start + wanted.count
      guard start == 0 || !bytes[start - 1].isOfScriptName, end == bytes.count || !bytes[end].isOfScriptName else {
        continue
      }
      if bytes[start..<end].elementsEqual(wanted) { places.append(start) }
    }
    return places
  }
}

extension CheckContext {
  /// Calls that open the store, of the container and of the chosen profiles' networks.
  var storeCalls: [StoreCall] {
    var known: Set<StoreCall> = []
    return (callsOfHost + StoreCall.all(of: profiles)).filter { known.insert($0).inserted }
  }

  /// Calls that open the store in the ad's container, if it belongs to a network with an interface of its own.
  var callsOfHost: [StoreCall] { StoreCall.all(of: profilesOfHost) }

  /// Profiles whose rules are tried in the ad's container, chosen or not; none for the standard's.
  var profilesOfHost: [Profile] {
    guard let container = record.container else { return [] }
    return ProfileCatalogue.standard.profiles.filter { $0.container == container }
  }

  /// Indicates if the creative's code was read completely, so that a missing name isn't there.
  var isCodeWhole: Bool {
    guard let inventory, !inventory.isCut, !sources.isEmpty else { return false }
    let unpackers = ["DecompressionStream", "inflate", "LZString", "unzip", "JSZip", "brotli"]
    // Packed code stands in data, which isn't kept.
    return !sources.contains { source in !source.gaps.isEmpty && unpackers.contains { source.text.contains($0) } }
  }

  /// Indicates if the ad ran in the container of a profile; always true for a profile without one.
  func isInContainer(of profile: Profile) -> Bool {
    profile.container == nil || profile.container == record.container
  }
}
