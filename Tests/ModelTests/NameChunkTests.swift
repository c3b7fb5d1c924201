import Model
import Primitives
import Testing

/// Texts in pieces.
@Suite struct NameChunkTests {
    @Test(
        arguments: [
            "", "a", "mt:17:123", String(repeating: "x", count: 95),
            String(repeating: "x", count: 96), String(repeating: "x", count: 97),
            String(repeating: "é", count: 500), "Ω\u{0}\n\"",
        ])
    func textsArePutTogetherAgain(text: String) {
        var table = NameTable()
        let name = NameID(index: 7)
        for chunk in NameChunk.chunks(of: text, as: name) { check(true, chunk, &table) }
        #expect(table[name] == text)
        #expect(table[.none] == "")
        #expect(table[NameID(index: 8)] == nil)
    }

    @Test func longTextIsCutAtACharacter() {
        var table = NameTable()
        let name = NameID(index: 1)
        let text = "x" + String(repeating: "é", count: NameChunk.textMax)
        for chunk in NameChunk.chunks(of: text, as: name) { check(true, chunk, &table) }
        let kept = table[name] ?? ""
        #expect(text.hasPrefix(kept))
        #expect(kept.utf8.count == NameChunk.textMax - 1)
    }

    @Test func piecesOutOfOrderGiveNoText() {
        var table = NameTable()
        let chunks = NameChunk.chunks(
            of: String(repeating: "y", count: 300), as: NameID(index: 1))
        check(true, chunks[0], &table)
        check(false, chunks[2], &table)
        check(false, chunks[1], &table)
        #expect(table[NameID(index: 1)] == nil)
    }

    private func check(_ expected: Bool, _ chunk: NameChunk, _ table: inout NameTable) {
        let isAdded = table.add(chunk)
        #expect(isAdded == expected)
    }
}
