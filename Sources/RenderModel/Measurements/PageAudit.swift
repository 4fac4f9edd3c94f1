package import Core
package import MRAID

/// The ad's page at the first screenshot of a state.
package struct PageAudit: Hashable, Sendable, Codable {
  package var state: MRAIDState
  /// Milliseconds since the load began.
  private var t: Double
  /// Name of the screenshot of that moment; nil if there is none.
  package var screenshot: String?
  /// The ad's own view in dip: the slot, or the screen of an interstitial or expanded ad.
  package var width: Double
  package var height: Double
  /// Nil if the page couldn't be asked.
  package var document: DocumentAudit?
  /// Nil if there was no image.
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

/// Facts about the ad's document, including its same-origin frames.
package struct DocumentAudit: Hashable, Sendable, Codable {
  /// An element, described so that a user can find it.
  package struct Element: Hashable, Sendable, Codable {
    /// `image`, `link`, `control`, `media`, `frame`, `text`, `close`
    package var kind: String
    /// `img#logo.big`
    package var selector: String
    /// Text or address of the element, cut.
    package var text: String
    /// Position in the ad, in dip.
    package var frame: Rect
    package init(kind: String, selector: String, text: String, frame: Rect) {
      self.kind = kind
      self.selector = selector
      self.text = text
      self.frame = frame
    }
  }
  /// Text with its size on the screen, transforms included.
  package struct TextSize: Hashable, Sendable, Codable {
    package var element: Element
    /// Size in dip.
    package var size: Double
    package init(element: Element, size: Double) {
      self.element = element
      self.size = size
    }
  }
  /// Extent of the page beyond its view.
  package struct Overflow: Hashable, Sendable, Codable {
    /// Extent to the right and below, in dip.
    package var x: Double
    package var y: Double
    /// Indicates if the user can scroll there.
    package var scrolls: Bool
    package init(x: Double, y: Double, scrolls: Bool) {
      self.x = x
      self.y = y
      self.scrolls = scrolls
    }
  }
  /// A close button of the creative itself.
  package struct CloseControl: Hashable, Sendable, Codable {
    package var element: Element
    /// Contrast of its two main colours in the image, from 1 to 21; nil if there is no image of it.
    package var contrast: Double?
    package init(element: Element, contrast: Double? = nil) {
      self.element = element
      self.contrast = contrast
    }
  }

  /// The `lang` of the document element; nil or empty if it has none.
  package var language: String?
  package var title: String?
  /// Indicates if the page holds more elements than were examined.
  private var isCut: Bool
  /// Elements without a text alternative for users who can't see them: images, links, controls and frames.
  package var unnamed: [Element]
  /// The smallest texts with their sizes, smallest first, at most ten.
  package var textSizes: [TextSize]
  package var overflow: Overflow
  /// Text that is cut by the ad's edge or a box around it.
  package var clipped: [Element]
  /// Visible text and addresses of links that look like placeholders which should have been filled in.
  package var placeholders: [Element]
  /// Bounding box of everything that the ad draws, including parts outside its view; nil if it draws nothing.
  package var drawn: Rect?
  package var closeControls: [CloseControl]
  package var media: [MediaElement]
  package var animations: AnimationAudit
  /// Number of visible canvases.
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

/// Animations on the document's timeline: CSS animations, transitions and scripted ones.
package struct AnimationAudit: Hashable, Sendable, Codable {
  /// Number of running animations.
  package var running: Int
  /// Number of running animations without an end.
  private var endless: Int
  /// Time at which the last finite animation ends, in milliseconds after the document began; 0 for none.
  package var end: Double
  /// Largest number of iterations of a finite animation; nil if there is none.
  package var loops: Double?
  /// Names of the animations without an end: `spin on div#sun`.
  package var names: [String]

  package init(running: Int = 0, endless: Int = 0, end: Double = 0, loops: Double? = nil, names: [String] = []) {
    self.running = running
    self.endless = endless
    self.end = end
    self.loops = loops
    self.names = names
  }
}

/// A video or sound in the ad's document.
package struct MediaElement: Hashable, Sendable, Codable {
  /// `video#film`
  package var selector: String
  /// Address without query and fragment.
  private var source: String
  package var isPlaying: Bool
  /// Indicates if it is audible: it has sound, isn't muted and its volume isn't 0.
  package var isAudible: Bool
  private var autoplays: Bool
  package var loops: Bool
  private var hasControls: Bool
  /// Duration in seconds; nil if unknown or endless.
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

/// Facts derived from the image of an ad alone.
package struct SurfaceAudit: Hashable, Sendable, Codable {
  /// Indicates if the ad shows a single colour and nothing else.
  package var isBlank: Bool
  /// Indicates if a line of one colour surrounds the ad and stands out from the pixels inside it.
  package var hasBorder: Bool
  /// Shares of the outermost pixels that are nearly white and nearly black, and so blend with a page's background.
  package var whiteEdge: Double
  package var blackEdge: Double

  package init(isBlank: Bool, hasBorder: Bool, whiteEdge: Double, blackEdge: Double) {
    self.isBlank = isBlank
    self.hasBorder = hasBorder
    self.whiteEdge = whiteEdge
    self.blackEdge = blackEdge
  }
}
