internal import Core
internal import Jobs
internal import ServiceStore

extension RenderDesk {
  /// Ends a render that hasn't ended; says whether it did.
  func cancel(_ id: String) async -> Bool {
    guard await release(id) != nil else { return false }
    await end(id, .cancelled, .request("cancelled", "it was cancelled before it was done"))
    await feed()
    return true
  }

  /// Gives up renders that waited longer than they were to.
  func expire(at instant: Int64) async {
    let late = works.values.filter { !$0.hasStarted && $0.deadline <= instant }
    for work in late {
      await release(work.id)
      let seconds = work.request.patience.plain
      await end(work.id, .failed, .deadline("queue-deadline", "no worker was free within \(seconds) s"))
    }
    if !late.isEmpty { await feed() }
  }
}
