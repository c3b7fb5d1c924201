import Configuration
import Model
import TWSProtocol

extension Decision.Kind {
    /// What a decision is about, in a log.
    var logCategory: LoggingSettings.Category {
        switch self {
        case .intentReceived, .sized, .dropped, .held, .released, .signalRepeated: .signals
        case .reduced, .refused, .halted, .resumed, .latched, .latchCleared, .overdrawn,
            .strategyStopped, .protectionMissing, .protectionRestored:
            .risk
        case .submitted, .modified, .cancelRequested, .protectionPlaced, .protectionMoved,
            .reconciliationBegun, .finding, .reconciled, .outcomeUnknown, .cancelUnanswered,
            .protectionMended, .orderRejected, .orderNotSent, .orderHeld:
            .orders
        case .executionCorrected, .commissionMissing: .executions
        case .actionNotBooked, .cashMoved, .accountCashMoved, .accountDiffers: .portfolio
        case .linkChanged: .connection
        case .historyShort: .data
        case .instructed, .damagedRecord, .orphaned: .session
        case .conditionBegan(let condition), .conditionEnded(let condition): condition.logCategory
        }
    }

    /// How important a decision is, in a log.
    var logLevel: LoggingSettings.Level {
        switch severity {
        case .critical: return .critical
        case .warning: return .warning
        case .information: break
        }
        switch self {
        case .halted, .resumed, .latchCleared, .instructed, .cashMoved, .accountCashMoved,
            .conditionEnded, .finding:
            return .notice
        case .sized, .dropped, .held, .released, .signalRepeated, .reconciliationBegun,
            .reconciled, .protectionMoved, .linkChanged:
            return .debug
        case .intentReceived, .reduced, .refused, .submitted, .modified, .cancelRequested, .latched,
            .protectionPlaced, .protectionMissing, .overdrawn, .actionNotBooked, .damagedRecord,
            .historyShort, .conditionBegan, .strategyStopped, .outcomeUnknown, .cancelUnanswered,
            .orphaned, .protectionRestored, .accountDiffers, .protectionMended,
            .executionCorrected, .orderRejected, .orderNotSent, .orderHeld, .commissionMissing:
            return .info
        }
    }
}

extension SessionCondition {
    /// What a condition is about, in a log.
    fileprivate var logCategory: LoggingSettings.Category {
        switch self {
        case .readOnlyGateway, .lineSilent, .linkLost, .loginNeeded, .clientIDInUse, .rateExceeded,
            .openOrdersMissing, .completedOrdersMissing, .executionsMissing, .positionsMissing,
            .accountValuesMissing:
            .connection
        case .dataMissing, .historyMissing, .dataShed, .implausiblePrice, .contractUnknown,
            .hoursDiffer, .marketClosed:
            .data
        case .liquidated: .portfolio
        case .journalFailing, .diskLow, .diskFilling, .strategySlow, .strategyStuck, .clockDrifting,
            .clockSkewed, .processPaused, .calendarOld, .fallingBehind, .strategyOverBudget,
            .memoryHigh, .filesHigh:
            .session
        }
    }
}

extension CodeKind {
    /// How important a message of the gateway is, in a log.
    var logLevel: LoggingSettings.Level {
        switch self {
        case .information: .info
        case .warning, .unknown, .reject: .warning
        case .connectivity: .notice
        case .fatal: .error
        }
    }
}
