// Times the reading of compositions: the text as JSON, and the composition in it.
import CutroomModel
import Glibc

@main
struct JSONBenchmark {
  static func main() {
    for count in [1_000, 10_000, 100_000] {
      let bytes = Array(composition(clips: count).utf8)
      let rounds = max(3, 200_000 / count)
      let json = best(of: rounds) {
        guard SourceText(file: "b.json", bytes: bytes).syntaxDiagnostics.isEmpty else {
          fatalError("the composition of the benchmark is not JSON")
        }
      }
      let text = SourceText(file: "b.json", bytes: bytes)
      let whole = best(of: rounds) {
        guard CompositionReader.read(text).document != nil else {
          fatalError("the composition of the benchmark is none")
        }
      }
      let megabytes = Double(bytes.count) / 1e6
      print(
        "\(count) clips, \(JSONValue.decimal(megabytes, digits: 2).encoded()) MB:",
        "JSON \(rate(megabytes, json)) MB/s, composition after it \(rate(megabytes, whole)) MB/s")
    }
  }

  private static func composition(clips: Int) -> String {
    var text = #"{"format": "cutroom/1", "tracks": [{"id": "main", "clips": ["#
    for index in 0..<clips {
      text += index == 0 ? "\n" : ",\n"
      text += """
            {"source": "one-hour-720p30.mp4", "in": "\(index % 3000).5s", "duration": "1s", \
        "name": "clip \(index)"}
        """
    }
    return text + "\n]}]}\n"
  }

  private static func rate(_ megabytes: Double, _ seconds: Double) -> String {
    JSONValue.decimal(megabytes / seconds, digits: 0).encoded()
  }

  /// The shortest time of a processor, in seconds, which other programs do not lengthen.
  private static func best(of rounds: Int, _ body: () -> Void) -> Double {
    let times = (0..<rounds).map { _ in
      let start = clock()
      body()
      return Double(clock() - start) / 1e6
    }
    return max(times.min() ?? 0, 1e-6)
  }
}
