internal import Files
internal import Glibc

/// Key map of a display: the letters, digits and marks of a US keyboard, and a few other keys.
///
/// A server compiles its key map at each start, and the system's map, with the keys of all keyboards, takes most of
/// that time. Typed keys have the same codes as with the system's map.
enum Keyboard {
  /// Returns the server's options for the key map; none if it can't be written, so that the system's is used.
  static func options(in folder: String) -> [String] {
    let place = "\(folder)/xkb"
    guard mkdir(place, 0o700) == 0 else { return [] }
    for (name, text) in files {
      let subfolder = "\(place)/\(name)"
      guard mkdir(subfolder, 0o700) == 0, name == "rules" ? write(text, rulesIn: subfolder) : write(text, subfolder)
      else { return [] }
    }
    return ["-xkbdir", place]
  }

  /// Writes the rules under each name that servers have as their default.
  private static func write(_ text: String, rulesIn folder: String) -> Bool {
    ["base", "evdev"].allSatisfy { write(text, folder, $0) }
  }

  private static func write(_ text: String, _ folder: String, _ name: String = "galley") -> Bool {
    let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    return (try? FileWriting.writeAll(text.utf8, to: file)) != nil
  }

  /// Rows of keys: the row's name, the code of its first key, and the characters of its keys without and with Shift.
  private static let rows = [
    ("AE", 10, ["1!", "2@", "3#", "4$", "5%", "6^", "7&", "8*", "9(", "0)", "-_", "=+"]),
    ("AD", 24, ["qQ", "wW", "eE", "rR", "tT", "yY", "uU", "iI", "oO", "pP", "[{", "]}"]),
    ("AC", 38, ["aA", "sS", "dD", "fF", "gG", "hH", "jJ", "kK", "lL", ";:", "'\""]),
    ("AB", 52, ["zZ", "xX", "cC", "vV", "bB", "nN", "mM", ",<", ".>", "/?"]),
  ]
  /// Single keys with their names, codes and symbols.
  private static let keys = [
    ("TLDE", 49, "grave, asciitilde"), ("BKSL", 51, "backslash, bar"), ("SPCE", 65, "space"), ("RTRN", 36, "Return"),
    ("BKSP", 22, "BackSpace"), ("TAB", 23, "Tab, ISO_Left_Tab"), ("ESC", 9, "Escape"), ("LFSH", 50, "Shift_L"),
    ("CAPS", 66, "Caps_Lock"), ("LCTL", 37, "Control_L"), ("LALT", 64, "Alt_L"),
  ]

  /// Name, code and symbols of every key.
  private static var all: [(name: String, code: Int, symbols: String)] {
    rows.flatMap { row in
      row.2.enumerated().map { index, marks in
        let number = index + 1
        let symbols = marks.unicodeScalars.map { "0x\(String($0.value, radix: 16))" }.joined(separator: ", ")
        return ("\(row.0)\(number < 10 ? "0" : "")\(number)", row.1 + index, symbols)
      }
    } + keys.map { ($0.0, $0.1, $0.2) }
  }

  /// Texts of the key map's files, by the folder in which the server expects each.
  private static var files: [(name: String, text: String)] {
    let rules = ["keycodes", "types", "compat", "symbols", "geometry"].map { "! model = \($0)\n  * = galley\n" }
    let codes = all.map { "  <\($0.name)> = \($0.code);\n" }.joined()
    let symbols = all.map { "  key <\($0.name)> { [ \($0.symbols) ] };\n" }.joined()
    return [
      ("rules", rules.joined()),
      ("keycodes", "default xkb_keycodes \"galley\" {\n  minimum = 8;\n  maximum = 255;\n\(codes)};\n"),
      ("types", types),
      ("compat", compatibility),
      ("symbols", "default xkb_symbols \"galley\" {\n\(symbols)\(modifiers)};\n"),
      ("geometry", "default xkb_geometry \"galley\" {\n  width = 470;\n  height = 210;\n};\n"),
    ]
  }

  private static let modifiers = """
      modifier_map Shift { <LFSH> };
      modifier_map Lock { <CAPS> };
      modifier_map Control { <LCTL> };
      modifier_map Mod1 { <LALT> };

    """

  /// The four required types of every key map, and a modifier of its own, without which a server uses another map.
  private static let types = """
    default xkb_types "galley" {
      virtual_modifiers Alt;
      type "ONE_LEVEL" { modifiers = None; map[None] = Level1; level_name[Level1] = "Any"; };
      type "TWO_LEVEL" {
        modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Shift";
      };
      type "ALPHABETIC" {
        modifiers = Shift+Lock; map[Shift] = Level2; map[Lock] = Level2;
        level_name[Level1] = "Base"; level_name[Level2] = "Caps";
      };
      type "KEYPAD" {
        modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Number";
      };
    };

    """

  private static let compatibility = """
    default xkb_compatibility "galley" {
      virtual_modifiers Alt;
      interpret.useModMapMods = AnyLevel;
      interpret.repeat = False;
      interpret Shift_L { action = SetMods(modifiers=Shift); };
      interpret Caps_Lock { action = LockMods(modifiers=Lock); };
      interpret Alt_L { virtualModifier = Alt; action = SetMods(modifiers=modMapMods); };
      interpret Any+Any { action = SetMods(modifiers=modMapMods); };
    };

    """
}
