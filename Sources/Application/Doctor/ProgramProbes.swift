internal import Core
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Workers

/// Trials of the programs that rendering needs, each of which is started.
enum ProgramProbes {
  static func findings() async -> [MachineFinding] {
    [await programs(), await display(), await sandbox(), await timeZones()]
  }

  /// Returns the finding on programs installed beside this one and those of the system.
  private static func programs() async -> MachineFinding {
    let missing = Executables.missingParts
    guard missing.isEmpty else {
      return .error(
        .programs, "missing beside galley: \(missing.joined(separator: ", "))",
        remedy: "reinstall Galley's package, or build it with Scripts/galley --version")
    }
    var broken: [(name: String, complaint: String)] = []
    for (name, argument) in [("xdg-dbus-proxy", "--version"), ("curl", "--version"), ("setpriv", "--version")] {
      let outcome = await ProgramTrial(name, [argument]).run()
      if !outcome.isSuccess { broken.append((name, outcome.complaint)) }
    }
    guard let first = broken.first else { return .ok(.programs, "all programs are installed and start") }
    let packages = broken.map { $0.name == "setpriv" ? "util-linux" : $0.name }.joined(separator: " ")
    return .warning(.programs, "\(first.name) \(first.complaint)", remedy: "apt install \(packages)")
  }

  /// Starts the X server on which pages are drawn, as a worker does.
  private static func display() async -> MachineFinding {
    guard let folder = EngineFolder.make(), let number = EngineFolder.drawDisplay(for: folder.path) else {
      return .error(
        .display, "can't create a folder in \(EngineFolder.place)",
        remedy: "set TMPDIR to a folder that this user may write to")
    }
    defer {
      close(folder.lock)
      EngineFolder.remove(folder.path)
    }
    let start = ContinuousClock.now
    let outcome = await ProgramTrial(
      "setpriv",
      [
        "--pdeathsig", "KILL", "Xvfb", ":\(number)", "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp",
        "-nolisten", "local", "-noreset",
      ], endsWithFirstLine: true
    ).run()
    guard Int(outcome.output) == Int(number) else {
      return .error(
        .display, "Xvfb \(outcome.complaint)",
        remedy: "apt install xvfb; allow this user to write to /tmp/.X11-unix, or to create it")
    }
    let took = ResultTime.text(start.duration(to: .now))
    return .ok(.display, "Xvfb accepts connections after \(took)")
  }

  /// Starts the sandbox as a worker does for web processes.
  private static func sandbox() async -> MachineFinding {
    let outcome = await SandboxRequirement.trial()
    if outcome.isSuccess { return .ok(.sandbox, "web processes run in a sandbox") }
    if outcome.end == .missing {
      return .warning(
        .sandbox, "bubblewrap isn't installed, so web processes run without a sandbox", remedy: "apt install bubblewrap"
      )
    }
    return .warning(
      .sandbox, "web processes run without a sandbox: bwrap \(outcome.complaint)",
      remedy: "allow user namespaces: sysctl user.max_user_namespaces, "
        + "kernel.apparmor_restrict_unprivileged_userns=0; in a container --security-opt seccomp=unconfined")
  }

  /// Queries New York's time offset in winter, which is five hours behind UTC.
  private static func timeZones() async -> MachineFinding {
    let outcome = await ProgramTrial("date", ["-d", "@1767225600", "+%z"], environment: ["TZ": "America/New_York"])
      .run()
    guard outcome.output == "-0500" else {
      return .warning(
        .timeZones, "the system has no time zones, so TZ=Europe/Berlin means UTC", remedy: "apt install tzdata")
    }
    return .ok(.timeZones, ProcessInfo.processInfo.environment["TZ"].map { "TZ=\($0)" } ?? "system time zone")
  }
}

/// Duration as readable text.
enum ResultTime {
  /// Returns a duration in seconds, such as `0.4 s`.
  static func text(_ duration: Duration) -> String { "\(NumberText.tenths(duration / .seconds(1))) s" }
}
