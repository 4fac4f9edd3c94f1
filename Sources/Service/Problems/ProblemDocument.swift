internal import Jobs

/// A problem as it is sent.
struct ProblemDocument: Encodable {
  let type: String
  let title: String
  let status: Int
  let detail: String
  let code: String
  let blame: Fault.Blame
  let errors: [Problem.Field]?

  init(_ problem: Problem) {
    type = "urn:galley:problem:\(problem.fault.code)"
    title = Self.title(problem.fault.code)
    status = problem.status
    detail = problem.fault.message
    code = problem.fault.code
    blame = problem.fault.blame
    errors = problem.fields.isEmpty ? nil : problem.fields
  }

  /// The code in words; the same for every occurrence, as the RFC wants it.
  private static func title(_ code: String) -> String {
    let words = code.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
