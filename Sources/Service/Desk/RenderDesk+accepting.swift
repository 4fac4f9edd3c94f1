internal import Comparison
internal import Core
internal import Device
internal import Logging
internal import RenderModel

extension RenderDesk {
  /// Keeps a place for a render whose request is still on its way, or turns it away; what a key stands for has one.
  func expect(owner: String, key: String?, mostOfOwner: Int? = nil) async throws(Problem) {
    if let key, try await known(owner: owner, key: key) != nil {
      arriving[owner, default: 0] += 1
      return
    }
    try makeRoom(owner: owner, most: mostOfOwner)
    arriving[owner, default: 0] += 1
  }

  /// Gives the place up: the render was accepted, or isn't.
  func arrived(owner: String) {
    arriving[owner, default: 0] -= 1
    if arriving[owner, default: 0] <= 0 { arriving[owner] = nil }
  }

  /// Accepts a render that is expected; the same request under the same key gets the one accepted before.
  func accept(
    _ submission: Submission, owner: String, key: String?
  ) async throws(Problem) -> (row: RenderRow, isNew: Bool) {
    let text = submission.request.text
    let fingerprint = Document.hash(of: Array("\(text)\n\(submission.creative.hash)".utf8))
    if let key, let known = try await known(owner: owner, key: key) {
      guard known.fingerprint == fingerprint else { throw Self.otherRequest }
      return (known.row, false)
    }
    let intake = CreativeIntake(data: data, blobs: blobs)
    let now = Instant.now
    // What can't be rendered isn't accepted: names of devices and the like are looked up before anything is kept.
    let job = try submission.request.job(path: "/", output: "/", reach: settings.reach)
    try refuseLargeScreen(job.device)
    let taken = try await Self.take(submission, intake)
    let id = RenderID.make(at: now)
    let new = NewRender(
      id: id, name: submission.request.name, content: taken.content, request: text, owner: owner, created: now,
      idempotency: key.map { NewRender.Idempotency(key: $0, fingerprint: fingerprint) })
    return try await keep(new, taken, intake)
  }

  /// A screen's pictures take memory of the worker and its display, more than `memory` counts.
  private func refuseLargeScreen(_ device: Device) throws(Problem) {
    guard device.pixels > Double(settings.bounds.pixels) else { return }
    let most = settings.bounds.pixels / 1_000_000
    throw .invalid([
      Problem.Field(
        "device", "has a screen of \((device.pixels / 1_000_000).rounded(.up).plain) megapixels; the most is \(most)")
    ])
  }

  /// Gives what was taken in its place, writes it down and lines it up.
  private func keep(
    _ new: NewRender, _ taken: CreativeIntake.Taken, _ intake: CreativeIntake
  ) async throws(Problem) -> (row: RenderRow, isNew: Bool) {
    do throws(Fault) {
      try Durable.synchronise(folder: taken.folder.path)
      try Durable.move(taken.folder.path, to: data.render(new.id).path)
      switch try await accept(new, intake) {
      case .accepted(let row):
        await line(up: row)
        return (row, true)
      case .known(let row):
        intake.discard(data.render(new.id))
        return (row, false)
      case .conflict:
        intake.discard(data.render(new.id))
      }
    } catch {
      throw Problem(error)
    }
    throw Self.otherRequest
  }

  /// Writes a render down; what can't be leaves nothing behind.
  private func accept(_ new: NewRender, _ intake: CreativeIntake) async throws(Fault) -> NewRender.Acceptance {
    do throws(Fault) {
      return try await store.accept(new)
    } catch {
      if await isMissing(new.id) { intake.discard(data.render(new.id)) }
      throw error
    }
  }

  /// Whether a render certainly wasn't written down, whatever the database said to that.
  private func isMissing(_ id: String) async -> Bool {
    do throws(Fault) {
      return try await store.render(id) == nil
    } catch {
      return false
    }
  }

  /// Writing and opening a creative takes a while, in which the desk does other things.
  private nonisolated static func take(
    _ submission: Submission, _ intake: CreativeIntake
  ) async throws(Problem) -> CreativeIntake.Taken {
    try intake.take(
      submission.creative, name: submission.request.name, playsOwn: submission.request.scenario == nil)
  }

  /// Lines a render up, or ends it at once when its creative is in quarantine; it was accepted, so nothing stops it.
  func line(up row: RenderRow) async {
    if let losses = await losses(of: row), losses.count >= settings.bounds.losses {
      await end(row.id, .quarantined, Self.quarantine(losses.count, losses.reason))
      return
    }
    let work: RenderWork
    do throws(Fault) {
      work = try RenderWork(row, folder: data.render(row.id), reach: settings.reach)
    } catch {
      await end(row.id, .failed, error)
      return
    }
    works[row.id] = work
    queue.add(Ticket(id: row.id, owner: row.owner, deadline: work.deadline))
    await feed()
  }

  private func losses(of row: RenderRow) async -> (count: Int, reason: String)? {
    do throws(Fault) {
      return try await store.losses(of: row.content)
    } catch {
      log.error("losses couldn't be read", metadata: ["render": "\(row.id)", "error": "\(error)"])
      return nil
    }
  }

  private func known(
    owner: String, key: String
  ) async throws(Problem) -> (row: RenderRow, fingerprint: String)? {
    do throws(Fault) {
      return try await store.render(owner: owner, key: key)
    } catch {
      throw Problem(error)
    }
  }

  /// Turns away whom there is no room for.
  private func makeRoom(owner: String, most: Int?) throws(Problem) {
    if queue.isClosed {
      throw Problem(503, .engine("shutting-down", "the server is shutting down"), retryAfter: 10)
    }
    if let most, queue.count(of: owner) + arriving[owner, default: 0] >= most {
      throw reject("too-many-renders", "\(most) renders of this token's are waiting or running already")
    }
    guard queue.waiting.count + arriving.values.reduce(0, +) < queue.capacity else {
      throw reject("queue-full", "\(queue.capacity) renders are waiting already")
    }
  }

  private func reject(_ code: String, _ message: String) -> Problem {
    rejections.note(at: Instant.now)
    gauges.rejected(code)
    let seconds = RetryAdvice.seconds(waiting: queue.waiting.count, width: settings.jobs, pace: pace)
    return Problem(429, code, message, retryAfter: seconds)
  }

  private static let otherRequest = Problem(
    422, "idempotency-key-reused", "this Idempotency-Key was used for another request")
}

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
