/// Groups of attributes that follow one another in more than one message.
extension Order {
    /// Side, size, type and prices.
    mutating func terms(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("action", &action)
        coder.decimal("totalQuantity", &totalQuantity, .sentinel)
        coder.word("orderType", &orderType)
        coder.double("lmtPrice", &lmtPrice, .empty)
        coder.double("auxPrice", &auxPrice, .empty)
        coder.word("tif", &tif)
        coder.text("ocaGroup", &ocaGroup)
        coder.account("account", &account)
        coder.word("openClose", &openClose)
        coder.code("origin", &origin, or: .customer)
        coder.text("orderRef", &orderRef)
    }

    /// A trailing stop's price and distance.
    mutating func trailing(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("trailStopPrice", &trailStopPrice, .empty)
        coder.double("trailingPercent", &trailingPercent, .empty)
    }

    /// A hedge and its parameter.
    mutating func hedge(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("hedgeType", &hedgeType)
        coder.only(if: hedgeType != .none) { $0.text("hedgeParam", &hedgeParam) }
    }

    /// An algorithm and its parameters.
    mutating func algorithm(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("algoStrategy", &algoStrategy)
        coder.only(if: !algoStrategy.isEmpty) { $0.list("algoParams", &algoParams) }
    }

    /// What a peg to a benchmark follows.
    mutating func benchmarkPeg(_ coder: inout some FieldCoder & ~Copyable) {
        coder.only(if: orderType == .peggedToBenchmark) { $benchmark.fields(&$0) }
    }

    /// Conditions and what they do.
    mutating func conditionList(_ coder: inout some FieldCoder & ~Copyable) {
        coder.list("conditions", &conditions)
        coder.only(if: !conditions.isEmpty) {
            $0.flag("conditionsIgnoreRth", &conditionsIgnoreRth)
            $0.flag("conditionsCancelOrder", &conditionsCancelOrder)
        }
    }

    /// The customer behind an omnibus account.
    mutating func customer(_ coder: inout some FieldCoder & ~Copyable) {
        coder.since(183) { $0.account("customerAccount", &customerAccount) }
        coder.since(184) { $0.flag("professionalCustomer", &professionalCustomer) }
    }
}
