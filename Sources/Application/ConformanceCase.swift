package import Core
internal import Creatives
package import MRAID
package import RenderModel

/// Creative of the conformance suite: the rule it tests, its section, and the number of its assertions.
package struct ConformanceCase: Hashable, Sendable {
  /// Name of the file without `.html`.
  package let name: String
  package let section: ConformanceSection
  /// Text of the rule.
  package let rule: String
  /// Number of assertions that the page reports.
  package let plan: Int
  /// File of the device that the case needs, beside the page; nil for the suite's usual device.
  package let device: String?
  /// Container that shows the page; nil for the standard one.
  package let container: ContainerProfile?
  /// Code with which its render has to end; nil if it has to complete.
  package let ending: String?
  /// Scenario with the user's actions; nil for none.
  package let scenario: Scenario?

  /// Indicates if the behaviour of the host is an additional assertion.
  package var checksHost: Bool { ending != nil || scenario?.expectsAnything == true }

  /// Number of all assertions, those of the page and of the host.
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
    container = try meta["galley.container"].flatMap { value throws(Fault) in try Self.container(value, of: name) }
    ending = meta["galley.ending"]
  }

  /// Returns the container that a page names; nil for the standard's.
  private static func container(_ value: String, of name: String) throws(Fault) -> ContainerProfile? {
    do throws(Fault) {
      let profile = try ContainerCatalogue.standard.required(value)
      return profile.differences.isEmpty ? nil : profile
    } catch {
      throw fault(name, "galley.container is wrong: \(error.message)")
    }
  }

  private static func fault(_ name: String, _ problem: String) -> Fault {
    .request("suite-invalid", "\(name).html: \(problem)")
  }
}

extension Scenario {
  /// Indicates if a step of the scenario states an expectation.
  fileprivate var expectsAnything: Bool {
    steps.contains { if case .expect = $0.action { true } else { false } }
  }
}

/// Sections of the requirements on containers, in the order of the suite and its table: first MRAID's.
package enum ConformanceSection: Int, Sendable, Codable, CaseIterable {
  case injection = 1
  case startUp, states, events, methods, properties, resize, closeControl, exposureAndAudio, vpaid
  /// Rules that the IAB's own compliance ads are meant to test but, being broken, don't.
  case unproven
  /// Interfaces of networks for playables without MRAID.
  case playables

  /// Title in tables.
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
    case .unproven: "Features that the IAB's sample ads don't cover"
    case .playables: "Playables' hosts"
    }
  }
}
