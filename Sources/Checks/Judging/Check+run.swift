extension Check {
  /// What came of judging one creative by one check.
  enum Ruling: Sendable {
    case nothingToJudge
    case judged([Finding])
    case broken(String)
  }

  /// Judges, and signs what was found; whatever goes wrong is the check's own fault.
  func run(on evidence: Evidence) -> Ruling {
    do {
      guard let remarks = try judge(evidence) else { return .nothingToJudge }
      let stricter = evidence.rules(for: id).filter { ($0.rule.severity ?? .error) > severity }
      return .judged(remarks.map { sign($0, stricter: needsProfile ? [] : stricter) })
    } catch {
      return .broken("\(error)")
    }
  }

  /// A network that makes a rule of what is good advice elsewhere raises its weight, and is named.
  private func sign(_ remark: Remark, stricter: [Evidence.ProfileRule]) -> Finding {
    let own = remark.severity ?? severity
    let raised = stricter.filter { ($0.rule.severity ?? .error) > own }
    return Finding(
      check: id, severity: raised.map { $0.rule.severity ?? .error }.max() ?? own, message: remark.message,
      profiles: raised.isEmpty ? remark.profiles : raised.map(\.profile), place: remark.place,
      measure: remark.measure, event: remark.event, screenshot: remark.screenshot,
      key: remark.subject.isEmpty ? id : "\(id):\(remark.subject)")
  }
}
