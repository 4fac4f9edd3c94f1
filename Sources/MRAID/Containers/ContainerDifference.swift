package import Core

/// Difference between a container and MRAID 3.0, with its source.
package struct ContainerDifference: Hashable, Sendable, Codable {
  /// Kind of a difference; the names are those of the data files.
  package enum What: String, Hashable, Sendable, Codable, CaseIterable {
    case version, sdk, environment, placement, supports, missingMethods, refusedMethods, inertMethods, silentEvents
    case eventOrder, answersListeners, sizeChangeUnit, tellsStateBeforeReady, locksOrientation
    case resizeNeedsAllowOffscreen, resizeBoundsOffscreen, resizeChecksRegionEarly, resizeChecksRegionOffscreen
    case resizePlacesCloseRegion, resizeHasCloseControl
    case closeDelay, openNeedsGesture, readsViewport, errorsInCall, audioNeedsTouch
    case listenerOrder, skipsRemovedListeners, stopsAtException, removesAllListeners, interface
    case scripts, functions, messages, sends
  }

  package var what: What
  package var value: JSONValue
  /// Description of the difference.
  package var note: String
  /// Address of the source that documents it.
  package var source: String
  /// Day of the source's information, like `2026-08-19`.
  package var date: String

  package init(what: What, value: JSONValue, note: String, source: String, date: String) {
    (self.what, self.value, self.note, self.source, self.date) = (what, value, note, source, date)
  }
}

extension ContainerBehaviour {
  /// Applies one difference.
  /// - Throws: an error if its value doesn't suit the kind of difference.
  mutating func apply(_ difference: ContainerDifference) throws(ContainerProblem) {
    let given = Given(what: difference.what, value: difference.value)
    switch difference.what {
    case .interface: bridge.interface = try given.one(of: BridgeBehaviour.Interface.self)
    case .version: version = try given.text()
    case .sdk: sdk = try given.text()
    case .environment: bridge.hasEnvironment = try given.flag()
    case .placement: placement = try given.one(of: PlacementType.self)
    case .supports: supports.merge(try given.features()) { $1 }
    case .silentEvents: silentEvents.formUnion(try given.names())
    case .eventOrder: eventOrder = try given.names()
    case .answersListeners: answersListeners = try given.flag()
    case .sizeChangeUnit: sizeChangeUnit = try given.one(of: Unit.self)
    case .tellsStateBeforeReady: tellsStateBeforeReady = try given.flag()
    case .locksOrientation: locksOrientation = try given.flag()
    case .resizeNeedsAllowOffscreen: resize.needsAllowOffscreen = try given.flag()
    case .resizeBoundsOffscreen: resize.boundsOffscreen = try given.flag()
    case .resizeChecksRegionEarly: resize.checksRegionEarly = try given.flag()
    case .resizeChecksRegionOffscreen: resize.checksRegionOffscreen = try given.flag()
    case .resizePlacesCloseRegion: resize.placesCloseRegion = try given.flag()
    case .resizeHasCloseControl: resize.hasCloseControl = try given.flag()
    case .closeDelay: closeDelay = try given.seconds()
    case .readsViewport: readsViewport = try given.flag()
    case .audioNeedsTouch: audioNeedsTouch = try given.flag()
    case .openNeedsGesture: openNeedsGesture = try given.flag()
    case .errorsInCall: bridge.errorsInCall = try given.flag() ? PageJudgement() : nil
    case .missingMethods: bridge.missingMethods.formUnion(try given.names())
    case .refusedMethods: bridge.refusedMethods.formUnion(try given.names())
    case .inertMethods: bridge.inertMethods.formUnion(try given.names())
    case .listenerOrder: bridge.listenerOrder = try given.one(of: BridgeBehaviour.Order.self)
    case .skipsRemovedListeners: bridge.skipsRemoved = try given.flag()
    case .stopsAtException: bridge.stopsAtException = try given.flag()
    case .removesAllListeners: bridge.removesAll = try given.flag()
    case .scripts: scripts = try given.scripts()
    case .functions: bridge.playable.functions.merge(try given.roles()) { $1 }
    case .messages: bridge.playable.messages.merge(try given.roles()) { $1 }
    case .sends: bridge.playable.sends += try given.sends()
    }
  }

  /// Value of a difference, to be read as the type that is needed.
  private struct Given {
    let what: ContainerDifference.What
    let value: JSONValue

    func flag() throws(ContainerProblem) -> Bool {
      guard let flag = value.bool else { throw .value(what, needs: "true or false") }
      return flag
    }

    func text() throws(ContainerProblem) -> String {
      guard let text = value.string, !text.isEmpty else { throw .value(what, needs: "a text") }
      return text
    }

    func seconds() throws(ContainerProblem) -> Double {
      guard let seconds = value.number, (0...60).contains(seconds) else { throw .value(what, needs: "0 to 60 seconds") }
      return seconds
    }

    func names() throws(ContainerProblem) -> [String] {
      let names = value.array?.compactMap(\.string) ?? []
      guard !names.isEmpty, names.count == value.array?.count else { throw .value(what, needs: "a list of names") }
      return names
    }

    func scripts() throws(ContainerProblem) -> [String] {
      let names = value.array?.compactMap(\.string) ?? []
      // The web process gets them in one text.
      let areNames = names.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() && !$0.contains { "/?# ".contains($0) } }
      guard areNames, names.count == value.array?.count else {
        throw .value(what, needs: "a list of file names in lower case")
      }
      return names
    }

    func roles() throws(ContainerProblem) -> [String: PlayableInterface.Role] {
      let roles = value.object?.compactMapValues { $0.string.flatMap(PlayableInterface.Role.init(rawValue:)) } ?? [:]
      guard !roles.isEmpty, roles.count == value.object?.count else {
        throw .value(what, needs: "an object with the effect of each name, such as store or call")
      }
      return roles
    }

    func sends() throws(ContainerProblem) -> [PlayableSend] {
      let sends = value.array?.compactMap { PlayableSend($0) } ?? []
      guard !sends.isEmpty, sends.count == value.array?.count else {
        throw .value(what, needs: "a list of objects, each with the members kind, name and when")
      }
      return sends
    }

    func features() throws(ContainerProblem) -> [String: Bool] {
      let features = value.object?.compactMapValues(\.bool) ?? [:]
      guard !features.isEmpty, features.count == value.object?.count else {
        throw .value(what, needs: "features with true or false")
      }
      return features
    }

    func one<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) throws(ContainerProblem) -> Choice {
      guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw .value(what, needs: "one of \(choices), not \(value.text)")
      }
      return choice
    }
  }
}

/// Reason why a container's data file can't be used.
package enum ContainerProblem: Error, Hashable, Sendable {
  case name(String)
  /// The difference's value isn't of the kind that it needs.
  case value(ContainerDifference.What, needs: String)
  case source(ContainerDifference.What)
  case date(ContainerDifference.What, String)
}

extension ContainerProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .name(let name): "'\(name)' is no name: use lower-case letters, digits, dots and hyphens"
    case .value(let what, let needs): "\(what.rawValue) needs \(needs)"
    case .source(let what): "\(what.rawValue) needs the address of its source"
    case .date(let what, let date): "\(what.rawValue) has the date '\(date)': write it like 2026-08-19"
    }
  }
}
