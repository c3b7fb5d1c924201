/// A part of the configuration as it was written, before anybody knows what its keys mean.
struct SettingsNode: Sendable {
    /// Where it begins.
    let origin: SettingsOrigin
    /// What it consists of.
    let content: Content

    /// What a node consists of.
    enum Content: Sendable {
        /// `null`, `~` or nothing behind the colon: the same as if the key were not there, so that a
        /// later layer can take back what an earlier one says.
        case nothing
        /// A scalar by its text; what type it has is up to the key.
        case text(String)
        /// A sequence.
        case list([SettingsNode])
        /// A mapping.
        case section([String: Entry])
    }

    /// A key of a mapping and what belongs to it.
    struct Entry: Sendable {
        /// Where the key is.
        let keyOrigin: SettingsOrigin
        /// What is behind it.
        let value: SettingsNode
    }

    /// Deeper nesting is refused, in files and in paths.
    static let depthMax = 32

    /// This layer with `newer` on top: sections are united key by key, anything else is replaced.
    func overlaid(by newer: SettingsNode) -> SettingsNode {
        guard case .section(let old) = content, case .section(let new) = newer.content else {
            return newer
        }
        let entries = old.merging(new) { older, newer in
            Entry(keyOrigin: newer.keyOrigin, value: older.value.overlaid(by: newer.value))
        }
        return SettingsNode(origin: origin, content: .section(entries))
    }

    /// `old` with `value` laid over what is at `steps`. Sections and lists on the way are made where
    /// nothing is; a step that does not fit what is there is a problem.
    static func placing(
        _ value: SettingsNode, at steps: ArraySlice<SettingsStep>, in old: SettingsNode?
    ) throws(SettingsStepFault) -> SettingsNode {
        switch steps.first {
        case nil: return old?.overlaid(by: value) ?? value
        case .key(let key):
            let entries = try entries(of: old)
            let inner = try placing(value, at: steps.dropFirst(), in: entries[key]?.value)
            let entry = Entry(keyOrigin: entries[key]?.keyOrigin ?? value.origin, value: inner)
            return SettingsNode(
                origin: entries.isEmpty ? value.origin : old?.origin ?? value.origin,
                content: .section(entries.merging([key: entry]) { $1 }))
        case .index(let index):
            var elements = try elements(of: old)
            guard index <= elements.count else {
                throw .noSuchElement(index, count: elements.count)
            }
            let present = index < elements.count ? elements[index] : nil
            let inner = try placing(value, at: steps.dropFirst(), in: present)
            elements.replaceSubrange(index..<(present == nil ? index : index + 1), with: [inner])
            return SettingsNode(origin: old?.origin ?? value.origin, content: .list(elements))
        }
    }

    private static func entries(
        of node: SettingsNode?
    ) throws(SettingsStepFault) -> [String: Entry] {
        switch node?.content {
        case nil, .nothing, .text: [:]
        case .section(let entries): entries
        case .list: throw .listNeedsIndex
        }
    }

    private static func elements(of node: SettingsNode?) throws(SettingsStepFault) -> [SettingsNode]
    {
        switch node?.content {
        case nil, .nothing: []
        case .list(let elements): elements
        case .text, .section: throw .notAList
        }
    }
}

/// One step of a path such as `strategies.0.use`.
enum SettingsStep: Hashable, Sendable {
    /// To a key of a section.
    case key(String)
    /// To an element of a list, from 0; the place behind the last makes a new one.
    case index(Int)

    /// The steps in `path`, or `nil` when one is empty or there are too many.
    static func steps(of path: String, separator: String) -> [SettingsStep]? {
        let parts = path.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= SettingsNode.depthMax else { return nil }
        var steps: [SettingsStep] = []
        for part in parts {
            guard !part.isEmpty else { return nil }
            let isNumber = part.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            switch (isNumber, Int(part)) {
            case (true, let index?): steps.append(.index(index))
            case (true, nil): return nil
            case (false, _): steps.append(.key(String(part)))
            }
        }
        return steps
    }
}

/// Why a path leads nowhere.
enum SettingsStepFault: Error, Equatable {
    /// A key was given where a list is.
    case listNeedsIndex
    /// An index was given where no list is.
    case notAList
    /// The list is shorter.
    case noSuchElement(Int, count: Int)
}

extension SettingsStepFault: CustomStringConvertible {
    /// A phrase that fits behind a path.
    var description: String {
        switch self {
        case .listNeedsIndex: "the path names a key inside a list, whose elements have numbers"
        case .notAList: "the path names an element of something that is not a list"
        case .noSuchElement(let index, let count):
            "there is no element \(index): the list has \(count), counted from 0"
        }
    }
}
