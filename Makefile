# Everything a newcomer or a contributor types. `make demo` and `make test` install what they need.
SWIFT ?= swift
BUILD_FLAGS = --explicit-target-dependency-import-check error
# The standard libraries inside the program: it starts in two thirds of the time, and runs where no Swift is installed.
# No line numbers of machine code, which were a third of its size, and no symbols for other programs: names of functions
# stay for crash reports.
RELEASE_FLAGS = $(shell cat Scripts/release-flags)
# Tests run optimised, with every assertion of a debug build, in a folder of their own: a quarter of the time. In them
# defects can be planted, to see that tests find them.
TEST_FLAGS = --scratch-path .build-test $(shell cat Scripts/test-flags) $(BUILD_FLAGS)

.PHONY: demo test soak-kill soak-days soak-parity soak-sessions soak-bugs soak-symbols soak-threads fuzz check \
	format bench-peers bench-latency bench-rooms setup release

# A live session against a simulated gateway, on bundled real prices.
demo: release
	.build/release/martlet demo

# All tests: rooms, whole program, identical results from two builds, the wire against other programs, foreign clients
# at the simulated gateway, sessions killed in the middle of orders, damage.
test: setup
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	$(SWIFT) test --skip-build $(TEST_FLAGS)
	Scripts/test-identical-runs.sh
	Scripts/test-examples.sh
	Scripts/test-wire.sh
	Scripts/test-gateway.sh
	Scripts/test-kill.sh
	Scripts/fuzz.sh

# A million messages of whole sessions to the simulated gateway and to the client, beside the wire's readers: ten times
# what `make test` feeds them.
fuzz: setup
	Scripts/fuzz.sh 2000000 1000000

# Live sessions killed at every boundary of each step with an order and at a thousand random points, judged by the
# gateway's ledger; ARGS are those of Tests/Kill/kill.py.
soak-kill: release
	python3 -B Tests/Kill/kill.py .build/release/martlet $(ARGS)

# A session through thirty days and nights, on a clock of its own; half an hour.
soak-days:
	SOAK_DAYS=30 $(SWIFT) test $(TEST_FLAGS) --filter SessionDayTests

# Twenty sessions of minute bars and sixty of daily ones, compared with backtests of the same data; their journals
# answered again by both builds. A quarter of an hour.
soak-parity: release
	rm -rf .build/journals
	KEEP_JOURNALS=.build/journals SOAK_SESSIONS=60 $(SWIFT) test $(TEST_FLAGS) --filter DecidesAsABacktestDoes
	$(SWIFT) build --product martlet
	Scripts/verify-journals.sh .build/journals

# Ten thousand sessions in which things go wrong at random, judged from outside; an hour on two cores.
soak-sessions: release
	.build/release/martlet chaos run --config Samples/momentum-session.yaml --seeds 10000 $(ARGS)

# Forty planted defects, one at a time: sessions with the faults of one seed after the other until one finds it.
soak-bugs: setup
	PLANTED_SEEDS=1000 $(SWIFT) test $(TEST_FLAGS) --filter PlantedBugTests

# A session of 500 symbols at sixty thousand events a second for a quarter of an hour: nothing queues, memory is flat.
soak-symbols: release
	python3 -B Benchmarks/Soak/soak.py .build/release/martlet $(ARGS)

# Sessions and the tests with threads under the thread sanitizer, in a build of its own; an hour.
soak-threads: setup
	Scripts/test-threads.sh $(ARGS)

# Formatting and rules that need no build.
check:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Examples Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Examples Sources Tests

# The same strategies in other backtesters, in C and in this program, side by side.
bench-peers: release
	Benchmarks/Peers/bench-peers.sh $(ARGS)

# From a tick to its order, beside ib_async, IBKR's Python client and a C program that only echoes.
bench-latency: release
	Benchmarks/Latency/run.sh .build/release/martlet $(ARGS)

# What each room costs per bar, in instructions.
bench-rooms: setup
	Benchmarks/rooms.sh

release: setup
	$(SWIFT) build -c release --product martlet $(RELEASE_FLAGS) $(BUILD_FLAGS)

setup:
	@Scripts/setup.sh
