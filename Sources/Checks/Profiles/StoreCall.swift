internal import Core
internal import RenderModel

/// Call by which an ad asks its network to open the store, or tells the network its state, as profiles write it.
struct StoreCall: Hashable, Sendable {
  /// Text in a profile, as `FbPlayableAd.onCTAClick` or `parent.postMessage('download')`.
  let text: String
  /// Parts of the name without the window's, as `FbPlayableAd` and `onCTAClick`.
  private let parts: [String]
  /// First argument, if the call is only meant with it.
  private let argument: String?

  init(_ text: String) {
    self.text = text
    parts = Self.parts(of: text)
    argument = Self.argument(of: text)
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
    guard let said = event.detail["call"]?.string, Self.parts(of: said) == parts else { return false }
    guard let argument else { return true }
    let given = Self.argument(of: said) ?? event.detail["arguments"]?[0]?.string
    return given == argument || (given == nil && event.isNamed(.storeOpened))
  }

  /// Indicates if the code has all parts of the call, however it joins them.
  func isNamed(in sources: [SourceText]) -> Bool {
    let hasParts = parts.allSatisfy { part in sources.contains { $0.has(part, isCall: parts.count == 1) } }
    guard hasParts, let argument else { return hasParts }
    return sources.contains { source in ["'", "\"", "`"].contains { source.text.contains($0 + argument + $0) } }
  }

  /// Names by which code means its own window, or the ones around it.
  fileprivate static let windows = ["window", "self", "globalThis", "parent", "top"]

  /// Returns the parts of a call's name, without the names of windows.
  private static func parts(of text: String) -> [String] {
    Array(text.prefix { $0 != "(" }.split(separator: ".").map(String.init).drop { windows.contains($0) })
  }

  private static func argument(of text: String) -> String? {
    let quoted = text.drop { $0 != "'" && $0 != "\"" }.dropFirst()
    let argument = quoted.prefix { $0 != "'" && $0 != "\"" }
    return argument.isEmpty ? nil : String(argument)
  }
}

extension SourceText {
  /// Indicates if the code has a word; `isCall` also demands that it is called and isn't a method of another object.
  func has(_ word: String, isCall: Bool = false) -> Bool {
    let bytes = Array(text.utf8)
    let wanted = Array(word.utf8)
    return Self.places(of: wanted, in: bytes).contains { start in
      !isCall || Self.isCall(bytes, from: start, to: start + wanted.count)
    }
  }

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

  /// Indicates if a name is called, or tested before a call, and belongs to the window.
  private static func isCall(_ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
    let before = String(decoding: bytes[max(0, start - 24)..<start], as: UTF8.self)
    let isMember = before.hasSuffix(".") || before.hasSuffix("[\"") || before.hasSuffix("['")
    let isOfWindow = StoreCall.windows.contains { owner in
      ["\(owner).", "\(owner)?.", "\(owner)[\"", "\(owner)['"].contains { before.hasSuffix($0) }
    }
    guard isOfWindow || (!isMember && !before.hasSuffix("function ")) else { return false }
    let rest = bytes[end...].drop { Array(" \t\n\"']".utf8).contains($0) }
    return isOfWindow || rest.first == UInt8(ascii: "(")
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
