/// Chooses the file of a video that is played.
package enum MediaChoice {
  /// Types that the engine plays, through GStreamer's usual plugins.
  package static let playable: Set<String> = [
    "video/mp4", "video/webm", "video/ogg", "video/quicktime", "video/x-m4v", "video/3gpp",
  ]

  /// Maximum rate in kilobits per second that a phone's connection carries without stalls.
  private static let highestBitrate = 6_000

  /// Chooses the file of a video; throws a special error if there are programs only and no video.
  package static func choose(of linear: VASTLinear, width: Double, height: Double) throws(VASTProblem) -> VASTMediaFile
  {
    let programs = Set(linear.interactiveFiles.compactMap { $0.apiFramework?.uppercased() }).sorted()
    guard !linear.mediaFiles.isEmpty || linear.interactiveFiles.isEmpty else {
      let why = programs == ["SIMID"] ? "which need a video below them" : "which aren't run"
      throw VASTProblem(
        .interactiveNotExecuted, "the ad has no video, only programs (\(programs.joined(separator: ", "))), \(why)",
        programs: programs)
    }
    return try choose(from: linear.mediaFiles, width: width, height: height)
  }

  /// Chooses the file for a player of this size in the screen's pixels; throws the standard's error if there is none.
  ///
  /// Files that play without stalls come first; of these the smallest that fills the player, otherwise the largest; of
  /// equal sizes the one with the highest bitrate.
  package static func choose(
    from files: [VASTMediaFile], width: Double, height: Double
  ) throws(VASTProblem) -> VASTMediaFile {
    let videos = files.filter { !$0.isProgram && playable.contains($0.plainType) }
    guard !videos.isEmpty else { throw refusal(of: files) }
    let progressive = videos.filter { $0.delivery == .progressive }
    let offered = progressive.isEmpty ? videos : progressive
    let best = offered.enumerated().min { one, other in
      rank(one.element, width, height, one.offset).lexicographicallyPrecedes(
        rank(other.element, width, height, other.offset))
    }
    return best?.element ?? videos[0]
  }

  /// Reason that no file can be played: programs instead of videos, unknown types, or no file at all.
  private static func refusal(of files: [VASTMediaFile]) -> VASTProblem {
    guard !files.isEmpty else { return VASTProblem(.mediaNotFound, "the ad has no media file") }
    let frameworks = files.filter(\.isProgram).compactMap(\.apiFramework)
    if frameworks.count == files.count {
      let names = Set(frameworks).sorted().joined(separator: ", ")
      if names.uppercased() == "SIMID" {
        return VASTProblem(
          .interactiveNotExecuted,
          "the ad has no video: its MediaFile is a program (SIMID), which belongs in an InteractiveCreativeFile "
            + "beside a video",
          programs: ["SIMID"])
      }
      let isVPAID = frameworks.contains { $0.uppercased() == "VPAID" }
      return VASTProblem(
        isVPAID ? .vpaid : .interactiveNotExecuted, "all its media are programs (\(names)), which aren't run")
    }
    let types = Set(files.map(\.type)).sorted().joined(separator: ", ")
    return VASTProblem(.mediaNotSupported, "none of its media types can be played: \(types)")
  }

  /// Rank of a file, compared part by part; the lowest is the best.
  private static func rank(_ file: VASTMediaFile, _ width: Double, _ height: Double, _ place: Int) -> [Double] {
    let area = Double(file.width) * Double(file.height)
    // A player is filled when the film, scaled to fit, isn't enlarged.
    let fills = Double(file.width) >= width || Double(file.height) >= height
    let bitrate = Double(file.bitrate ?? 0)
    let flows = bitrate <= Double(highestBitrate)
    return [flows ? 0 : 1, fills ? 0 : 1, fills ? area : -area, flows ? -bitrate : bitrate, Double(place)]
  }
}

extension MediaChoice {
  /// Returns a video's type by the ending of its address; nil if that is unknown.
  static func type(of url: String) -> String? {
    if url.hasPrefix("data:") { return String(url.dropFirst(5).prefix { $0 != ";" && $0 != "," }).lowercased() }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let types = [
      "mp4": "video/mp4", "m4v": "video/x-m4v", "webm": "video/webm", "ogv": "video/ogg", "mov": "video/quicktime",
      "3gp": "video/3gpp", "m3u8": "application/x-mpegurl", "mpd": "application/dash+xml",
    ]
    return path.split(separator: "/").last?.split(separator: ".").last.flatMap { types[$0.lowercased()] }
  }
}

extension VASTMediaFile {
  /// Indicates that the file is a program to run rather than to play: VPAID, SIMID or a script of another framework.
  package var isProgram: Bool {
    guard let name = apiFramework?.uppercased() else { return false }
    return name.hasPrefix("VPAID") || name == "SIMID"
      || ["javascript", "html", "flash"].contains { plainType.contains($0) }
  }

  /// Type without parameters such as `codecs`.
  fileprivate var plainType: String { String(type.prefix { $0 != ";" }).trimmedXML }
}
