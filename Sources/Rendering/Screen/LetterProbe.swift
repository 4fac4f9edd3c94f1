internal import Core
internal import Engine
internal import Machine
internal import RenderModel
internal import Synchronization
internal import WebKitRuntime

/// Finds characters of a page that no font has: screenshots show boxes where a phone would show the characters.
@EngineActor struct LetterProbe {
  let page: AdPage
  let clock: RenderClock

  /// Function for a page's script that returns the characters of a document that not every font has, each once.
  ///
  /// Frames of other origins can't be read. Marks, spaces and characters that are never drawn by themselves are left
  /// out.
  static let list = """
    const unusual = /[^\\u0000-\\u024f\\u0370-\\u052f\\u2000-\\u206f\\p{Default_Ignorable_Code_Point}\\p{M}\\p{Z}\\p{Cn}\\p{Cc}\\p{Cs}]/gu;
    const member = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
    const letters = (view, found = new Set(), depth = 0) => {
      const body = member(Document.prototype, "body").call(view.document);
      const text = body ? member(HTMLElement.prototype, "innerText").call(body).slice(0, 200000) : "";
      for (const letter of text.match(unusual) ?? []) if (found.size < \(most)) found.add(letter);
      for (let i = 0; i < Math.min(view.length, 50) && depth < 5; i += 1) {
        try { letters(view[i], found, depth + 1); } catch { /* another origin's */ }
      }
      return found;
    };
    """
  /// Maximum number of a page's characters that are checked.
  private static let most = 200

  /// Returns the characters among them that are shown as boxes.
  func boxes(among letters: String) async -> [Character] {
    let scalars = Array(letters.unicodeScalars.prefix(Self.most))
    let strange = String(String.UnicodeScalarView(scalars.filter { !UsableLetters.includes($0.value, among: scalars) }))
    guard !strange.isEmpty else { return [] }
    let answer = await clock.hold { try? await page.view.call(Self.draw, ["letters": strange]) }
    guard let answer, let boxes = PageAnswer.decode(String.self, from: answer) else { return [] }
    return boxes.unicodeScalars.prefix(Self.most).map { Character($0) }
  }

  /// Script that draws each character with the fonts of its element and compares the result with an unassigned
  /// character.
  private static let draw = """
    const member = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
    const body = member(Document.prototype, "body").call(document);
    if (!body) return "";
    const families = new Map();
    const walker = Document.prototype.createTreeWalker.call(document, body, NodeFilter.SHOW_TEXT);
    const wanted = new Set(letters);
    for (let left = 20000; left > 0 && wanted.size > 0 && walker.nextNode(); left -= 1) {
      const node = walker.currentNode;
      for (const letter of node.data.slice(0, 10000)) {
        if (!wanted.delete(letter)) continue;
        const { fontStyle, fontWeight, fontFamily } = getComputedStyle(node.parentElement ?? body);
        families.set(letter, `${fontStyle} ${fontWeight} 24px ${fontFamily}`);
      }
    }
    const canvas = Document.prototype.createElement.call(document, "canvas");
    canvas.width = canvas.height = 48;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const drawn = (letter, font) => {
      context.clearRect(0, 0, 48, 48);
      context.font = font;
      context.fillText(letter, 8, 36);
      return context.getImageData(0, 0, 48, 48).data.join();
    };
    const usual = `24px ${getComputedStyle(body).fontFamily}`;
    return [...letters].filter((letter) => {
      const font = families.get(letter) ?? usual;
      return drawn(letter, font) === drawn("\\u0378", font);
    }).join("");
    """
}

/// Characters that the fonts of this machine have, looked up once for each character.
private enum UsableLetters {
  private static let known = Mutex<[UInt32: Bool]>([:])

  /// Indicates if a font has the character; `all` are the characters that will be asked for next.
  static func includes(_ letter: UInt32, among all: [Unicode.Scalar]) -> Bool {
    known.withLock { known in
      if let isThere = known[letter] { return isThere }
      let new = Set(all.map(\.value)).subtracting(known.keys)
      let drawable = UsableFonts.drawable(new)
      for letter in new { known[letter] = drawable.contains(letter) }
      return known[letter] ?? false
    }
  }
}

extension [Character] {
  /// Warnings that screenshots show boxes for the characters, with the cause; none for an empty array.
  var boxWarnings: [String] {
    let (icons, letters) = (filter(\.isPrivate), filter { !$0.isPrivate })
    return [
      letters.isEmpty
        ? nil
        : letters.boxes + "no installed font has them, and the ad includes none; run `galley doctor` for remedies",
      icons.isEmpty ? nil : icons.boxes + "the ad's own font is missing, or doesn't have them",
    ].compactMap(\.self)
  }

  private var boxes: String {
    let more = count > 20 ? " and \(count - 20) more" : ""
    return "screenshots show boxes for \(prefix(20).map(\.named).joined(separator: " "))\(more): "
  }
}

extension Character {
  /// Indicates a private-use character, which may have another meaning in each font.
  fileprivate var isPrivate: Bool { unicodeScalars.first?.properties.generalCategory == .privateUse }

  fileprivate var named: String {
    guard !isLetter, !isSymbol, let scalar = unicodeScalars.first?.value else { return String(self) }
    return "U+" + String(scalar, radix: 16, uppercase: true)
  }
}
