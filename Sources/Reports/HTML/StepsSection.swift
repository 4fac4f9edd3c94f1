internal import Checks
internal import Core
internal import RenderModel

/// Section with the scenario's steps, their lines and durations.
///
/// A failed step has its picture, its events, and the ids that the ad does have.
struct StepsSection {
  /// Maximum number of events listed for a failed step; the log below has all.
  private static let most = 30

  let creative: CreativeReport
  let events: [Event]
  let timeline: Timeline
  let strip: PictureStrip
  let id: String

  var node: Node {
    guard let steps = creative.record.steps, !steps.isEmpty else { return .empty }
    return element("section", ["class": "steps", "aria-label": "Steps of \(creative.name)"]) {
      element("h3") { "Steps" }
      element("ol") { for step in steps { self.step(step) } }
    }
  }

  private func step(_ step: RenderRecord.Step) -> Node {
    element(
      "li",
      [
        "class": step.failure == nil ? "step" : "step bad", "data-start": NumberText.tenths(step.start),
        "data-end": NumberText.tenths(step.end),
      ]
    ) {
      element("p") {
        element("span", ["class": "tick", "aria-hidden": "true"]) { step.failure == nil ? "✓" : "✗" }
        element("span", ["class": "spoken"]) { step.failure == nil ? "done: " : "failed: " }
        element("code") { ReportText.line(step.text) }
        element("span", ["class": "facts"]) {
          " line \(step.line) · at \(Clock.text(step.start)) · \(Clock.text(step.end - step.start)) "
        }
        picture(at: step)
      }
      if let failure = step.failure { failed(step, failure) }
    }
  }

  @NodeBuilder private func picture(at step: RenderRecord.Step) -> Node {
    // What is taken of a failure is taken once it is known.
    let moment = step.failure == nil ? timeline.moment(at: step.end) : timeline.moments.last
    if let moment, let picture = strip.id(moment.index) {
      element("a", ["href": "#\(picture)"]) { creative.record.screenshots[moment.index].name }
    }
  }

  @NodeBuilder private func failed(_ step: RenderRecord.Step, _ failure: String) -> Node {
    element("p", ["class": "message"]) { failure }
    if let candidates = step.candidates {
      element("p", ["class": "candidates"]) {
        candidates.isEmpty ? "The ad has no element with an id." : "Existing ids: "
        for candidate in candidates {
          element("code") { candidate }
          " "
        }
      }
    }
    let during = events.filter { $0.t >= step.start && $0.t <= step.end && $0.source != .network }
    if !during.isEmpty {
      Badge.folded("\(during.count) \(during.count == 1 ? "event" : "events") during the step", kind: "more") {
        element("ol", ["class": "calls"]) {
          for event in during.prefix(Self.most) {
            element("li") {
              element("a", ["href": "#\(id)-e\(event.seq)"]) { Clock.text(event.t) }
              " \(event.source.rawValue) \(event.name) "
              element("span", ["class": "detail"]) { ReportText.cut(EventDetail.text(event.detail), to: 200) }
            }
          }
        }
      }
    }
  }
}
