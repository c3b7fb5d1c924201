/// What the scanner can do, as the XML that gateways send.
extension Scanner {
    /// The text. It has what this scanner serves and nothing else, in the elements that clients read.
    static var parameters: String {
        let types = instruments.map(\.type).joined(separator: ",")
        return element(
            "ScanParameterResponse",
            list("InstrumentList", of: "Instrument", as: "instrumentList", instruments) {
                leaf("name", $0.name) + leaf("type", $0.type)
                    + leaf("filters", (fields + filters).joined(separator: ","))
                    + leaf("group", $0.type + ".GLOBAL")
            }
                + list("LocationTree", of: "Location", as: "locationTree", locations) {
                    leaf("displayName", $0.name) + leaf("locationCode", $0.code)
                        + leaf("instruments", types) + leaf("routeExchange", "SMART")
                        + leaf("access", "unrestricted")
                }
                + list("ScanTypeList", of: "ScanType", as: "scanTypeList", ScanCode.allCases) {
                    leaf("displayName", $0.name) + leaf("scanCode", $0.rawValue)
                        + leaf("instruments", types) + leaf("access", "unrestricted")
                }
                + list("FilterList", of: "RangeFilter", as: "filterList", ranges) { range in
                    leaf("id", range.name)
                        + list("AbstractField", of: "Field", as: nil, range.codes) {
                            leaf("code", $0) + leaf("displayName", $0)
                        }
                })
    }

    /// Filters that have fields of their own in requests.
    private static let fields = ["abovePrice", "belowPrice", "aboveVolume"]

    private static let ranges: [(name: String, codes: [String])] = [
        ("PRICE", ["priceAbove", "priceBelow"]), ("VOLUME", ["volumeAbove"]),
        ("CHANGEPERC", ["changePercAbove", "changePercBelow"]),
    ]

    private static func list<Item>(
        _ name: String, of item: String, as variable: String?, _ items: [Item],
        _ content: (Item) -> String
    ) -> String {
        let attribute = variable.map { " varName=\"\($0)\"" } ?? ""
        return "<\(name)\(attribute)>" + items.map { element(item, content($0)) }.joined()
            + "</\(name)>"
    }

    private static func element(_ name: String, _ content: String) -> String {
        "<\(name)>\(content)</\(name)>"
    }

    private static func leaf(_ name: String, _ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return element(name, escaped)
    }
}
