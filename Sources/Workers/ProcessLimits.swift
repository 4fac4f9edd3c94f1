package import Core
internal import Glibc

/// Resource limits of the system, which a process passes on to every process that it starts.
///
/// They are raised as far as permitted. Limits that are still too low are refused, because otherwise a creative would
/// be blamed for them.
package enum ProcessLimits {
  /// One limit, as in `ulimit`.
  private struct Limit {
    let name: String
    let option: String
    let resource: __rlimit_resource_t
    /// The smallest value that rendering needs.
    let least: rlim_t
    /// Value to set, as far as the hard limit permits; nil to use the hard limit itself.
    var wanted: rlim_t?
    /// Size of the unit in which `ulimit` counts.
    var unit: rlim_t = 1
    var unitName = ""

    /// Present values of this process; nil if the system doesn't report them.
    var values: rlimit? {
      var values = rlimit()
      return getrlimit(resource, &values) == 0 ? values : nil
    }
  }

  private static func resource(_ kind: __rlimit_resource) -> __rlimit_resource_t {
    __rlimit_resource_t(kind.rawValue)
  }

  private static let gibibyte: rlim_t = 1 << 30

  /// All limits that rendering depends on.
  ///
  /// The stack limit decides how deep a script may call itself, so it has the same value everywhere.
  private static var limits: [Limit] {
    [
      Limit(
        name: "open files", option: "-n", resource: resource(RLIMIT_NOFILE), least: 256, wanted: 65_536),
      Limit(
        name: "file size", option: "-f", resource: resource(RLIMIT_FSIZE), least: gibibyte / 16, unit: 1024,
        unitName: " KiB"),
      Limit(
        name: "address space", option: "-v", resource: resource(RLIMIT_AS), least: 16 * gibibyte, unit: 1024,
        unitName: " KiB"),
      Limit(
        name: "data", option: "-d", resource: resource(RLIMIT_DATA), least: 8 * gibibyte, unit: 1024, unitName: " KiB"),
      Limit(
        name: "stack", option: "-s", resource: resource(RLIMIT_STACK), least: 8 << 20, wanted: 8 << 20, unit: 1024,
        unitName: " KiB"),
      Limit(name: "CPU time", option: "-t", resource: resource(RLIMIT_CPU), least: 600, unitName: " s"),
    ]
  }

  /// Raises the limits of this process, and so of all that it starts, as far as the system permits.
  package static func raise() {
    for limit in limits {
      guard var values = limit.values else { continue }
      let wanted = limit.wanted ?? values.rlim_max
      // More open files than wanted do no harm; another stack does.
      if limit.option == "-n", values.rlim_cur >= wanted { continue }
      values.rlim_cur = min(wanted, values.rlim_max)
      setrlimit(limit.resource, &values)
    }
  }

  /// Throws a fault if a limit is too low for rendering.
  package static func check() throws(Fault) {
    for limit in limits {
      guard let values = limit.values, values.rlim_cur < limit.least else { continue }
      let (has, needs) = (values.rlim_cur / limit.unit, limit.least / limit.unit)
      throw .engine(
        "limit-too-low",
        "the limit of \(limit.name) (ulimit \(limit.option)) is \(has)\(limit.unitName), but rendering needs "
          + "\(needs)\(limit.unitName): raise it")
    }
  }
}
