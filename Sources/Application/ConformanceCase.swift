package import Core
internal import Creatives
package import RenderModel

/// One creative of the suite: the rule it tests, where that stands, and how many assertions it has promised.
package struct ConformanceCase: Hashable, Sendable {
  /// The file's name without `.html`.
  package let name: String
  package let section: ConformanceSection
  /// The rule in words.
  package let rule: String
  /// How many assertions the page reports.
  package let plan: Int
  /// The device it needs, a file beside it; nil for the suite's usual one.
  package let device: String?
  /// The code its render has to end with; nil when it has to complete.
  package let ending: String?
  /// What its person does; nil for nothing.
  package let scenario: Scenario?

  /// Whether what the host did is an assertion of its own.
  package var checksHost: Bool { ending != nil || scenario?.expectsAnything == true }

  /// All its assertions, the page's and the host's.
  package var assertions: Int { plan + (checksHost ? 1 : 0) }

  /// Reads the `galley.` metadata of a page; nil for a page that tests no rule, such as a second part.
  package init?(name: String, page: [UInt8], scenario: Scenario? = nil) throws(Fault) {
    let meta = MetaElements.read(page)
    guard let rule = meta["galley.rule"] else { return nil }
    guard let section = meta["galley.section"].flatMap({ Int($0) }).flatMap(ConformanceSection.init(rawValue:)) else {
      throw Self.fault(name, "galley.section must be a number from 1 to \(ConformanceSection.allCases.count)")
    }
    guard let plan = meta["galley.plan"].flatMap({ Int($0) }), plan > 0 else {
      throw Self.fault(name, "galley.plan must be the number of its assertions")
    }
    self.name = name
    self.section = section
    self.rule = rule
    self.plan = plan
    self.scenario = scenario
    device = meta["galley.device"]
    ending = meta["galley.ending"]
  }

  private static func fault(_ name: String, _ problem: String) -> Fault {
    .request("suite-invalid", "\(name).html: \(problem)")
  }
}

extension Scenario {
  /// Whether a step says what has to hold.
  fileprivate var expectsAnything: Bool {
    steps.contains { if case .expect = $0.action { true } else { false } }
  }
}

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
