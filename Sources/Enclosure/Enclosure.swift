internal import CNamespaces
internal import Files
internal import Glibc

/// View of the machine with only the files that rendering needs: programs, fonts, certificates, and the current jobs'
/// files.
///
/// The engine's processes are started in it and see no more. The carrier, a copy of this process that reads the jobs
/// first, stays outside and brings the jobs' files.
package enum Enclosure {
  /// Error for an enclosure that the machine allows, but that couldn't be completed.
  package struct EntryError: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ number: Int32) { description = "\(what): \(SystemError(number))" }
  }

  /// Name of the environment variable by which a worker knows that it is enclosed.
  private static let variable = "GALLEY_ENCLOSED"

  /// Path of the worker program, beside this one.
  package static var worker: String { Place.folder(of: Place.link("/proc/self/exe") ?? "") + "/galley-worker" }

  /// Replaces this process with the worker program; returns only if that fails.
  package static func becomeWorker() {
    worker.withCString { path in
      var arguments = [strdup(path), nil]
      defer { free(arguments[0]) }
      execv(path, &arguments)
    }
  }

  /// Indicates if this process, a worker, was started in an enclosure; true only at the first call.
  package static func isAround() -> Bool {
    defer { unsetenv(variable) }
    return getenv(variable) != nil
  }

  /// Gives up access to the machine's files for good; if the machine forbids that, nothing changes.
  ///
  /// From then on standard input contains the carrier's output. Call it while the process has one thread.
  package static func enter() throws(EntryError) {
    unsetenv(variable)
    guard isAlone, let folder = EngineFolder.make() else { return }
    let root = "\(folder.path)/root"
    guard mkdir(root, 0o700) == 0, isAllowed(root) else {
      EngineFolder.remove(folder.path)
      close(folder.lock)
      return
    }
    try build(root)
    try FileBroker.start(into: root)
    try leave(for: root)
    // The carrier keeps the folder's lock. When that is free, whoever started this process removes the folder.
    unsetenv("TMPDIR")
    setenv("HOME", VisibleFiles.home, 1)
    setenv(variable, "1", 1)
  }

  /// Indicates if a trial in a child process succeeds, since a process that has entered halfway can't return.
  private static func isAllowed(_ root: String) -> Bool {
    let trial = namespaces_fork("galley-trial")
    if trial == 0 {
      // The engine's sandbox, inside, is worth more; only who has rights gets it where a part of /proc is covered.
      if geteuid() == 0, namespaces_allow_proc() != 0 { _exit(1) }
      do throws(EntryError) {
        try build(root)
        try leave(for: root)
      } catch {
        _exit(1)
      }
      _exit(0)
    }
    var status: Int32 = 0
    while trial > 0, waitpid(trial, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return trial > 0 && status == 0
  }

  /// Builds the view's file system, in this process's own namespaces.
  private static func build(_ root: String) throws(EntryError) {
    let visible = VisibleFiles()
    try check(namespaces_enter(), "no namespaces")
    try check(namespaces_mount_memory(root, "mode=755,size=64m"), "no file system in memory")
    // What is needed may itself lie in a folder for temporary files.
    for folder in ["/tmp", "/dev/shm"] {
      Place.makeFolder(root + folder)
      try check(namespaces_mount_memory(root + folder, "mode=1777"), "no \(folder)")
    }
    Place.makeFolder(root + VisibleFiles.home)
    try check(namespaces_mount_memory(root + VisibleFiles.home, "mode=700,size=32m,nr_inodes=2k"), "no home")
    for path in visible.readable { Place.bind(path, in: root, NAMESPACES_READABLE) }
    for path in visible.settled {
      if let copy = SettingsCopy(of: path) {
        copy.write(to: root)
      } else {
        Place.bind(path, in: root, NAMESPACES_READABLE)
      }
    }
    for path in visible.devices { Place.bind(path, in: root, NAMESPACES_AS_IS) }
    for folder in visible.empty { Place.makeFolder(root + folder) }
    for (name, target) in visible.links { symlink(target, root + name) }
    for (name, text) in visible.texts { Place.makeFile(root + name, text.utf8) }
    try check(namespaces_share(root), "the folder can't be shared")
  }

  /// Enters namespaces below the carrier's, where the carrier can add files but the worker can't fetch any.
  private static func leave(for root: String) throws(EntryError) {
    try check(namespaces_enter(), "no namespaces below the carrier's")
    try check(namespaces_pivot(root), "can't leave the machine's files")
  }

  static func check(_ number: Int32, _ what: String) throws(EntryError) {
    if number != 0 { throw EntryError(what, number) }
  }

  /// Indicates if this process has one thread: with more it may not change its user namespace.
  private static var isAlone: Bool {
    guard let tasks = opendir("/proc/self/task") else { return false }
    defer { closedir(tasks) }
    var count = 0
    while let entry = readdir(tasks) { count += entry.pointee.d_name.0 == UInt8(ascii: ".") ? 0 : 1 }
    return count == 1
  }
}
