internal import Core
internal import RenderModel

/// Expectations of the caller about this creative.
enum ExpectationChecks {
  static let all: [Check] = [failedScenario, timedOut, expiredSuppression]

  static let failedScenario = Check(
    "failed-scenario", family: .expectation, severity: .error, title: "Scenario failed",
    why: "The creative doesn't behave as its own scenario describes.",
    remedy: "Fix the creative, or the scenario if it is out of date.", source: .galley, needs: [.load]
  ) { context in
    let record = context.record
    guard record.origin == .creative, failures.contains(record.code ?? "") else {
      return record.outcome == .completed ? [] : nil
    }
    return [CheckIssue(record.message ?? "a step failed", subject: record.code ?? "")]
  }

  static let timedOut = Check(
    "timed-out", family: .expectation, severity: .error, title: "Time limit reached",
    why: "The ad was still busy when the time limit was reached.",
    remedy: "Look for scripts that never yield; raise the time limit if the ad is only long.", source: .galley,
    needs: [.load]
  ) { context in
    guard context.record.outcome == .timedOut else { return context.record.outcome == .completed ? [] : nil }
    return [CheckIssue(context.record.message ?? "the time limit was reached")]
  }

  private static let failures: Set<String> = [
    "expectation-failed", "wait-timed-out", "element-covered", "element-missing", "element-invisible", "script-failed",
  ]

  /// Findings of this check are made by `CheckRunner`, which has the policy; a creative alone can't show them.
  static let expiredSuppression = Check(
    "expired-suppression", family: .expectation, severity: .error, title: "Expired suppression",
    why: "The policy suppressed this finding until a day that has passed.",
    remedy: "Fix the creative and remove the suppression, or set a new day.", source: .galleyPolicy, needs: []
  ) { _ in nil }
}
