"""The boundaries at which sessions are killed, and what the gateway makes of what it was sent."""

import time

from proxy import ANSWERS, Trap

# Inside the process, by the journal's own calls; nothing has left.
INSIDE = ("row", "written", "durable")
# On the wire, before an answer.
WIRE = ("unsent", "half", "sent")
LEGS = ("first-leg", "second-leg")
STEPS = {
    "place": ("openOrder", "orderStatus", "execDetails", "commission"),
    "bracket": ("openOrder", "orderStatus", "leg-openOrder", "leg-status", "execDetails", "commission"),
    "modify": ("openOrder", "orderStatus"),
    "cancel": ("orderStatus", "end"),
    # The cancel as a question, of the session behind one that was killed when its order had left and was lost.
    "probe": ("code",),
}
VARIANTS = {
    "took": "the gateway took it",
    "lost": "it was lost in the gateway",
    "late": "it took it, and every answer is late, also to the next session",
    "queued": "it takes it only once the next session trades",
    "held": "the broker was lost; it is sent on while the next session runs",
    "filled": "what works was filled before the restart",
}


def points():
    """Every step with every boundary and every variant that it can have."""
    found = []
    for step, answers in STEPS.items():
        for boundary in INSIDE + WIRE + (LEGS if step == "bracket" else ()) + answers:
            if boundary in INSIDE + ("unsent",):
                # Nothing has left: there is nothing to take, to lose or to fill but what worked before.
                variants = ("took", "late", "filled")
            elif boundary in ANSWERS:
                variants = ("took", "late", "filled")
            else:
                variants = tuple(VARIANTS)
            if step == "probe":
                variants = [variant for variant in variants if variant in ("took", "lost", "late", "queued")]
            found += [(step, boundary, variant) for variant in variants]
    return found


NOT_REACHED = "the step did not come"


class Point:
    """One kill, and what follows it."""

    # Seconds until the step has to have come.
    LIMIT = 40

    def __init__(self, world, step, boundary, variant):
        self.world, self.step, self.boundary, self.variant = world, step, boundary, variant
        self.note = ""
        # What is asked when an outcome is unknown is asked again behind 15 and 5 seconds; after some rounds the user is called.
        self.delay = 4 if step == "probe" else 20
        self.kinds = ["cancelOrder" if step in ("cancel", "probe") else "placeOrder"]

    def run(self):
        """Returns what happened, and what is wrong."""
        world = self.world
        reached = True
        if self.step == "probe":
            reached = Point(world, "place", "sent", "lost").kill_on_the_wire()
        if reached and self.boundary in INSIDE:
            reached = self.kill_inside()
        elif reached:
            reached = self.kill_on_the_wire()
        if not reached:
            return "", [NOT_REACHED]
        if self.variant == "filled":
            world.fill()
            if self.step == "cancel":
                world.fault("release")
        outcome, faults = world.settle(self.during if self.variant in ("held", "queued", "late") else None)
        faults = faults + world.verify()
        return self.words(outcome), faults

    def kill_inside(self):
        world = self.world
        if self.variant == "late":
            world.fault("delay", direction="out", seconds=self.delay, new=True)
        world.start(f"{self.boundary}:{self.step}")
        world.pump(lambda: False, self.LIMIT)
        has_died = world.session.poll() == -9
        world.kill()
        return has_died

    def kill_on_the_wire(self):
        world = self.world
        trap = Trap(self.step, self.boundary, world.proxy, self.before, world.random)
        world.proxy.trap = trap
        world.start()
        if not world.pump(lambda: trap.has_fired, self.LIMIT):
            world.kill()
            return False
        # An answer that never comes leaves the boundary behind the last that does.
        if not world.pump(lambda: trap.is_reached, 10):
            self.note = "no such answer, "
        if self.boundary in ANSWERS:
            world.proxy.pump(world.random.choice([0, 0.002, 0.02]))
        elif self.boundary != "unsent":
            # Until the gateway has read it; the session hears nothing.
            time.sleep(world.random.choice([0.01, 0.05]))
        world.kill()
        return True

    def before(self, frames):
        """What goes wrong at the gateway, right before it is sent the step."""
        world = self.world
        if self.variant == "lost":
            world.fault("swallow", kinds=self.kinds, times=len(frames))
        elif self.variant == "late":
            world.fault("delay", direction="out", seconds=self.delay, new=True)
        elif self.variant == "queued" or self.variant == "filled" and self.step == "cancel":
            world.fault("hold", kinds=self.kinds, times=len(frames))
        elif self.variant == "held":
            world.fault("lose-link")

    def during(self, seconds):
        """What becomes of it while the next session runs; True once that is over."""
        world = self.world
        if self.variant == "late":
            # The next session has to begin, and to go on for a while, with late answers.
            if not world.proxy.bars or seconds < 2:
                return False
            world.fault("heal")
            return True
        if self.variant == "queued":
            if not world.proxy.bars:
                return False
            world.fault("release")
            return True
        # Some sessions find the broker lost, others are there when it comes back.
        if seconds < world.delay:
            return False
        world.fault("restore-link", data=world.random.choice(["kept", "lost"]))
        return True

    def words(self, outcome):
        if outcome is None:
            return "no session"
        orders = self.world.ledger["orders"]
        text = f"{len(orders)} orders, {sum(len(order['executions']) for order in orders)} fills"
        latches = outcome["halts"] + [f"latched {symbol}" for symbol in outcome["latched"]]
        return f"{self.note}{text}, {'; '.join(latches) if latches else 'trading'}"
