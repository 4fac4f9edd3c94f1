/// The chapters of what an MRAID container has to do, in the order the suite and its table have them.
package enum ConformanceSection: Int, Sendable, Codable, CaseIterable {
  case injection = 1
  case startUp, states, events, methods, properties, resize, closeControl, exposureAndAudio, vpaid
  /// Rules that the IAB's own compliance ads set out to test and, being broken, don't.
  case unproven

  /// What tables call it.
  package var title: String {
    switch self {
    case .injection: "Injection"
    case .startUp: "Start-up"
    case .states: "States and calls"
    case .events: "Events and dispatch"
    case .methods: "Methods"
    case .properties: "Property objects"
    case .resize: "Resize"
    case .closeControl: "Close control"
    case .exposureAndAudio: "Exposure and audio"
    case .vpaid: "VPAID"
    case .unproven: "What the IAB's own ads fail to exercise"
    }
  }
}
