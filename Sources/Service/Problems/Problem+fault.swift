package import Jobs

extension Problem {
  /// What a fault means for whoever called over HTTP; the only place that maps faults to statuses.
  package init(_ fault: Fault) {
    let status =
      switch fault.blame {
      case .request: 400
      case .creative: 422
      case .deadline: 504
      case .engine: fault.code == "disk-full" ? 507 : 500
      }
    self.init(status, fault)
  }

  /// A request that can be read but not be carried out as it stands.
  package static func invalid(_ fields: [Field]) -> Problem {
    let message =
      fields.count == 1
      ? "\(fields[0].pointer.dropFirst()): \(fields[0].detail)" : "\(fields.count) members of the request are wrong"
    // One that has a code of its own is known by that, as on the command line.
    let code = fields.count == 1 ? fields[0].code : nil
    return Problem(422, .request(code ?? "request-invalid", message), fields: fields)
  }

  /// There is no such thing, or none that the caller may see.
  package static func missing(_ what: String) -> Problem { Problem(404, "not-found", "there is no \(what)") }
}
