package import Core
package import MRAID

/// The ad's page as it stood when a state was first pictured.
package struct PageAudit: Hashable, Sendable, Codable {
  package var state: MRAIDState
  /// Milliseconds since the load began.
  private var t: Double
  /// The name of the picture of that moment.
  package var screenshot: String?
  /// The ad's own view in dip: the slot, or the screen of an interstitial or expanded ad.
  package var width: Double
  package var height: Double
  /// Nil when the page couldn't be asked.
  package var document: DocumentAudit?
  /// Nil when there was no picture.
  package var surface: SurfaceAudit?

  package init(
    state: MRAIDState, t: Double, screenshot: String? = nil, width: Double, height: Double,
    document: DocumentAudit? = nil, surface: SurfaceAudit? = nil
  ) {
    self.state = state
    self.t = t
    self.screenshot = screenshot
    self.width = width
    self.height = height
    self.document = document
    self.surface = surface
  }
}

/// What the ad's document tells of itself, same-origin frames included.
package struct DocumentAudit: Hashable, Sendable, Codable {
  /// An element as a person would point at it.
  package struct Element: Hashable, Sendable, Codable {
    /// `image`, `link`, `control`, `media`, `frame`, `text`, `close`
    package var kind: String
    /// `img#logo.big`
    package var selector: String
    /// What it says: text or address, cut.
    package var text: String
    /// Where it is in the ad, in dip.
    package var frame: Rect
    package init(kind: String, selector: String, text: String, frame: Rect) {
      self.kind = kind
      self.selector = selector
      self.text = text
      self.frame = frame
    }
  }
  /// Text, and how large it is on the screen, transforms included.
  package struct TextSize: Hashable, Sendable, Codable {
    package var element: Element
    /// dip
    package var size: Double
    package init(element: Element, size: Double) {
      self.element = element
      self.size = size
    }
  }
  /// How far the page reaches beyond its view.
  package struct Overflow: Hashable, Sendable, Codable {
    /// dip to the right and below.
    package var x: Double
    package var y: Double
    /// Whether a person can scroll there.
    package var scrolls: Bool
    package init(x: Double, y: Double, scrolls: Bool) {
      self.x = x
      self.y = y
      self.scrolls = scrolls
    }
  }
  /// A close button of the creative's own.
  package struct CloseControl: Hashable, Sendable, Codable {
    package var element: Element
    /// Between its two foremost colours in the picture, from 1 to 21; nil when it wasn't pictured.
    package var contrast: Double?
    package init(element: Element, contrast: Double? = nil) {
      self.element = element
      self.contrast = contrast
    }
  }

  /// The `lang` of the document element; nil or empty when there is none.
  package var language: String?
  package var title: String?
  /// Whether the page holds more than was looked at.
  private var isCut: Bool
  /// What says nothing to who can't see it: images, links, controls and frames without a text alternative.
  package var unnamed: [Element]
  /// The sizes of the smallest text, smallest first, ten at most.
  package var textSizes: [TextSize]
  package var overflow: Overflow
  /// Text that the ad's edge or a box around it cuts through.
  package var clipped: [Element]
  /// Text that is to be seen and links whose addresses look as if something was to be filled in.
  package var placeholders: [Element]
  /// A box around all that it draws, whatever its view cuts off; nil when it draws nothing.
  package var drawn: Rect?
  package var closeControls: [CloseControl]
  package var media: [MediaElement]
  package var animations: AnimationAudit
  /// Canvases that are to be seen.
  private var canvases: Int

  package init(
    language: String? = nil, title: String? = nil, isCut: Bool = false, unnamed: [Element] = [],
    textSizes: [TextSize] = [], overflow: Overflow = Overflow(x: 0, y: 0, scrolls: false), clipped: [Element] = [],
    placeholders: [Element] = [], drawn: Rect? = nil, closeControls: [CloseControl] = [], media: [MediaElement] = [],
    animations: AnimationAudit = AnimationAudit(),
    canvases: Int = 0
  ) {
    self.language = language
    self.title = title
    self.isCut = isCut
    self.unnamed = unnamed
    self.textSizes = textSizes
    self.overflow = overflow
    self.clipped = clipped
    self.placeholders = placeholders
    self.drawn = drawn
    self.closeControls = closeControls
    self.media = media
    self.animations = animations
    self.canvases = canvases
  }
}

/// What the document's own timeline runs: CSS animations, transitions and scripted ones.
package struct AnimationAudit: Hashable, Sendable, Codable {
  /// How many run.
  package var running: Int
  /// How many of them have no end.
  private var endless: Int
  /// Milliseconds after the document began at which the last that ends will have ended; 0 for none.
  package var end: Double
  /// How often the one plays that plays most often and ends; nil when none does.
  package var loops: Double?
  /// Names of those without an end: `spin on div#sun`.
  package var names: [String]

  package init(running: Int = 0, endless: Int = 0, end: Double = 0, loops: Double? = nil, names: [String] = []) {
    self.running = running
    self.endless = endless
    self.end = end
    self.loops = loops
    self.names = names
  }
}

/// A film or sound in the ad's document.
package struct MediaElement: Hashable, Sendable, Codable {
  /// `video#film`
  package var selector: String
  /// Without query and fragment.
  private var source: String
  package var isPlaying: Bool
  /// Whether it can be heard: it has sound, isn't muted and its volume isn't 0.
  package var isAudible: Bool
  private var autoplays: Bool
  package var loops: Bool
  private var hasControls: Bool
  /// Seconds; nil when unknown or endless.
  private var duration: Double?

  package init(
    selector: String, source: String = "", isPlaying: Bool, isAudible: Bool, autoplays: Bool = false,
    loops: Bool = false, hasControls: Bool = false, duration: Double? = nil
  ) {
    self.selector = selector
    self.source = source
    self.isPlaying = isPlaying
    self.isAudible = isAudible
    self.autoplays = autoplays
    self.loops = loops
    self.hasControls = hasControls
    self.duration = duration
  }
}

/// What the picture of an ad tells by itself.
package struct SurfaceAudit: Hashable, Sendable, Codable {
  /// Whether the ad shows one colour and nothing else.
  package var isBlank: Bool
  /// Whether a line of one colour goes round the ad, standing out from what is inside it.
  package var hasBorder: Bool
  /// Which part of the outermost pixels is about white, and about black: what a page's own background swallows.
  package var whiteEdge: Double
  package var blackEdge: Double

  package init(isBlank: Bool, hasBorder: Bool, whiteEdge: Double, blackEdge: Double) {
    self.isBlank = isBlank
    self.hasBorder = hasBorder
    self.whiteEdge = whiteEdge
    self.blackEdge = blackEdge
  }
}
