import TWSProtocol
import Testing

/// Notes the name of every field a record has, those of records inside it apart.
struct LabelWalker: FieldCoder, ~Copyable {
    let version: ServerVersion
    /// The names met, of one record in one element.
    private(set) var records: [[String]] = [[]]

    init(version: ServerVersion) { self.version = version }

    private mutating func note(_ name: StaticString) {
        records[records.count - 1].append(name.description)
    }

    mutating func constant(_ text: StaticString) {}
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) { note(name) }
    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) { note(name) }
    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        note(name)
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue) { note(name) }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        note(name)
    }
    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        note(name)
    }
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) { note(name) }
    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        note(name)
    }
    mutating func flag(_ name: StaticString, _ value: inout Bool) { note(name) }
    mutating func flag(_ name: StaticString, _ value: inout Bool?) { note(name) }
    mutating func text(_ name: StaticString, _ value: inout String) { note(name) }
    mutating func escapedText(_ name: StaticString, _ value: inout String) { note(name) }
    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) { note(name) }
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) { note(name) }
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        note(name)
    }
    mutating func time(_ name: StaticString, _ value: inout WireTime) { note(name) }
    mutating func account(_ name: StaticString, _ value: inout AccountID) { note(name) }
    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) { note(name) }
    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        records(name, &value, count: value.count)
    }
    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        note(name)
        let outer = records.removeLast()
        for index in value.indices {
            records.append([])
            value[index].fields(&self)
        }
        records.append(outer)
    }
    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        if self.version.number >= version { fields(&self) }
    }
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}

/// Fills records of `type` at random for every version and expects no field's name twice in one record:
/// printed as JSON, one would hide the other.
func expectDistinctNames<R: FieldRecord>(
    of type: R.Type, seeds: Range<UInt64> = 0..<5,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for version in ServerVersion.all {
        for seed in seeds {
            var filler = RandomFiller(version: version, seed: seed)
            var record = R()
            record.fields(&filler)
            var walker = LabelWalker(version: version)
            record.fields(&walker)
            for names in walker.records {
                #expect(
                    Set(names).count == names.count, "\(R.self) at \(version): \(names)",
                    sourceLocation: sourceLocation)
            }
        }
    }
}
