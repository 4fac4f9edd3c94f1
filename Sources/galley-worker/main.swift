// Renders one creative at a time for the `galley` command or service: jobs come in as JSON lines on standard input,
// progress and records go out as JSON lines on standard output. It ends with its input. What it starts has neither.

internal import Enclosure
internal import Foundation
internal import Glibc
internal import Startup
internal import WebKitRuntime

signal(SIGPIPE, SIG_IGN)
_ = CommandPipes.messages
let isEnclosed = Enclosure.isAround()
private let ahead = WebKitEngine.takeStarted()
WebKitEngine.keepFreedMemory()
WorkerEnd.followReader()
HomeFolder.replace(isEnclosed: isEnclosed)
// The operator's proxy may want a password, which is no web process's business.
private let proxy = ProcessInfo.processInfo.environment["GALLEY_PROXY"]
unsetenv("GALLEY_PROXY")
private let startingDisplay = Result { () throws(VirtualDisplay.StartError) in
  if let ahead { ahead.display } else { try WebKitEngine.startDisplay() }
}
private let sandbox = ahead?.sandbox ?? SandboxTrial.start()
if let folder = Executable.folder { PreloadedLibraries.addGuard(from: folder) }
WebKitEngine.prepareEnvironment()
// Without it renders live in the machine's time, which they note.
if WorkerLoop.livesInClock, let folder = Executable.folder {
  try? VirtualClock.prepareEnvironment(library: "\(folder)/libGalleyClock.so")
}
if let folder = Executable.folder { ForkServer.start(from: folder) }
do {
  WebKitEngine.prepareDisplay(try startingDisplay.get().wait())
  try await WebKitEngine.start()
} catch {
  Report.fail("\(error)")
}
await WorkerLoop(
  sandbox: sandbox.succeeds(), isEnclosed: isEnclosed, extensionDirectory: Executable.folder, proxy: proxy
).run()
WorkerEnd.leave(0)
