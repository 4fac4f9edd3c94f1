internal import Core
internal import RenderModel

/// What the caller expects of this very creative.
enum ExpectationChecks {
  static let all: [Check] = [failedScenario, timedOut, expiredSuppression]

  static let failedScenario = Check(
    "failed-scenario", family: .expectation, severity: .error, title: "The scenario failed",
    why: "The creative doesn't do what its own scenario says it does.",
    remedy: "Mend the creative, or the scenario if that is out of date.", source: .galley
  ) { context in
    let record = context.record
    guard record.origin == .creative, failures.contains(record.code ?? "") else {
      return record.outcome == .completed ? [] : nil
    }
    return [CheckIssue(record.message ?? "a step failed", subject: record.code ?? "")]
  }

  static let timedOut = Check(
    "timed-out", family: .expectation, severity: .error, title: "Not done in time",
    why: "The ad was still busy when the time allowed was over.",
    remedy: "Look for scripts that never yield; allow more with --timeout if it only is long.", source: .galley
  ) { context in
    guard context.record.outcome == .timedOut else { return context.record.outcome == .completed ? [] : nil }
    return [CheckIssue(context.record.message ?? "the time allowed was over")]
  }

  private static let failures: Set<String> = [
    "expectation-failed", "wait-timed-out", "element-missing", "element-invisible", "script-failed",
  ]

  /// Found by the judge, who has the policy: nothing in a creative shows it.
  static let expiredSuppression = Check(
    "expired-suppression", family: .expectation, severity: .error, title: "Suppression past its day",
    why: "Somebody agreed to overlook this until a day that is over.",
    remedy: "Mend the creative and take the suppression out, or agree on a new day.", source: .galleyPolicy
  ) { _ in nil }
}
