"""The official client's requests against the program's: the same values by name, the same bytes."""
import inspect
from decimal import Decimal

from ibapi import order_condition
from ibapi.client import EClient
from ibapi.common import WshEventData
from ibapi.contract import ComboLeg, Contract, DeltaNeutralContract
from ibapi.execution import ExecutionFilter
from ibapi.order import Order, OrderComboLeg
from ibapi.order_cancel import OrderCancel
from ibapi.scanner import ScannerSubscription
from ibapi.softdollartier import SoftDollarTier
from ibapi.tag_value import TagValue
from ibapi.wrapper import EWrapper

from calls import NOT_SENT
from wire import VERSIONS, carried, fields, frames, labels, same

# The official client's names of parameters and attributes, where the wire's are others.
PARAMETERS = {"tickerId": "reqId", "conid": "conId", "useRth": "useRTH", "groupName": "group",
              "bAutoBind": "autoBind", "faData": "faDataType", "cxml": "xml"}


class Complaints(EWrapper):
    """What the official client refuses."""

    def __init__(self):
        self.texts = []

    def error(self, reqId, errorTime, errorCode, errorString, advancedOrderRejectJson=""):
        self.texts.append(f"{errorCode} {errorString}")

    def winError(self, text, lastError):
        self.texts.append(text)


class Recorder:
    """A connection that keeps what is sent."""

    def __init__(self):
        self.sent = b""

    def isConnected(self):
        return True

    def sendMsg(self, message):
        self.sent += message
        return len(message)


class Official:
    """The official client at one server version."""

    def __init__(self, version):
        self.complaints = Complaints()
        self.client = EClient(self.complaints)
        self.client.conn = Recorder()
        self.client.setConnState(EClient.CONNECTED)
        self.client.serverVersion_ = version
        self.client.extraAuth = True

    def sends(self, call, values):
        """What a call sends; what the client says where it refuses."""
        self.client.conn.sent = b""
        self.complaints.texts.clear()
        if call.method == "startApi":
            self.client.clientId = values["clientId"]
            self.client.optCapab = values.get("optionalCapabilities", "")
        method = getattr(self.client, call.method)
        method(*(argument(name, parameter.annotation, values)
                 for name, parameter in inspect.signature(method).parameters.items()))
        return self.client.conn.sent if not self.complaints.texts else f"the official client refuses: {self.complaints.texts}"


def argument(name, annotation, values):
    makers = {"contract": contract, "order": order, "orderCancel": lambda values: filled(OrderCancel(), values),
              "execFilter": execution_filter, "subscription": subscription,
              "wshEventData": lambda values: filled(WshEventData(), values)}
    if name in makers:
        return makers[name](values)
    value = values.get(PARAMETERS.get(name, name))
    if name.endswith("Options"):
        return tags(value)
    if value is not None:
        return int(value) if annotation is int else value
    return {int: 0, bool: False, float: 0.0}.get(annotation, "")


def tags(text):
    return [TagValue(*pair.split("=", 1)) for pair in (text or "").split(";") if pair]


def filled(thing, values):
    """Sets the attributes that have a value of their name."""
    for name in vars(thing):
        if name in values:
            setattr(thing, name, values[name])
    return thing


def contract(values):
    result = filled(Contract(), values)
    result.comboLegs = [filled(ComboLeg(), leg) for leg in values.get("comboLegs", [])]
    result.deltaNeutralContract = None
    if values.get("deltaNeutralContract"):
        hedge = result.deltaNeutralContract = DeltaNeutralContract()
        hedge.conId = values["deltaNeutralContractConId"]
        hedge.delta = values["deltaNeutralContractDelta"]
        hedge.price = values["deltaNeutralContractPrice"]
    return result


def order(values):
    result = filled(Order(), values)
    result.totalQuantity = Decimal(format(values["totalQuantity"], "f") if isinstance(
        values["totalQuantity"], float) and values["totalQuantity"] > 1e-3 else repr(values["totalQuantity"]))
    result.softDollarTier = SoftDollarTier(
        values.get("softDollarTierName", ""), values.get("softDollarTierValue", ""), "")
    result.orderMiscOptions = tags(values.get("orderMiscOptions"))
    for name in ("algoParams", "smartComboRoutingParams"):
        setattr(result, name, [TagValue(pair["tag"], pair["value"]) for pair in values.get(name, [])])
    result.orderComboLegs = [filled(OrderComboLeg(), leg) if leg["price"] is not None else OrderComboLeg()
                             for leg in values.get("orderComboLegs", [])]
    if values.get("competeAgainstBestOffset") == "Infinity":
        result.competeAgainstBestOffset = float("inf")
    result.conditions = [condition(each) for each in values.get("conditions", [])]
    return result


def condition(values):
    result = filled(order_condition.Create(values["type"]), values)
    result.isConjunctionConnection = values["conjunction"] == "a"
    return result


def execution_filter(values):
    result = filled(ExecutionFilter(), values)
    result.specificDates = [day["date"] for day in values.get("specificDates", [])] or None
    return result


def subscription(values):
    return filled(ScannerSubscription(), values)


def check(martlet, calls, tally):
    """Every call at every version: the same bytes from both, and read back as what was given.

    No field that the program knows may be one that no call sets. Returns the versions at which the bytes of any
    call change.
    """
    known_fields, set_fields, before, changes = {}, {}, {}, set()
    for version in VERSIONS:
        official = Official(version)
        known = [call for call in calls if version >= call.first]
        given = [carried(call.values, call.gates, version) for call in known]
        ours = martlet.encode(
            "client", version, [(call.message, values) for call, values in zip(known, given)])
        theirs = [official.sends(call, values) for call, values in zip(known, given)]
        for call, their in zip(known, theirs):
            assert isinstance(their, bytes), f"{call.name} at {version}: {their}"
        read = martlet.decode("client", version, b"".join(theirs))
        for call, values, our, their, line in zip(known, given, ours, theirs, read):
            where = f"{call.name} at {version}"
            if before.setdefault(call.name, their) != their:
                changes.add(version)
            before[call.name] = their
            known_fields.setdefault(call.message, set()).update(labels(line.get("fields", {})))
            set_fields.setdefault(call.message, set()).update(labels(values))
            tally.check(our == their, where, *([] if our == their else [difference(our, their)]))
            wrong = [name for name, value in values.items()
                     if not same(value, line.get("fields", {}).get(name))]
            tally.check(not wrong and line["message"] == call.message and "error" not in line
                        and "leftover" not in line, f"{where}, read", line.get("error"), *wrong)
        assert len(read) == len(known)
    for message, names in known_fields.items():
        unset = sorted(names - set_fields[message] - NOT_SENT.get(message, set()))
        tally.check(not unset, message, "no call sets", *unset)
    return changes


def difference(our, their):
    """Where two frames part."""
    if isinstance(our, str):
        return f"refused: {our}"
    if len(list(frames(their))) != 1:
        return f"{len(list(frames(their)))} frames from the official client"
    ours, theirs = fields(our), fields(their)
    place = next((place for place, (one, other) in enumerate(zip(ours, theirs)) if one != other),
                 min(len(ours), len(theirs)))
    return (f"field {place} of {len(ours)} is {ours[place:place + 3]}, "
            f"the official client has {theirs[place:place + 3]} of {len(theirs)}")

