internal import AdManager
internal import Core
internal import Engine
internal import Foundation
internal import Hosting
internal import MRAID
internal import RenderModel

/// Compares the expectations of a scenario with the actual state.
@EngineActor struct ExpectationCheck {
  let render: RenderContext

  /// Throws a fault with the expected and the actual value if they differ.
  func verify(_ expectation: Scenario.Expectation) async throws(Fault) {
    switch expectation {
    case .state(let state):
      let actual = render.activeState
      if actual != state { throw failure("the state is \(render.stateName), not \(state.rawValue)") }
    case .event(let name, let count, let detail):
      try verifyEvent(name, count: count, detail: detail)
    case .property(let path, let value):
      let actual = try await evaluate("return await (\(Self.getter)) (path)", ["path": path])
      if !matches(actual, value) { throw failure("\(path) is \(actual.text), not \(value.text)") }
    case .evaluate(let expression, let value):
      let actual = try await evaluate("return (\(expression))", [:])
      if !matches(actual, value) { throw failure("\(expression) is \(actual.text), not \(value.text)") }
    }
  }

  private func verifyEvent(_ name: String, count: Int?, detail: JSONValue?) throws(Fault) {
    guard let pattern = EventPattern(name) else { throw .request("scenario-invalid", "\(name) isn't an event name") }
    let found = render.recorder.events.filter { event in
      pattern.matches(event) && (detail.map { matches(event.detail, $0) } ?? true)
    }
    let what = detail.map { "\(name) with \($0.text)" } ?? name
    if let count {
      if found.count != count { throw failure("\(what) was logged \(found.count) times, not \(count)") }
    } else if found.isEmpty {
      throw failure("\(what) was never logged")
    }
  }

  /// Script that reads `currentPosition.width` as `mraid.getCurrentPosition().width`; also isViewable, supports.sms and
  /// the like.
  private static let getter = """
    (path) => {
      const [first, ...rest] = path.split(".");
      const getter = mraid["get" + first[0].toUpperCase() + first.slice(1)] ?? mraid[first];
      if (typeof getter !== "function") throw new Error("mraid has no property " + first);
      if (first === "supports") return mraid.supports(rest[0]);
      return rest.reduce((value, name) => value?.[name], getter.call(mraid));
    }
    """

  private func evaluate(_ script: String, _ arguments: [String: String]) async throws(Fault) -> JSONValue {
    guard let page = render.stage.topAdPage else { throw .request("ad-off-screen", "no ad is on the screen") }
    let answer: String
    do {
      answer = try await page.evaluate(script, arguments)
    } catch {
      throw .creative("script-failed", "the expression threw: \(error)")
    }
    return (try? JSONDecoder().decode(JSONValue.self, from: Data(answer.utf8))) ?? .null
  }

  /// Indicates if values match: objects when each expected member does, numbers within a hundredth.
  private func matches(_ actual: JSONValue, _ expected: JSONValue) -> Bool {
    switch (actual, expected) {
    case (.number(let actual), .number(let expected)): abs(actual - expected) < 0.01
    case (.object(let actual), .object(let expected)):
      expected.allSatisfy { name, value in actual[name].map { matches($0, value) } ?? false }
    case (.array(let actual), .array(let expected)):
      actual.count == expected.count && zip(actual, expected).allSatisfy { matches($0, $1) }
    default: actual == expected
    }
  }

  private func failure(_ message: String) -> Fault { .creative("expectation-failed", "unexpected result: \(message)") }
}
