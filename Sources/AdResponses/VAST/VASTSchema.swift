/// The IAB's schemas: the attributes, the text and the ordered children of each element.
struct VASTSchema: Sendable {
  /// Attribute or child of an element.
  struct Part: Hashable, Sendable {
    let name: String
    let isRequired: Bool
    /// Type of an attribute's value; nil for any text.
    let type: VASTValueType?
  }

  /// Rule for an element.
  struct Rule: Hashable, Sendable {
    var attributes: [Part] = []
    /// Type of the element's text; nil for any.
    var text: VASTValueType?
    /// Children in the schema's order, unless `isOrdered` is false.
    var children: [Part] = []
    var isOrdered = true
  }

  /// Version as remarks name it.
  let version: String
  /// Rules by the element's name, or by `Holder:Name` for an element with another rule inside that holder.
  private let rules: [String: Rule]

  /// Elements inside of which other elements have rules of their own.
  private static let holders: Set<String> = ["Wrapper", "Verification", "IconClickFallbackImage"]

  private init(_ version: String, _ tables: String...) {
    self.version = version
    var rules: [String: Rule] = [:]
    for line in tables.flatMap({ $0.split(separator: "\n") }) {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      guard columns.count == 4 else { continue }
      let rule = Self.rule(columns)
      for name in Self.words(columns[0]) { rules[String(name)] = rule }
    }
    self.rules = rules
  }

  /// Returns the schema of a version; for 4.3 and later that of 4.2, the newest available.
  static func of(_ version: String) -> VASTSchema {
    if version.hasPrefix("2") { return second }
    if version.hasPrefix("3") { return third }
    if version.hasPrefix("4.0") { return fourth }
    return version == "4.1" || version.hasPrefix("4.1.") ? first : newest
  }

  /// Returns the rule for an element within this holder; nil for an element that isn't in the standard.
  func rule(of name: String, in holder: String) -> Rule? { rules["\(holder):\(name)"] ?? rules[name] }

  /// Returns the holder for the children of an element.
  static func holder(within name: String, of holder: String) -> String { holders.contains(name) ? name : holder }

  private static func words(_ column: Substring) -> [Substring] { column.split(separator: " ") }

  private static func rule(_ columns: [Substring]) -> Rule {
    let children = words(columns[3])
    return Rule(
      attributes: words(columns[1]).map(part), text: words(columns[2]).first.flatMap { VASTValueType($0) },
      children: children.filter { $0 != "&" }.map(part), isOrdered: children.first != "&")
  }

  /// Parses `name`, or `name!` if it is required, with the type of its value after a colon.
  private static func part(_ word: Substring) -> Part {
    let halves = word.split(separator: ":", maxSplits: 1)
    let isRequired = halves[0].hasSuffix("!")
    return Part(
      name: String(isRequired ? halves[0].dropLast() : halves[0]), isRequired: isRequired,
      type: halves.count == 2 ? VASTValueType(halves[1]) : nil)
  }
}

// Of each element: its names, attributes, text and children. `!` is required, `&` says that any order will do.
extension VASTSchema {
  private static let newest = VASTSchema("4.2", common, table4)
  private static let first = VASTSchema("4.1", common, table4, table41)
  private static let fourth = VASTSchema("4.0", common, table4, table41, table40)
  private static let third = VASTSchema("3.0", common, table3)
  private static let second = VASTSchema("2.0", common, table3, table2)

  /// Rules that are the same in all versions that have the element.
  private static let common = """
    VAST | version! | |
    Error Impression VASTAdTagURI Survey ClickThrough ClickTracking CustomClick IFrameResource | | address |
    IconClickThrough IconClickTracking IconViewTracking CompanionClickThrough CompanionClickTracking | | address |
    NonLinearClickThrough NonLinearClickTracking Viewable NotViewable ViewUndetermined | | address |
    StaticResource | creativeType! | address |
    Creatives | | | Creative!
    CompanionAds | required:all/any/none | | Companion
    Duration | | time |
    TrackingEvents | | | Tracking
    ClosedCaptionFiles | | | ClosedCaptionFile
    AdParameters HTMLResource | xmlEncoded:boolean | |
    Icons | | | Icon!
    MediaFile | delivery!:streaming/progressive type! width!:integer height!:integer bitrate:integer \
    minBitrate:integer maxBitrate:integer scalable:boolean maintainAspectRatio:boolean fileSize:integer | address |
    NonLinear | width!:integer height!:integer expandedWidth:integer expandedHeight:integer scalable:boolean \
    maintainAspectRatio:boolean minSuggestedDuration:time | | StaticResource IFrameResource HTMLResource \
    CreativeExtensions NonLinearClickTracking NonLinearClickThrough AdParameters
    """

  private static let table4 = """
    Ad | sequence:integer conditionalAd:boolean adType:video/audio/hybrid | |
    InLine | | | AdSystem! Error Extensions Impression! Pricing ViewableImpression AdServingId! AdTitle! \
    AdVerifications Advertiser Category Creatives! Description Expires Survey
    Wrapper | followAdditionalWrappers:boolean allowMultipleAds:boolean fallbackOnNoAd:boolean | | AdSystem! Error \
    Extensions Impression! Pricing ViewableImpression AdVerifications BlockedAdCategories Creatives VASTAdTagURI!
    Pricing | model!:CPC/CPM/CPE/CPV/cpc/cpm/cpe/cpv currency!:currency | decimal |
    Category | authority!:address | |
    BlockedAdCategories | authority:address | |
    Expires | | integer |
    ViewableImpression | | | Viewable NotViewable ViewUndetermined
    AdVerifications | | | Verification
    Verification | | | ExecutableResource JavaScriptResource TrackingEvents VerificationParameters
    ExecutableResource FlashResource | | address |
    JavaScriptResource | browserOptional:boolean | address |
    Verification:Tracking | event! | address |
    Creative | sequence:integer | | CompanionAds CreativeExtensions Linear NonLinearAds UniversalAdId!
    Wrapper:Creative | sequence:integer | | CompanionAds Linear NonLinearAds
    UniversalAdId | idRegistry! | |
    Linear | skipoffset:offset | | Icons TrackingEvents AdParameters Duration! MediaFiles! VideoClicks
    Wrapper:Linear | skipoffset:offset | | Icons TrackingEvents VideoClicks
    Icon | width:integer height:integer xPosition:horizontal yPosition:vertical duration:time offset:time \
    pxratio:decimal | | HTMLResource IFrameResource StaticResource IconClicks IconViewTracking
    IconClicks | | | IconClickFallbackImages IconClickThrough IconClickTracking
    IconClickFallbackImages | | | IconClickFallbackImage!
    IconClickFallbackImage | width:integer height:integer | | AltText StaticResource
    IconClickFallbackImage:StaticResource | | address |
    VideoClicks | | | ClickTracking ClickThrough CustomClick
    Tracking | event!:mute/unmute/pause/resume/rewind/skip/playerExpand/playerCollapse/loaded/start/firstQuartile/\
    midpoint/thirdQuartile/complete/progress/closeLinear/creativeView/acceptInvitation/adExpand/adCollapse/minimize/\
    close/overlayViewDuration/otherAdInteraction/interactiveStart offset:offset | address |
    MediaFiles | | | ClosedCaptionFiles MediaFile! Mezzanine InteractiveCreativeFile
    ClosedCaptionFile | | address |
    Mezzanine | delivery!:streaming/progressive type! width!:integer height!:integer fileSize:integer | address |
    InteractiveCreativeFile | variableDuration:boolean | address |
    NonLinearAds | | | TrackingEvents NonLinear
    NonLinear | width!:integer height!:integer expandedWidth:integer expandedHeight:integer scalable:boolean \
    maintainAspectRatio:boolean minSuggestedDuration:time | | HTMLResource IFrameResource StaticResource AdParameters \
    NonLinearClickThrough NonLinearClickTracking
    Wrapper:NonLinear | | | NonLinearClickTracking
    Companion | width!:integer height!:integer assetWidth:integer assetHeight:integer expandedWidth:integer \
    expandedHeight:integer pxratio:decimal renderingMode:default/end-card/concurrent | | HTMLResource IFrameResource \
    StaticResource AdParameters AltText CompanionClickThrough CompanionClickTracking CreativeExtensions TrackingEvents
    CompanionClickTracking | id! | address |
    """

  private static let table41 = """
    Creative | sequence:integer | | & CompanionAds CreativeExtensions Linear NonLinearAds UniversalAdId!
    Icons | | | Icon
    VideoClicks | | | ClickTracking CustomClick ClickThrough
    Tracking | event!:mute/unmute/pause/resume/rewind/skip/playerExpand/playerCollapse/loaded/start/firstQuartile/\
    midpoint/thirdQuartile/complete/progress/closeLinear/creativeView/acceptInvitation/adExpand/adCollapse/minimize/\
    close/overlayViewDuration/otherAdInteraction offset:offset | address |
    """

  private static let table40 = """
    InLine | | | AdSystem! Error Extensions Impression! Pricing ViewableImpression AdTitle! AdVerifications Advertiser \
    Category Creatives! Description Survey
    Verification | | | FlashResource JavaScriptResource ViewableImpression
    Verification:ViewableImpression | | address |
    UniversalAdId | idRegistry! idValue! | |
    Tracking | event!:mute/unmute/pause/resume/rewind/skip/playerExpand/playerCollapse/start/firstQuartile/midpoint/\
    thirdQuartile/complete/acceptInvitationLinear/timeSpentViewing/progress/creativeView/acceptInvitation/adExpand/\
    adCollapse/minimize/close/overlayViewDuration/otherAdInteraction offset:offset | address |
    Mezzanine | | address |
    NonLinear | | | HTMLResource IFrameResource StaticResource AdParameters NonLinearClickThrough NonLinearClickTracking
    """

  private static let table3 = """
    Ad | sequence:integer | |
    InLine | | | AdSystem! AdTitle! Description Advertiser Pricing Survey Error Impression! Creatives! Extensions
    Wrapper | followAdditionalWrappers:boolean allowMultipleAds:boolean fallbackOnNoAd:boolean | | AdSystem! \
    VASTAdTagURI! Error Impression! Creatives! Extensions
    Pricing | model!:cpc/cpm/cpe/cpv currency!:currency | decimal |
    Wrapper:Creatives | | | Creative
    Creative | sequence:integer | |
    Linear | skipoffset:offset | | Icons CreativeExtensions Duration! TrackingEvents AdParameters VideoClicks MediaFiles
    Wrapper:Linear | skipoffset:offset | | CreativeExtensions Icons TrackingEvents VideoClicks
    Icon | program! width!:integer height!:integer xPosition!:horizontal yPosition!:vertical offset:time \
    duration:time | | StaticResource IFrameResource HTMLResource IconClicks IconViewTracking
    IconClicks | | | IconClickTracking IconClickThrough
    VideoClicks | | | ClickThrough ClickTracking CustomClick
    Tracking | event!:creativeView/start/firstQuartile/midpoint/thirdQuartile/complete/mute/unmute/pause/rewind/resume/\
    fullscreen/exitFullscreen/expand/collapse/acceptInvitation/close/skip/progress/acceptInvitationLinear/closeLinear \
    offset:offset | address |
    MediaFiles | | | MediaFile!
    NonLinearAds | | | TrackingEvents NonLinear!
    Wrapper:NonLinearAds | | | TrackingEvents NonLinear
    Wrapper:NonLinear | width:integer height:integer expandedWidth:integer expandedHeight:integer scalable:boolean \
    maintainAspectRatio:boolean minSuggestedDuration:time | | CreativeExtensions NonLinearClickTracking
    Companion | width!:integer height!:integer assetWidth:integer assetHeight:integer expandedWidth:integer \
    expandedHeight:integer | | StaticResource IFrameResource HTMLResource CreativeExtensions TrackingEvents \
    CompanionClickThrough CompanionClickTracking AltText AdParameters
    """

  private static let table2 = """
    Ad | id! sequence:integer | |
    Tracking | event!:creativeView/start/midpoint/firstQuartile/thirdQuartile/complete/mute/unmute/pause/rewind/resume/\
    fullscreen/expand/collapse/acceptInvitation/close offset:offset | address |
    Wrapper:NonLinear | width!:integer height!:integer expandedWidth:integer expandedHeight:integer scalable:boolean \
    maintainAspectRatio:boolean minSuggestedDuration:time | | StaticResource IFrameResource HTMLResource \
    NonLinearClickThrough AdParameters
    """
}
