/// How a pool stands, for whoever watches over it.
package struct PoolCensus: Hashable, Sendable {
  /// Workers on their way to being ready.
  package var starting = 0
  /// Workers that render.
  package var busy = 0
  /// Workers that could.
  package var idle = 0
  /// Jobs that no worker has taken up.
  package var queued = 0
  /// Workers ever started.
  package var started = 0
  /// Workers that ended otherwise than by the pool's own wish.
  package var lost = 0
  /// Workers replaced because they had served long enough or grown too large.
  package var recycled = 0
  /// What the workers that were weighed have in memory, in mebibytes.
  package var mebibytes = 0

  package init() {}
}

extension PoolCore {
  /// The present state in numbers.
  var census: PoolCensus {
    var census = PoolCensus()
    for worker in workers.values {
      switch worker.phase {
      case .starting: census.starting += 1
      case .serving where worker.present != nil: census.busy += 1
      case .serving: census.idle += 1
      case .leaving, .condemned: break
      }
    }
    census.queued = queue.count + workers.values.count { $0.next != nil }
    (census.started, census.lost, census.recycled) = (latestWorker, lostWorkers, recycledWorkers)
    return census
  }
}
