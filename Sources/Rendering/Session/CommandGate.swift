internal import WebKitRuntime

/// Holds the creative's commands back while a transition or a picture is under way, so that every state is pictured.
@WebKitActor final class CommandGate {
  private var holds = 0
  private var waiting: [() -> Void] = []
  /// Commands of a page that calls for ever are dropped beyond this.
  private static let capacity = 1_000

  var isHeld: Bool { holds > 0 }

  var isOpen: Bool { holds == 0 && waiting.isEmpty }

  /// Runs `command` now, or after those waiting once nothing holds it back.
  func pass(_ command: @escaping () -> Void) {
    if isOpen { command() } else if waiting.count < Self.capacity { waiting.append(command) }
  }

  func hold() { holds += 1 }

  func release() {
    holds -= 1
    while holds == 0, !waiting.isEmpty { waiting.removeFirst()() }
  }
}
