extension CompositionReader {
  // MARK: Texts and words

  mutating func string(_ fields: Fields, _ name: String) -> String? {
    fields[name].flatMap { string($0, "'\(name)'") }
  }

  mutating func string(_ node: Int, _ subject: String) -> String? {
    guard tree.kind(node) == .string else {
      mismatch(node, subject, "a text")
      return nil
    }
    return tree.string(node)
  }

  /// A text that must not be empty.
  mutating func name(_ fields: Fields, _ name: String) -> String? {
    guard let node = fields[name], let value = string(node, "'\(name)'") else { return nil }
    guard !value.isEmpty else {
      report(.shapeValue, at: node, "'\(name)' is empty; write at least one character")
      return nil
    }
    return value
  }

  /// A path as written, or a URL.
  mutating func path(_ node: Int, _ subject: String) -> String? {
    guard let value = string(node, subject) else { return nil }
    guard !value.isEmpty else {
      report(.shapeValue, at: node, "\(subject) is empty; write the path of a file")
      return nil
    }
    guard !value.utf8.contains(0) else {
      report(.shapeValue, at: node, "\(subject) holds the character U+0000, which no path can have")
      return nil
    }
    return value
  }

  mutating func bool(_ fields: Fields, _ name: String) -> Bool? {
    guard let node = fields[name] else { return nil }
    switch tree.kind(node) {
    case .true: return true
    case .false: return false
    default:
      mismatch(node, "'\(name)'", "true or false")
      return nil
    }
  }

  /// One of the words that the key can have, as the value of an enumeration that it stands for.
  mutating func choice<Value>(
    _ fields: Fields, _ name: String
  ) -> Value? where Value: RawRepresentable<String> {
    word(fields, name).flatMap(Value.init(rawValue:))
  }

  /// One of the words that the key can have.
  mutating func word(_ fields: Fields, _ name: String) -> String? {
    guard let node = fields[name], case .word(let known, let also) = fields.value(of: name)
    else { return nil }
    guard tree.kind(node) == .string else {
      let list = known.prefix(24).map { "\"\($0)\"" }.joined(separator: ", ")
      mismatch(node, "'\(name)'", "one of " + list + (known.count > 24 ? " …" : ""))
      return nil
    }
    let word = tree.string(node)
    guard known.contains(word) || also.contains(word) else {
      unknown(word, node, name, of: known)
      return nil
    }
    return word
  }

  // MARK: Numbers

  mutating func integer(_ fields: Fields, _ name: String) -> Int? {
    guard let node = fields[name], case .integer(let bounds, let unit) = fields.value(of: name)
    else { return nil }
    return integer(node, name, in: bounds, unit)
  }

  mutating func integer(
    _ node: Int, _ name: String, in bounds: ClosedRange<Int>, _ unit: String
  ) -> Int? {
    guard tree.kind(node) == .number else {
      mismatch(node, "'\(name)'", "a whole number of \(unit)")
      return nil
    }
    guard let value = integer(node), bounds.contains(value) else {
      report(
        .shapeValue, at: node,
        "'\(name)' is \(tree.number(node)), but must be a whole number\(unit.isEmpty ? "" : " of ")"
          + "\(unit) from "
          + "\(bounds.lowerBound) to \(bounds.upperBound)")
      return nil
    }
    return value
  }

  /// A number without fraction, also `25.0` and `1e3`.
  func integer(_ node: Int) -> Int? {
    guard tree.kind(node) == .number,
      case .value(let value) = DecimalText.parse(tree.number(node)[...]),
      value.isInteger
    else { return nil }
    return Int(exactly: value.numerator)
  }

  /// An exact number within bounds, written as a number or as a fraction such as `"1/3"`.
  mutating func rational(_ fields: Fields, _ name: String) -> Rational? {
    guard let node = fields[name], let format = fields.value(of: name) else { return nil }
    return rational(node, "'\(name)'", format)
  }

  mutating func rational(_ node: Int, _ subject: String, _ format: ValueFormat) -> Rational? {
    guard case .rational(let bounds, let isAbove) = format.unanimated else { return nil }
    return rational(node, subject, in: bounds, isAbove: isAbove)
  }

  mutating func rational(
    _ node: Int, _ subject: String, in bounds: ClosedRange<Rational>, isAbove: Bool = false
  ) -> Rational? {
    guard let value = fraction(node) else {
      mismatch(node, subject, "a number such as 0.5 or \"1/2\"")
      return nil
    }
    guard bounds.contains(value), !isAbove || value > bounds.lowerBound else {
      let (least, most) = (bounds.lowerBound.decimalText, bounds.upperBound.decimalText)
      let range = isAbove ? "above \(least), at most \(most)" : "from \(least) to \(most)"
      report(
        .shapeValue, at: node,
        "\(subject) is \(written(node)), but must be a number \(range)")
      return nil
    }
    return value
  }

  /// The exact value of a number or fraction; invalid where it has too many digits, `nil` where
  /// the node is something else.
  func fraction(_ node: Int) -> Rational? {
    switch tree.kind(node) {
    case .number:
      if case .value(let value) = DecimalText.parse(tree.number(node)[...]) { return value }
      return .invalid
    case .string:
      let text = tree.string(node)
      return text.utf8.count <= TimeText.lengthLimit ? Rational(text: text[...]) : nil
    default: return nil
    }
  }

  // MARK: Times and rates

  /// A time of zero or more.
  mutating func time(_ fields: Fields, _ name: String) -> TimeExpression? {
    guard let node = fields[name], let time = time(node, name) else { return nil }
    if case .length = fields.value(of: name), time.isZero {
      report(.shapeValue, at: node, "'\(name)' is \(written(node)), but must be above 0")
    }
    return time
  }

  mutating func time(_ node: Int, _ name: String) -> TimeExpression? {
    do throws(TimeTextError) {
      guard let time = try timeExpression(node) else {
        mismatch(node, "'\(name)'", "a time such as 1.5, \"1.5s\", \"1/3\" or \"36f\"")
        return nil
      }
      guard !time.isNegative else {
        report(
          .timeNegative, at: node, "'\(name)' is \(written(node)), but may not be before 0")
        return nil
      }
      return time
    } catch {
      report(error.code, at: node, "'\(name)': \(error.message)")
      return nil
    }
  }

  private func timeExpression(_ node: Int) throws(TimeTextError) -> TimeExpression? {
    switch tree.kind(node) {
    case .number: return try TimeText.parseNumber(tree.number(node))
    case .string: return try TimeText.parse(tree.string(node))
    case .object:
      let members = tree.members(node)
      guard members.count == 2, members.allSatisfy({ tree.kind($0.value) == .number }),
        let value = members.first(where: { $0.name == "value" })?.value,
        let timescale = members.first(where: { $0.name == "timescale" })?.value
      else {
        throw TimeTextError(
          .timeSyntax, "an object is a time only as {\"value\": 60060, \"timescale\": 30000}")
      }
      return try TimeText.parse(value: tree.number(value), timescale: tree.number(timescale))
    default: return nil
    }
  }

  mutating func frameRate(_ fields: Fields, _ name: String) -> FrameRate? {
    guard let node = fields[name] else { return nil }
    guard tree.kind(node) == .number || tree.kind(node) == .string else {
      mismatch(node, "'\(name)'", "a frame rate such as 25 or \"30000/1001\"")
      return nil
    }
    let text = tree.kind(node) == .number ? tree.number(node) : tree.string(node)
    do throws(TimeTextError) {
      return try FrameRate.parse(text)
    } catch {
      report(error.code, at: node, "'\(name)': \(error.message)")
      return nil
    }
  }

  // MARK: Sizes, colours, gains

  mutating func size(_ fields: Fields, _ name: String) -> PixelSize? {
    guard let node = fields[name] else { return nil }
    let sides = tree.kind(node) == .array ? tree.elements(node).map(integer) : []
    guard tree.kind(node) == .array else {
      mismatch(node, "'\(name)'", "[width, height]")
      return nil
    }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...32767).contains(width), (1...32767).contains(height)
    else {
      report(
        .shapeSize, at: node,
        "'\(name)' is \(written(node)), but must be [width, height], two whole numbers from 1 to "
          + "32767")
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  mutating func color(_ fields: Fields, _ name: String) -> Color? {
    guard let node = fields[name] else { return nil }
    guard tree.kind(node) == .string else {
      mismatch(node, "'\(name)'", "a colour such as \"#1133AA\"")
      return nil
    }
    guard let color = Color(hexadecimal: tree.string(node)) else {
      report(
        .shapeColor, at: node,
        "'\(name)' is \(written(node)), but a colour is written #RGB, #RRGGBB or #RRGGBBAA",
        fix: Color.meant(by: tree.string(node)).map { "write \"\($0)\"" })
      return nil
    }
    return color
  }

  mutating func gain(_ node: Int, _ name: String) -> Gain? {
    switch tree.kind(node) {
    case .number:
      guard let factor = fraction(node), factor >= .zero, factor <= 100_000 else {
        report(
          .shapeGain, at: node,
          "'\(name)' is \(tree.number(node)), but a factor must be from 0 to 100000; decibels are "
            + "written \"-6dB\"")
        return nil
      }
      return .factor(factor)
    case .string:
      guard let gain = Gain(text: tree.string(node)) else {
        report(
          .shapeGain, at: node,
          "'\(name)' is \(written(node)), but a gain is a number such as 0.5, or decibels from "
            + "-1000 to 100 such as \"-6dB\"")
        return nil
      }
      return gain
    default:
      mismatch(node, "'\(name)'", "a number such as 0.5, or decibels such as \"-6dB\"")
      return nil
    }
  }
}
