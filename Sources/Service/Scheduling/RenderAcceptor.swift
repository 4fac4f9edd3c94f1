internal import Cluster
internal import Comparison
internal import Core
internal import Device
internal import RenderModel
internal import Scheduling

/// Stores the creative of a request and its render, concurrently with the desk's other work.
struct RenderAcceptor: Sendable {
  private let settings: ServiceSettings
  private let store: Store
  private let data: DataFolder
  private let uploader: CreativeUploader
  /// Shared contents to which creatives are uploaded for workers elsewhere; nil if there are no such workers.
  private let contents: JetStreamContents?

  init(
    settings: ServiceSettings, store: Store, data: DataFolder, blobs: BlobStore, contents: JetStreamContents? = nil
  ) {
    (self.settings, self.store, self.data, self.contents) = (settings, store, data, contents)
    uploader = CreativeUploader(data: data, blobs: blobs)
  }

  /// The render that an owner sent earlier with an idempotency key; nil if there is none.
  func known(owner: String, key: String) async throws(Problem) -> (row: RenderRow, fingerprint: String)? {
    do throws(Fault) {
      return try await store.render(owner: owner, key: key)
    } catch {
      throw Problem(error)
    }
  }

  private func job(of request: RenderRequest) throws(Problem) -> RenderJob {
    do throws(InvalidRequest) {
      return try request.job(path: "/", output: "/", reach: settings.reach)
    } catch {
      throw Problem(error)
    }
  }

  /// Accepts a render. A repeated request with the same idempotency key returns the render accepted before.
  func accept(
    _ submission: Submission, _ recording: TakenRecording? = nil, owner: String, key: String?
  ) async throws(Problem) -> (row: RenderRow, isNew: Bool) {
    let text = submission.request.text
    let fingerprint = Document.hash(of: Array("\(text)\n\(submission.creative.hash)".utf8))
    if let key, let known = try await known(owner: owner, key: key) {
      guard known.fingerprint == fingerprint else { throw Self.otherRequest }
      return (known.row, false)
    }
    let now = Instant.now
    // What can't be rendered isn't accepted: names of devices and the like are looked up before anything is kept.
    try refuseLargeScreen(try job(of: submission.request).device)
    let taken = try uploader.acceptUpload(submission.creative, of: submission.request)
    do throws(Fault) {
      try recording?.move(to: taken.folder)
    } catch {
      uploader.discard(taken.folder)
      throw Problem(error)
    }
    let id = RenderID.make(at: now)
    // One that can't be read is told where it is compared.
    let baseline = try? BaselineStore(data.baselines).manifest(
      BaselineVariant.key(submission.request.name, submission.request))
    let request = submission.request.conditioned(by: baseline, acceptedAt: now)
    var new = NewRender(
      id: id, name: request.name, content: taken.content, request: request.text, owner: owner, created: now,
      idempotency: key.map { NewRender.Idempotency(key: $0, fingerprint: fingerprint) },
      labels: submission.request.labels ?? [:])
    if let contents {
      new.deadline = now + Int64(Bounded.int(submission.request.queueTimeout * 1000, in: 0...1_000_000_000_000))
      new.file = taken.file
      try await share(taken, contents)
    }
    return try await keep(new, taken)
  }

  /// Uploads a creative for workers elsewhere; if that fails, the render isn't accepted.
  private func share(_ taken: CreativeUploader.Taken, _ contents: JetStreamContents) async throws(Problem) {
    do throws(Fault) {
      if let file = taken.file { _ = try await contents.put(file: "\(taken.folder.creative)/\(file)") }
      if let file = taken.folder.recordingFile { _ = try await contents.put(file: file) }
    } catch {
      uploader.discard(taken.folder)
      throw Problem(503, Replica.unreachable(error), retryAfter: 5)
    }
  }

  /// Rejects a device with too many pixels, since screenshots take memory beyond that counted by `memory`.
  private func refuseLargeScreen(_ device: Device) throws(Problem) {
    guard device.pixels > Double(settings.bounds.pixels) else { return }
    let most = settings.bounds.pixels / 1_000_000
    throw .invalid([
      Problem.Field(
        "device", "has a screen of \((device.pixels / 1_000_000).rounded(.up).plain) megapixels; the maximum is \(most)"
      )
    ])
  }

  /// Moves the stored creative to its final path and stores the render.
  private func keep(
    _ new: NewRender, _ taken: CreativeUploader.Taken
  ) async throws(Problem) -> (row: RenderRow, isNew: Bool) {
    do throws(Fault) {
      try DurableFile.synchronise(folder: taken.folder.path)
      try DurableFile.move(taken.folder.path, to: data.render(new.id).path)
      switch try await write(new) {
      case .accepted(let row):
        return (row, true)
      case .known(let row):
        uploader.discard(data.render(new.id))
        return (row, false)
      case .conflict:
        uploader.discard(data.render(new.id))
      }
    } catch {
      throw Problem(error)
    }
    throw Self.otherRequest
  }

  /// Stores a render; if that fails, its files are removed.
  private func write(_ new: NewRender) async throws(Fault) -> NewRender.Acceptance {
    do throws(Fault) {
      return try await store.accept(new)
    } catch {
      if await isMissing(new.id) { uploader.discard(data.render(new.id)) }
      throw error
    }
  }

  /// True if the render certainly isn't in the database, even if storing it failed with an unclear error.
  private func isMissing(_ id: String) async -> Bool {
    do throws(Fault) {
      return try await store.render(id) == nil
    } catch {
      return false
    }
  }

  private static let otherRequest = Problem(
    422, "idempotency-key-reused", "this Idempotency-Key was used for another request")
}
