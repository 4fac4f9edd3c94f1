internal import Core
internal import Jobs
internal import ServiceStore

extension RenderDesk {
  /// Ends a render that hasn't ended; says whether it did, and why it can't be told yet.
  func cancel(_ id: String) async throws(Fault) -> Bool {
    guard await release(id) != nil else { return false }
    await end(id, .cancelled, .request("cancelled", "it was cancelled before it was done"))
    await feed()
    if let fault = outcomes.fault(of: id) { throw fault }
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
