internal import Glibc

/// Libraries that the engine's processes get ahead of the C library; those that run already don't.
package enum PreloadedLibraries {
  private static let variable = "LD_PRELOAD"

  /// Adds one by its path, before those of the caller's; false where it isn't there.
  @discardableResult package static func add(_ library: String) -> Bool {
    guard access(library, R_OK) == 0 else { return false }
    let others = getenv(variable).map { String(cString: $0) } ?? ""
    let list = others.split { $0 == ":" || $0 == " " }.map(String.init)
    if !list.contains(library) { setenv(variable, ([library] + list).joined(separator: ":"), 1) }
    return true
  }

  /// Shuts the network process off from the machine's files, where the kernel can; web processes have the sandbox.
  package static func addGuard(from folder: String) { add("\(folder)/libGalleyGuard.so") }
}
