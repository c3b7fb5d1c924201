/// The fields of a frame as they travel, to be replaced one by one.
enum Payload {
    /// A frame in which some fields hold what no message's table would write.
    static func damaged(_ frame: [UInt8], _ draws: inout Draws) -> [UInt8] {
        var fields = frame.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
            .map(Array.init)
        for _ in 0..<draws.number(1...3) where fields.count > 1 {
            let index = draws.number(1...fields.count - 1)
            switch draws.number(0...9) {
            case 0: fields.remove(at: index)
            case 1: fields.insert(Array("1".utf8), at: index)
            default:
                let texts = [Extremes.texts, Extremes.times, Extremes.lengths]
                fields[index] = Array(draws.one(of: draws.one(of: texts)).utf8)
            }
        }
        let payload = Array(fields.joined(separator: [0]))
        let length = UInt32(payload.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + payload
    }
}
