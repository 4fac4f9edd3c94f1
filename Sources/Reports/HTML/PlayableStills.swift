internal import Checks
internal import Core
internal import MRAID
internal import RenderModel

/// Pictures by which a person recognizes the course of a playable, chosen from a render and its exploration.
struct PlayableStills {
  /// Moment that a picture shows.
  enum Moment: String, CaseIterable {
    case first = "first frame"
    case portrait = "portrait"
    case landscape = "landscape"
    case last = "last state"
  }

  /// Picture with the moments that it shows.
  struct Still: Hashable {
    /// Path relative to the result's folder.
    let file: String
    /// End of the anchor of the same picture among the creative's screenshots; nil if it isn't there.
    let anchor: String?
    var moments: [Moment]

    /// Moments as text: `first frame, portrait`.
    var title: String { moments.map(\.rawValue).joined(separator: ", ") }
  }

  /// Picture of a state, before its moments are known.
  fileprivate struct Frame {
    let file: String
    var anchor: String?
    let orientation: AppOrientation?
  }

  /// Chosen pictures, each once, in the order of the moments.
  private(set) var stills: [Still] = []
  /// Moments of which there is no picture.
  private(set) var missing: [Moment] = []

  /// Chooses the pictures; without a map there are only those of the render itself.
  init(_ record: RenderRecord, _ map: StateMap?) {
    let shot = record.screenshots.enumerated().map { index, shot in
      Frame(
        file: shot.path, anchor: "p\(index + 1)", orientation: shot.width > shot.height ? .landscape : .portrait)
    }
    let explored = map?.explored ?? []
    let frames = shot + explored + (map?.turned ?? [])
    let first = frames.first
    add(first, .first)
    add(frames.first { $0.orientation == .portrait }, .portrait)
    add(frames.first { $0.orientation == .landscape }, .landscape)
    add(explored.last { $0.orientation == first?.orientation } ?? explored.last, .last)
  }

  private mutating func add(_ frame: Frame?, _ moment: Moment) {
    guard let frame else { return missing.append(moment) }
    if let same = stills.firstIndex(where: { $0.file == frame.file }) {
      stills[same].moments.append(moment)
    } else {
      stills.append(Still(file: frame.file, anchor: frame.anchor, moments: [moment]))
    }
  }

  /// Returns the means to get a picture that is missing.
  static func means(_ moment: Moment, isExplored: Bool) -> String {
    switch moment {
    case .first: "the render has no picture; fix the reason for that, and check the build again"
    case .portrait, .landscape, .last:
      isExplored
        ? "the exploration didn't reach it; raise --explore-actions" : "the build wasn't explored; use --explore"
    }
  }
}

extension StateMap {
  /// Screenshots of the states behind the first one, in which the ad is on the screen.
  ///
  /// The first state is where the render itself stood.
  fileprivate var explored: [PlayableStills.Frame] {
    states.dropFirst().filter { $0.state != MRAIDState.hidden.rawValue }.compactMap { state in
      state.screenshot.map { file in
        PlayableStills.Frame(file: file, anchor: "s\(state.number)", orientation: state.side)
      }
    }
  }

  /// Screenshots of the device while it was turned and turned back.
  fileprivate var turned: [PlayableStills.Frame] {
    paths.filter { $0.kind == "rotate" }.compactMap { path in
      guard let file = path.screenshot, let side = states.first(where: { $0.number == path.from })?.side else {
        return nil
      }
      return PlayableStills.Frame(file: file, orientation: side == .portrait ? .landscape : .portrait)
    }
  }
}

extension StateMap.State {
  /// Orientation of the device; nil in older maps.
  fileprivate var side: AppOrientation? { orientation.flatMap(AppOrientation.init) }
}

/// Figures of a playable's render, and the pictures that weren't made.
struct PlayablePictures {
  let creative: CreativeReport
  /// Anchor of the creative in the page.
  let id: String
  /// Build and network, for the pictures' descriptions.
  let title: String
  let page: ReportPage

  var node: Node {
    let map = ResultFiles(source: page.source, creative: creative).stateMap
    let chosen = PlayableStills(creative.record, map)
    let strip = PictureStrip(creative, id: id, page: page)
    return element("div", ["class": "stills-of-build"]) {
      for still in chosen.stills { figure(still, strip) }
      for film in films { node(film) }
      if !chosen.missing.isEmpty || films.isEmpty {
        element("ul", ["class": "missing"]) {
          for moment in chosen.missing {
            element("li") {
              "\(moment.rawValue): not tried (\(PlayableStills.means(moment, isExplored: map != nil)))"
            }
          }
          if films.isEmpty { element("li") { "film: not tried (no film was made; \(filming))" } }
        }
      }
    }
  }

  private func figure(_ still: PlayableStills.Still, _ strip: PictureStrip) -> Node {
    element("figure") {
      if let picture = page.album.picture(still.file, for: .thumb, in: creative, of: page.source) {
        let image = picture.node(alt: "\(title), \(still.title)", kind: "still")
        if let anchor = anchor(still, strip) { element("a", ["href": "#\(anchor)"]) { image } } else { image }
      } else {
        element("p", ["class": "missing"]) { "The screenshot can't be read." }
      }
      element("figcaption") { still.title }
    }
  }

  /// Returns the anchor of the large picture, which equal screenshots of a render have in common; nil for none.
  private func anchor(_ still: PlayableStills.Still, _ strip: PictureStrip) -> String? {
    let index = creative.record.screenshots.firstIndex { $0.path == still.file }
    return index.flatMap { strip.id($0) } ?? still.anchor.map { "\(id)-\($0)" }
  }

  /// Film in the page: its file and its title.
  private struct Film {
    let file: String
    let title: String
  }

  /// Films of the way through the playable and of the render that left the ad alone.
  private var films: [Film] {
    let way = creative.film.map { Film(file: $0, title: "Film of the way through the game") }
    let strip = creative.record.filmstrip.map { Film(file: $0.animation, title: "Film, \($0.frames) frames") }
    return [way, strip].compactMap(\.self)
  }

  /// Returns a film, which plays only once it is unfolded.
  private func node(_ film: Film) -> Node {
    Badge.folded(film.title, kind: "more") {
      if let picture = page.album.picture(film.file, for: .film, in: creative, of: page.source) {
        picture.node(alt: "\(title), film", kind: "still")
      } else {
        element("p", ["class": "missing"]) { "The film is missing or too large: see \(film.file)." }
      }
    }
  }

  /// Means to get a film.
  private var filming: String {
    let host = creative.record.container.map { " --container \(ShellWord.quoted($0))" } ?? ""
    return "use --film, or galley film \(ShellWord.quoted(creative.creativePath))\(host) --output film.mp4"
  }
}
