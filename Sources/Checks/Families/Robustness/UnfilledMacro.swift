internal import Jobs
internal import MRAID

extension Check {
  static let unfilledMacro = Check(
    "unfilled-macro", family: .robustness, severity: .warning, title: "Macro that nobody filled in",
    why: "A placeholder that stays is read by people, or breaks the count or the click it is part of.",
    remedy: "Fill it in before the ad is shown, or hand it to the server whose macro it is; look at its spelling.",
    source: .auctionMacros
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    let found =
      evidence.macrosToRead + evidence.macrosAskedFor + evidence.macrosGoneTo + evidence.macrosLinkedTo
    var known: Set<String> = []
    return found.filter { known.insert($0.subject).inserted }
  }
}

extension Evidence {
  private func placeholders(_ kind: String) -> [(element: DocumentAudit.Element, page: PageAudit)] {
    (documents ?? []).flatMap { read in
      read.document.placeholders.filter { $0.kind == kind }.map { ($0, read.page) }
    }
  }

  /// In what pages say, as measured or as exploring read it.
  fileprivate var macrosToRead: [Remark] {
    let measured = placeholders("text").flatMap { placed in
      Macro.all(inText: placed.element.text).map { macro in
        var remark = macro.remark("\(placed.element.selector) says \(macro.text)", in: "text")
        remark.screenshot = placed.page.picture
        return remark
      }
    }
    let explored = (exploration?.states ?? []).flatMap { state in
      Macro.all(inText: state.text).map { $0.remark("the ad says \($0.text)", in: "text") }
    }
    return (measured + explored).map {
      var remark = $0
      remark.severity = .error
      return remark
    }
  }

  /// In what was loaded; the host's own requests aren't among these.
  fileprivate var macrosAskedFor: [Remark] {
    let asked = resources.map { $0.redirects.first ?? $0.url } + requestsWhileExploring
    return asked.flatMap { address in
      Macro.all(inAddress: address).map {
        $0.remark("a request goes out with \($0.text): \(address.withoutQuery)\($0.hint)", in: "request")
      }
    }
  }

  /// In where taps led.
  fileprivate var macrosGoneTo: [Remark] {
    waysOut.flatMap { met, address in
      Macro.all(inAddress: address).map {
        var remark = $0.remark("a click leads to an address with \($0.text)\($0.hint)\(met.way)", in: "click")
        remark.event = met.seq
        return remark
      }
    }
  }

  /// In links that can be tapped, and in what the click tag is until a server puts its own address there.
  fileprivate var macrosLinkedTo: [Remark] {
    let tags = passages(/[cC]lick_?[tT][aA][gG]\w*\s*[:=]\s*["'][^"']{1,500}["']/, hint: "lick").flatMap { passage in
      Macro.all(inAddress: passage.text).map {
        var remark = $0.remark("the click tag has \($0.text)\($0.hint)", in: "click")
        remark.place = passage.place
        return remark
      }
    }
    return tags
      + placeholders("link").flatMap { placed in
        Macro.all(inAddress: placed.element.text).map {
          $0.remark("the link \(placed.element.selector) goes to an address with \($0.text)\($0.hint)", in: "click")
        }
      }
  }
}

extension Macro {
  /// `, which Google Ad Manager fills in when it serves the ad`
  fileprivate var hint: String { filler.map { ", which \($0) fills in when it serves the ad" } ?? "" }

  /// One a server knows may be as it should until then.
  fileprivate func remark(_ message: String, in place: String) -> Remark {
    var remark = Remark(message, subject: "\(place):\(text)")
    if filler != nil { remark.severity = .note }
    return remark
  }
}
