internal import Comparison
internal import Core
internal import FoundationEssentials
internal import Jobs

/// Tells how containers compare, as text for people or as one JSON document.
struct ContainerReporter {
  let output: OutputOptions
  let out: String
  var console = Console.output

  func tell(_ verdicts: [ContainerVerdict], status: ExitStatus) throws(Fault) {
    if output.json { return try console.tell(document: ContainersDocument(verdicts, exitCode: status.rawValue)) }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    let text = ContainerText(palette: palette, showsSame: !output.quiet).of(verdicts)
    try console.tell(text + "\nresults: \(out.printable)\n")
  }
}
