internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// Takes a picture once everything on screen is loaded and settled; the creative's commands wait meanwhile.
  func requestPicture(_ name: String) {
    guard !photographer.isFull, failure == nil else { return }
    gate.hold()
    picturesPending += 1
    Task { @WebKitActor [weak self] in
      await self?.picture(name)
      self?.picturesPending -= 1
      self?.gate.release()
      self?.recorder.wakeWaiters()
    }
  }

  /// Takes a picture and waits for it; a scenario's own.
  func takePicture(_ name: String) async throws {
    _ = await becomesQuiet()
    let state = activeCreative?.session.state ?? .default
    await holdFilms()
    do {
      try await take(name, state)
    } catch {
      await releaseFilms()
      throw error
    }
    await releaseFilms()
    await meter?.pictured(state)
  }

  /// The browser's page may go elsewhere meanwhile, as often as the ad opens another.
  private func take(_ name: String, _ state: MRAIDState) async throws {
    for _ in 1..<Self.mostAttempts {
      do {
        return try await photographer.take(name, state: state)
      } catch let error as ScriptError where error == .wentElsewhere {
        guard failure == nil, !Task.isCancelled else { throw error }
        _ = await becomesQuiet()
      }
    }
    try await photographer.take(name, state: state)
  }

  /// Logs what the pages have loaded since the last fixed point.
  func flushNetwork() {
    for page in pagesOfAd { page.network?.flush() }
    feed?.flushNetwork()
  }

  /// Seconds that an MRAID creative has to do nothing before it counts as at rest, unless the caller says otherwise.
  static let rest = 0.1

  /// Follows the creative through the states it goes to by itself, until it has rested for so many seconds.
  ///
  /// One that never spoke to the bridge has no states, so it is only watched when the caller said for how long.
  func staysPut(for seconds: Double) async {
    guard job.options.watch != nil || hasSpoken else { return }
    while failure == nil, !photographer.isFull {
      let seen = transitions.count
      let moves = await recorder.wait(Bounded.seconds(seconds)) { [self] in
        transitions.count > seen || picturesPending > 0
      }
      guard moves else { return }
      _ = await becomesQuiet()
    }
  }

  private func picture(_ name: String, attempt: Int = 1) async {
    let state = activeCreative?.session.state ?? .default
    let isThere = await recorder.wait(.seconds(5)) { [weak self] in
      guard let self else { return true }
      // Exposure may be told 200 ms late; always before the picture, so that no two logs differ in it.
      return scheduled.count == 0 && !video.awaitsPlayer
        && stage.pages.values.allSatisfy {
          $0.isIdle && ($0.isLoaded || $0.id == views.page) && $0.ownResourcesHaveEnded
        }
    }
    if !isThere { warnings.append("the picture \(name) was taken before everything on screen had loaded") }
    await arrives()
    flushNetwork()
    let seen = navigation.documents
    await holdFilms()
    defer { letFilmsGoOn() }
    do {
      try await photographer.take(name, state: state)
      await meter?.pictured(state)
    } catch {
      guard failure == nil, !Task.isCancelled else { return }
      // It went elsewhere meanwhile, which it can't do for ever: the picture is that of where it arrives.
      if navigation.documents > seen { return await picture(name, attempt: attempt) }
      // So does the browser's page, as often as the ad opens another.
      if error as? ScriptError == .wentElsewhere, attempt < Self.mostAttempts {
        return await picture(name, attempt: attempt + 1)
      }
      recorder.record(.host, "pictureFailed", ["name": .string(name), "reason": .string(String(describing: error))])
      warnings.append("no picture of \(name): \(error)")
    }
  }

  /// How often a picture is tried in which a page of the host's went elsewhere.
  private static let mostAttempts = 25

  /// Waits until the pages have handled what they were told.
  func isDelivered() async -> Bool {
    await recorder.wait(.seconds(10)) { [weak self] in self?.stage.pages.values.allSatisfy(\.isIdle) ?? true }
  }

  /// Waits until no transition, delivery or picture is under way; false when it never came to that.
  func becomesQuiet(_ longest: Duration = .seconds(10)) async -> Bool {
    await recorder.wait(longest) { [weak self] in
      guard let self else { return true }
      return isAtRest && pageLog.isEmpty
    }
  }

  /// Whether nothing of the host's is under way, from the end of the ad's load on.
  var isAtRest: Bool {
    feed?.isAtRest != false && loadEnd != nil && picturesPending == 0 && scheduled.count == 0 && gate.isOpen
      && !(creative?.session.isTransitioning ?? false) && stage.pages.values.allSatisfy(\.isIdle)
  }
}

extension RenderSession {
  /// Takes what was asked for at instants since this frame, in which the ad was shown, and writes the filmstrip.
  func take(_ captures: Captures, to folder: OutputFolder) async throws(Fault) {
    let shown = clock.frame
    var strip = captures.filmstrip.map { FilmstripWriter($0, scale: job.device.renderScale) }
    for moment in captures.moments {
      await clock.comes(to: shown + Bounded.seconds(moment.seconds))
      guard failure == nil else { return }
      do {
        if let ad = try await picture(moment), moment.isFrame { strip?.add(ad, at: moment.seconds) }
      } catch {
        warnings.append("no picture at \(moment.seconds.plain) s: \(error)")
      }
    }
    guard let strip else { return }
    filmstrip = try await clock.hold { () async throws(Fault) in try await strip.write(to: folder.path) }
  }

  /// The ad alone as it is now, which is kept as a picture where that was asked for.
  private func picture(_ moment: Captures.Moment) async throws -> Bitmap? {
    let name = "at-\(moment.seconds.plain)s"
    let state = creative?.session.state ?? .default
    return try await photographer.takeNow(moment.isPicture ? name : nil, state: state, at: moment.seconds)
  }
}

/// Gathers the frames of a filmstrip at the page's own size and writes them as a sheet and as an animation.
struct FilmstripWriter: Sendable {
  private let strip: Captures.Filmstrip
  /// Physical pixels per dip of the pictures that come.
  private let scale: Int
  private(set) var frames: [Bitmap] = []
  private var instants: [Double] = []

  init(_ strip: Captures.Filmstrip, scale: Int) {
    self.strip = strip
    self.scale = scale
  }

  /// Adds a frame; one of another size than the first, as after a resize, is cut to it or gets room.
  mutating func add(_ picture: Bitmap, at seconds: Double) {
    let frame = picture.reduced(by: scale)
    guard frame.width > 0, frame.height > 0 else { return }
    instants.append(seconds)
    guard let first = frames.first, (first.width, first.height) != (frame.width, frame.height) else {
      return frames.append(frame)
    }
    var fitted = Bitmap(width: first.width, height: first.height, fill: .white)
    fitted.blit(frame, x: 0, y: 0)
    frames.append(fitted)
  }

  /// Writes both files; nil without a frame.
  @concurrent func write(to folder: String) async throws(Fault) -> RenderRecord.Filmstrip? {
    guard !frames.isEmpty else { return nil }
    let (sheet, animation) = ("filmstrip.png", "filmstrip-animation.png")
    do throws(PNGError) {
      let captions = instants.map { "\($0.plain)s" }
      try PNGEncoder.write(ContactSheet.draw(frames, captions: captions), to: "\(folder)/\(sheet)")
      let delay = UInt16(Bounded.int(strip.interval * 1_000, in: 0...65_535))
      try PNGAnimation.write(frames, delay: delay, to: "\(folder)/\(animation)")
    } catch {
      throw OutputFolder.fault(error)
    }
    return RenderRecord.Filmstrip(sheet: sheet, animation: animation, interval: strip.interval, frames: frames.count)
  }
}
