internal import Comparison
internal import FoundationEssentials
internal import Jobs

/// Tells how containers compare, as text for people or as one JSON document.
struct ContainerReporter {
  let output: OutputOptions
  let out: String
  var console = Console.output

  func tell(_ verdicts: [ContainerVerdict], status: ExitStatus) throws(Fault) {
    let text: String?
    if output.json {
      text = try? JSONText.of(ContainersDocument(verdicts, exitCode: status.rawValue))
    } else {
      let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
      text = ContainerText(palette: palette, showsSame: !output.quiet).of(verdicts) + "\nresults: \(out.printable)\n"
    }
    if let text, let reason = console.write(text) {
      throw .engine("output-failed", "can't write to standard output: \(reason.lowercased())")
    }
  }
}
