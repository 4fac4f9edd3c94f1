/// File names from words.
enum Slug {
  /// `07-tap-buy`, at most 48 characters.
  static func numbered(_ number: Int, _ words: String) -> String {
    var slug = number < 10 ? "0\(number)" : "\(number)"
    var isGap = true
    for character in words.lowercased() where slug.count < 48 {
      if character.isASCII, character.isLetter || character.isNumber {
        if isGap { slug += "-" }
        slug.append(character)
        isGap = false
      } else {
        isGap = true
      }
    }
    return slug
  }
}
