#!/usr/bin/env python3
"""Runs Martlet, the peers and the C limits on the same data in the same call, in turn (every entry has its turn once a
round, the order rotated), prints what each took and the ratios, and checks Martlet's trades against the reference answers.

    compare.py --data DATA --bin BIN --venvs VENVS [--martlet BINARY] [--only w1,w3] [--rounds 5] [--turn 5]
               [--json OUT.json] [--skip NAME,NAME] [--pick NAME,NAME] [--full] [--pin CPU]

A turn is one run, and as many more as fit into --turn seconds: machines have quick and slow phases of seconds, and one
run of 0.1 s a round would see few of them where a run of 10 s sees many. Each entry has equal time; "runs" tells how many.

VENVS holds the virtual environments py, nt, zl, hft, ib, rs, takt (README.md); BIN the compiled limits/*.c.
In a template {data}, {a_1m}, {a_100k}, {b_daily}, {c_1m}, {d_ticks}, {fills}, {oracle}, {configs} and {out} (a new folder
each run, removed afterwards) are filled in. If the last line a command prints is a JSON object, its load_s, engine_s,
report_s, final_equity, fills_sha256, ... are used; wall, cpu and peak RSS are the operating system's own figures for the
whole process, import and start-up included.
cpu = user + system. On a busy machine compare the minima, and cpu before wall.

--skip ours leaves Martlet out; --pick chooses among the others. Exit status: 0; 1 when Martlet failed or disagreed with
the reference in anything; 2 when something needed is missing.
"""
import argparse, csv, hashlib, json, os, shlex, shutil, statistics, subprocess, sys, tempfile, time
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
INDICATORS = os.path.join(REPO, "Benchmarks", "Indicators", ".build", "release")
WIRE = os.path.join(REPO, "Benchmarks", "Wire", ".build", "release")
W3B = "126 21 10 0.09"
W3C = "390 60 4 0.22"

# Martlet's own entry in each workload it takes part in. "checks": what it must agree with, as (what it reads, workload and
# answer in reference/RESULTS.json); the first is the timed run, the others are run once, untimed. "judge": how it is held to them.
OURS = {
    "w1": {
        "command": "MARTLET backtest -c {configs}/w1.yaml --data {file} -o {out} --json",
        "checks": [("a_1m.csv", "W1", "a_1m/open"), ("a_200k.csv", "W1", "a_200k/open"), ("a_100k.csv", "W1", "a_100k/open")],
        "judge": "fills",
    },
    "w2": {
        "command": "MARTLET optimize -c {configs}/w1.yaml --set backtest.data.path={file} --grid fast=5:50:5 --grid slow=60:250:10 -o {out} --json",
        "checks": [("a_100k.csv", "W2", "table")],
        "judge": "table",
    },
    "w3": {
        "command": "MARTLET backtest -c {configs}/w3.yaml --data {file} -o {out} --json",
        "checks": [("b_daily", "W3", "open")],
        "judge": "orders",
    },
    "w3c": {
        "command": "MARTLET backtest -c {configs}/w3c.yaml --data {file} -o {out} --json",
        "checks": [("c_1m", "W3c", "open")],
        "judge": "orders",
    },
    "w4": {
        "command": "MARTLET backtest -c {configs}/w4.yaml --data {file} -o {out} --json",
        "checks": [("d_ticks.csv", "W4", "")],
        "judge": "turns",
    },
    "w7": {
        "command": "MARTLET backtest -c {configs}/w7.yaml --data {file} -o {out} --json",
        "checks": [("a_1m.csv", "W7", "")],
        "judge": "whole",
    },
}

# What the kinds of judgement look at.
HELD = {"fills": ("fills", "final_equity", "hash"), "table": ("pairs",), "orders": ("fills", "final_equity", "hash"), "turns": ("orders", "sides"),
        "whole": ("bars", "halts", "older")}

# workload -> list of (name, kind or venv, command, times: what one run must be multiplied by to make the whole workload, note)
TABLE = {
    "w1": [
        ("c-limit", "bin", "w1_limit {a_1m} open {fills}", 1, ""),
        ("raptorbt", "rs", "w1_raptorbt.py {a_1m} {fills}", 1, "vector; closes at the end"),
        ("vectorbt", "py", "w1_vectorbt.py {a_1m} {fills}", 1, "vector; first call"),
        ("vectorbt-warm", "py", "w1_vectorbt.py {a_1m} {fills} --warm", 1, "vector; second call"),
        ("raptorbt-event", "rs", "w1_raptorbt.py {a_1m} {fills} --event", 1, "sees fills a bar late"),
        ("backtesting.py", "py", "w1_backtesting.py {a_1m} {fills}", 1, "first bar later"),
        # the slow ones: 200,000 bars, the times multiplied by 5 (they are linear in bars; --full runs the whole file)
        ("deployquant/200k", "rs", "w1_deployquant.py {a_200k} {fills} --store {data}/dq_200k", 5, "fills at close"),
        ("akquant/200k", "rs", "w1_akquant.py {a_200k} {fills}", 5, ""),
        ("backtrader/200k", "py", "w1_backtrader.py {a_200k} {fills}", 5, ""),
        ("pybroker/200k", "py", "w1_pybroker.py {a_200k} {fills}", 5, ""),
        ("nautilus-close/200k", "nt", "w1_nautilus.py {a_200k} {fills} --mode close --hedging --lean", 5, "fills at close"),
        ("nautilus-open/200k", "nt", "w1_nautilus.py {a_200k} {fills} --mode open --hedging --lean", 5, "2 events a bar"),
    ],
    "w2": [
        ("c-limit", "bin", "w2_limit {a_100k}", 1, ""),
        ("vectorbt", "py", "w2_vectorbt.py {a_100k} {oracle} --warm", 1, ""),
        ("backtesting.py/10", "py", "w2_backtesting.py {a_100k} {oracle} 10", 20, "10 of 200"),
        ("backtrader/3", "py", "w2_backtrader.py {a_100k} {oracle} 3", 200 / 3, "3 of 200"),
        ("nautilus-lean-open/3", "nt", "w2_nautilus.py {a_100k} {oracle} 3 --mode open --hedging --lean", 200 / 3, "3 of 200"),
    ],
    "w3": [
        ("c-limit", "bin", "w3_limit {b_daily} open " + W3B, 1, ""),
        ("vectorbt", "py", "w3_vectorbt.py {b_daily} " + W3B + " --warm", 1, ""),
        ("bt", "py", "w3_bt.py {b_daily} " + W3B, 1, "same close"),
        ("backtrader", "py", "w3_backtrader.py {b_daily} " + W3B, 1, ""),
        ("zipline", "zl", "w3_zipline.py {b_daily} " + W3B, 1, "next close"),
        ("nautilus-lean", "nt", "w3_nautilus.py {b_daily} " + W3B + " 1-DAY --lean", 1, "same close"),
    ],
    "w3c": [
        ("c-limit", "bin", "w3_limit {c_1m} open " + W3C, 1, ""),
        ("vectorbt", "py", "w3_vectorbt.py {c_1m} " + W3C + " --warm", 1, ""),
        ("bt", "py", "w3_bt.py {c_1m} " + W3C, 1, "same close"),
        ("backtrader", "py", "w3_backtrader.py {c_1m} " + W3C, 1, ""),
        ("nautilus-lean", "nt", "w3_nautilus.py {c_1m} " + W3C + " 1-MINUTE --lean", 1, "same close"),
    ],
    "w4": [
        ("c-limit", "bin", "w4_limit {d_ticks}", 1, ""),
        ("hftbacktest", "hft", "w4_hftbacktest.py {data}/d_ticks.npz", 1, ""),
        ("hftbacktest-roi", "hft", "w4_hftbacktest.py {data}/d_ticks.npz --roi", 1, ""),
        ("nautilus/1M", "nt", "w4_nautilus.py {d_ticks} 1000000", 5, "1 of 5 million"),
    ],
    "w5": [
        ("c-limit", "bin", "w5_limit", 1, ""),
        ("martlet", "indicators", "IndicatorBenchmark", 1, ""),
        ("ta-lib", "py", "w5_talib.py", 1, ""),
        ("ta-lib-takt", "takt", "w5_talib.py", 1, ""),
    ],
    "w6": [
        ("c-limit", "bin", "w6_limit ../limits/w6_messages.txt 1", 1, ""),
        ("martlet", "wire", "WireBenchmark ../limits/w6_messages.txt 1", 1, ""),
        ("ibapi", "ib", "w6_wire.py ibapi", 1, ""),
        ("ib_async", "ib", "w6_wire.py ib_async", 1, ""),
    ],
    "w7": [],  # no peer runs it; --older names what it is measured against
}


def one(cmd, env):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        t = time.monotonic()
        p = subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env, cwd=os.path.join(HERE, "peers"))
        _, status, ru = os.wait4(p.pid, 0)
        wall = time.monotonic() - t
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        lines = [x for x in out.read().decode(errors="replace").splitlines() if x.strip()]
        err.seek(0)
        r = {"wall": wall, "cpu": ru.ru_utime + ru.ru_stime, "rss_mb": ru.ru_maxrss / 1024.0, "rc": p.returncode, "json": {}}
        try:
            last = json.loads(lines[-1])
            r["json"] = last if isinstance(last, dict) else {}
        except (IndexError, ValueError):
            pass
        if p.returncode:
            r["err"] = err.read().decode(errors="replace")[-600:]
        return r


def canonical(path):
    """Martlet's fills.csv in the reference's form: timestamp of the bar filled in, B or S, quantity, price with two decimals.
    Raises ValueError or OSError for a file that cannot be put so; nothing is rounded."""
    out = []
    with open(path, newline="", encoding="utf-8") as f:
        rows = csv.DictReader(f)
        gone = [k for k in ("time", "symbol", "side", "quantity", "price") if k not in (rows.fieldnames or [])]
        if gone:
            raise ValueError("fills.csv has no column %s" % ", ".join(gone))
        for n, r in enumerate(rows, 2):
            try:
                q, p = Decimal(r["quantity"]), Decimal(r["price"])
                if q != q.to_integral_value() or p != p.quantize(Decimal("0.01")):
                    raise ValueError
                out.append("%s,%s,%d,%s\n" % (r["time"], {"BUY": "B", "SELL": "S"}[r["side"]], q, p.quantize(Decimal("0.01"))))
            except (ValueError, TypeError, KeyError, ArithmeticError):
                raise ValueError("fills.csv line %d: %s" % (n, ",".join(str(r.get(k)) for k in ("time", "side", "quantity", "price")))) from None
    return "".join(out)


def orders(path):
    """Martlet's fills.csv in the form of the references with many symbols: a line a fill, at one time sells first, then by symbol."""
    rows = []
    for line, r in zip(canonical(path).splitlines(), csv.DictReader(open(path, newline="", encoding="utf-8"))):
        time, side, quantity, price = line.split(",")
        rows.append((time, side != "S", r["symbol"], "%s,%s,%s,%s,%s\n" % (time, r["symbol"], side, quantity, price)))
    return "".join(r[3] for r in sorted(rows))


def amount(x):
    """a sum of money from JSON, given as text or number"""
    try:
        return Decimal(str(x))
    except ArithmeticError:
        return None


def verdict(run, out, want, oracle, form=canonical):
    """What of a run of Martlet's differs from the reference entry `want`, as {what: sentence}; adds fills_sha256 to the run.
    `oracle()` gives the reference's fills, wanted only to show the first difference; `form` brings ours into their form."""
    if run["rc"]:
        return {"exit": "status %d  %s" % (run["rc"], run["err"].strip().rpartition("\n")[2])}
    got, bad = run["json"], {}
    try:
        text = form(os.path.join(out, "fills.csv"))
        got["fills_sha256"] = hashlib.sha256(text.encode()).hexdigest()
        if got["fills_sha256"] != want.get("fills_sha256", want.get("orders_sha256")):
            a, b = oracle(), text.splitlines()
            k = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            bad["hash"] = "first difference in fill %d: reference %s, martlet %s" % (
                k + 1, a[k] if k < len(a) else "has no more", b[k] if k < len(b) else "has no more")
    except (ValueError, OSError) as e:
        bad["hash"] = str(e)
    count = want.get("fills", want.get("orders"))
    if amount(got.get("fills")) != count:
        bad["fills"] = "reference %s, martlet %s" % (count, got.get("fills"))
    if amount(got.get("final_equity")) != amount(want["final_equity"]):
        bad["final_equity"] = "reference %.2f, martlet %s" % (want["final_equity"], got.get("final_equity"))
    return bad


def table_verdict(run, out, name):
    """What of a search's runs.csv differs from the reference table, as {what: sentence}: fills and final equity of every pair."""
    if run["rc"]:
        return {"exit": "status %d  %s" % (run["rc"], run["err"].strip().rpartition("\n")[2])}

    def pairs(path):
        with open(path, newline="", encoding="utf-8") as f:
            return {(r["fast"], r["slow"]): (int(r["fills"]), amount(r["final_equity"])) for r in csv.DictReader(f)}
    try:
        got, want = pairs(os.path.join(out, "runs.csv")), pairs(os.path.join(HERE, "reference", name))
    except (OSError, KeyError, ValueError) as e:
        return {"exit": "runs.csv: %r" % e}
    wrong = sorted(k for k in set(got) | set(want) if got.get(k) != want.get(k))
    return {"pairs": "%d of %d pairs, first %s: reference %s, martlet %s" % (
        len(wrong), len(want), wrong[0], want.get(wrong[0]), got.get(wrong[0]))} if wrong else {}


def turns_verdict(run, out, data):
    """What of a W4 run's orders.csv is against the workload's rule, as {what: sentence}: an order for 1 at every 1,000th tick, sides in
    turn. Fills hang on each program's model of the queue."""
    if run["rc"]:
        return {"exit": "status %d  %s" % (run["rc"], run["err"].strip().rpartition("\n")[2])}
    try:
        with open(data, "rb") as f:
            ticks = sum(block.count(b"\n") for block in iter(lambda: f.read(1 << 20), b"")) - 1
        with open(os.path.join(out, "orders.csv"), newline="", encoding="utf-8") as f:
            sides = [(r["side"], r["quantity"]) for r in csv.DictReader(f)]
    except (OSError, KeyError) as e:
        return {"exit": "orders.csv: %r" % e}
    bad = {}
    if len(sides) != ticks // 1000:
        bad["orders"] = "the rule gives %d, martlet %d" % (ticks // 1000, len(sides))
    wrong = [k for k, x in enumerate(sides) if x != (("BUY", "SELL")[k % 2], "1")]
    if wrong:
        bad["sides"] = "first in order %d: %s %s" % (wrong[0] + 1, *sides[wrong[0]])
    return bad


def whole_verdict(run, out):
    """What keeps a W7 run from being measured as a whole, as {what: sentence}: bars left out or entries halted on the way. Adds
    the hash of its fills, which an older binary's are compared with."""
    if run["rc"]:
        return {"exit": "status %d  %s" % (run["rc"], run["err"].strip().rpartition("\n")[2])}
    got, bad = run["json"], {}
    with open(os.path.join(out, "fills.csv"), "rb") as f:
        got["fills_sha256"] = hashlib.sha256(f.read()).hexdigest()
    if got.get("bars") != 1000000:
        bad["bars"] = "the workload has 1000000, martlet took in %s" % got.get("bars")
    if got.get("breaches") or got.get("halted_by"):
        bad["halts"] = "a limit was reached: %s" % (got.get("breaches") or got.get("halted_by"))
    return bad


def judge(name, bad, held):
    """prints the verdict of all runs over one file; False when one differs"""
    if "exit" in bad:
        print("  %-12s failed: %s" % (name, bad["exit"]))
        return False
    print("  %-12s %s" % (name, "  ".join("%s %s" % (k, "DIFFERS" if k in bad else "agrees") for k in HELD[held])))
    for k, v in bad.items():
        print("  %-12s   %s: %s" % ("", k, v))
    return not bad


# What the column "six" of W5 adds up.
SIX = ("SMA30", "EMA30", "RSI14", "ATR14", "BBANDS20", "MACD")


def fmt(x):
    return "-" if x is None else "%.4f" % x if x < 0.1 else "%.3f" % x if x < 10 else "%.1f" % x


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", required=True)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--venvs", required=True, help="folder, or a prefix ending in '-'")
    ap.add_argument("--only", default="w1,w2,w3,w3c,w4,w5,w6")
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--turn", type=float, default=5, metavar="SECONDS", help="time each entry has in a round (default: %(default)s; 0: one run)")
    ap.add_argument("--martlet", default=os.path.join(REPO, ".build", "release", "martlet"), metavar="BINARY", help="default: %(default)s")
    ap.add_argument("--older", metavar="BINARY", help="an older binary of Martlet, which has its turns on W7 beside this one")
    ap.add_argument("--skip", default="", help="entries to leave out; ours = martlet")
    ap.add_argument("--pick", default="", help="take only these entries, beside martlet")
    ap.add_argument("--json")
    ap.add_argument("--full", action="store_true", help="W1: 1,000,000 bars for the slow peers too")
    ap.add_argument("--pin", help="run every entry on this processor (taskset)")
    a = ap.parse_args()
    d = os.path.abspath(a.data)
    tmp = tempfile.mkdtemp()
    sub = {"data": d, "a_1m": d + "/a_1m.csv", "a_100k": d + "/a_100k.csv", "a_200k": d + ("/a_1m.csv" if a.full else "/a_200k.csv"), "b_daily": d + "/b_daily", "c_1m": d + "/c_1m",
           "d_ticks": d + "/d_ticks.csv", "oracle": tmp + "/w2.csv", "fills": tmp + "/fills.csv", "configs": os.path.join(HERE, "configs")}
    only, skip, pick = a.only.split(","), a.skip.split(","), [x for x in a.pick.split(",") if x]
    unknown = [w for w in only if w not in TABLE]
    if unknown:
        ap.error("no workload %s; there are %s" % (", ".join(unknown), ", ".join(TABLE)))
    names = {"ours", "martlet"} | {x for w in only for e in TABLE[w] for x in (e[0], e[0].replace("/200k", ""))}
    unknown = [x for x in skip + pick if x and x not in names]
    if unknown:
        ap.error("no entry %s in %s" % (", ".join(unknown), a.only))
    binary, bin_ = os.path.abspath(a.martlet), os.path.abspath(a.bin)
    if a.older and not os.access(a.older, os.X_OK):
        ap.error("no program at %s" % a.older)
    ours = {} if "ours" in skip or "martlet" in skip else {w: OURS[w] for w in only if w in OURS}
    if ours and not os.access(binary, os.X_OK):
        print("compare.py: no program at %s (make release, --martlet BINARY, or --skip ours)" % binary, file=sys.stderr)
        sys.exit(2)
    try:
        with open(os.path.join(HERE, "reference", "RESULTS.json")) as f:
            ref = json.load(f)
        if "w2" in only:
            subprocess.run([os.path.join(bin_, "w2_limit"), sub["a_100k"], sub["oracle"]], stdout=subprocess.DEVNULL, check=True)
        ok = measure(a, only, skip, pick, ours, binary, bin_, sub, ref)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)
    sys.exit(0 if ok else 1)


def measure(a, only, skip, pick, ours, binary, bin_, sub, ref):
    venvs = os.path.abspath(a.venvs) + ("/" if not a.venvs.endswith("-") else "")
    env = dict(os.environ, PYTHONHASHSEED="0")
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    result, agreed = {}, True

    def run(e, extra):
        c = [x.format(**sub, **extra) for x in shlex.split(e[2])]
        if e[1] == "ours":
            c[0] = binary
        elif e[1] == "older":
            c[0] = os.path.abspath(a.older)
        elif e[1] == "bin":
            c[0] = os.path.join(bin_, c[0])
        elif e[1] == "indicators":  # large pages, as the C program asks for
            c = ["env", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", os.path.join(INDICATORS, c[0])]
        elif e[1] == "wire":
            c[0] = os.path.join(WIRE, c[0])
        else:
            c = [venvs + e[1] + "/bin/python"] + c
        return one(["taskset", "-c", a.pin] + c if a.pin else c, env)

    def run_ours(e, bad, file, work, key):
        """one run of Martlet over one file or folder, held to the reference; what differs goes into bad"""
        def oracle():
            path = os.path.join(os.path.dirname(sub["fills"]), "oracle.csv")
            subprocess.run([os.path.join(bin_, "w1_limit"), path_of, "open", path], stdout=subprocess.DEVNULL, check=True)
            with open(path) as f:
                return f.read().splitlines()
        path_of, out = os.path.join(sub["data"], file), tempfile.mkdtemp()
        try:
            x = run(e, {"file": path_of, "out": out})
            if ours[work.lower()]["judge"] == "turns":
                bad.update(turns_verdict(x, out, path_of))
            elif ours[work.lower()]["judge"] == "whole":
                bad.update(whole_verdict(x, out))
            elif ours[work.lower()]["judge"] == "table":
                bad.update(table_verdict(x, out, ref[work][key]))
            elif ours[work.lower()]["judge"] == "orders":
                def listed():
                    with open(os.path.join(HERE, "reference", "%s_%s_orders.csv" % (work.lower(), key))) as f:
                        return f.read().splitlines()
                bad.update(verdict(x, out, ref[work][key], listed, orders))
            else:
                bad.update(verdict(x, out, ref[work][key], oracle))
            return x
        finally:
            shutil.rmtree(out, ignore_errors=True)

    for w in only:
        ents = list(TABLE[w])
        if a.full:
            ents = [(e[0].replace("/200k", ""), e[1], e[2].replace("dq_200k", "dq_1m"), 1 if "/200k" in e[0] else e[3], e[4]) for e in ents]
        ents = [e for e in ents if e[0] not in skip and (not pick or e[0] in pick)]
        for e in list(ents):  # an environment that could not be made here (setup.sh said so)
            folder = {"bin": bin_, "indicators": INDICATORS, "wire": WIRE}.get(e[1])
            if not os.path.exists(os.path.join(folder, e[2].split()[0]) if folder else venvs + e[1] + "/bin/python"):
                print("# %s %-22s left out: %s is not there" % (w, e[0], "its program" if folder else "environment " + e[1]), file=sys.stderr)
                ents.remove(e)
        checks = []
        if w in ours:
            ents = [("martlet", "ours", ours[w]["command"], 1, "")] + ents
            checks = [({}, *c) for c in ours[w]["checks"]]
            if w == "w7" and a.older:
                ents.append(("older", "older", ours[w]["command"], 1, ""))
        if not ents:
            print("\n%s  nothing to run" % w)
            continue
        runs = {e[0]: [] for e in ents}
        for r in range(a.rounds):
            for e in ents[r % len(ents):] + ents[:r % len(ents)]:
                end = time.monotonic() + a.turn
                while True:
                    x = run_ours(e, *checks[0]) if e[1] == "ours" else run_ours(e, {}, *checks[0][1:]) if e[1] == "older" else run(e, {})
                    runs[e[0]].append(x)
                    if x["rc"] or time.monotonic() + x["wall"] > end:
                        break
                print("# %s round %d %-22s wall %8.3f cpu %8.3f rss %6.0f MB rc %d%s" %
                      (w, r + 1, e[0], x["wall"], x["cpu"], x["rss_mb"], x["rc"], "  " + x["err"] if "err" in x else ""), file=sys.stderr, flush=True)
        for c in checks[1:]:
            run_ours(ents[0], *c)
        rows = []
        for e in ents:
            ok = [x for x in runs[e[0]] if x["rc"] == 0]
            if not ok:
                rows.append({"name": e[0], "failed": True})
                continue
            j = [x["json"] for x in ok]
            g = lambda k: min((float(y[k]) for y in j if y.get(k) is not None), default=None)
            engines = [float(y.get("engine_cpu_s", y.get("engine_s"))) for y in j if y.get("engine_cpu_s", y.get("engine_s")) is not None]
            eng = min(engines, default=None)
            rows.append({"name": e[0], "note": e[4], "times": e[3], "n": len(ok),
                         "wall_min": min(x["wall"] for x in ok), "wall_med": statistics.median(x["wall"] for x in ok),
                         "cpu_min": min(x["cpu"] for x in ok), "cpu_med": statistics.median(x["cpu"] for x in ok),
                         "rss_mb": max(x["rss_mb"] for x in ok), "load": g("load_cpu_s") if g("load_cpu_s") is not None else g("load_s"),
                         "engine": eng, "engine_total": eng * e[3] if eng is not None else None, "engine_med": statistics.median(engines) * e[3] if engines else None, "report": g("report_cpu_s") if g("report_cpu_s") is not None else g("report_s"), "last": j[-1], "all": j})
        result[w] = rows
        good = [r for r in rows if "failed" not in r]
        if w in ("w5", "w6"):
            f = "per_value" if w == "w5" else "per_msg"
            keys = list(dict.fromkeys(k for r in reversed(good) for k in r["last"].get(f, {})))
            print("\n%s  ns each, least of all runs" % w)
            print("%-14s %5s" % ("", "runs"), *["%11s" % k[:11] for k in keys + (["six"] if w == "w5" else [])])
            for r in good:
                least = {}
                for k in keys:
                    v = [y[f][k] for y in r["all"] if k in y.get(f, {})]
                    least[k] = min((z["ns"] if isinstance(z, dict) else z for z in v), default=None)
                cells = [least[k] for k in keys]
                if w == "w5":
                    six = [least.get(k) for k in SIX]
                    cells.append(None if None in six else sum(six))
                print("%-14s %5d" % (r["name"], r["n"]), *["%11s" % ("-" if c is None else "%.2f" % c) for c in cells])
            continue
        base = min((r["engine_total"] for r in good if r["name"] not in ("c-limit", "martlet") and r["engine_total"]), default=None)
        lim = next((r["engine_total"] for r in good if r["name"] == "c-limit"), None)
        pb = min((r["cpu_min"] * r["times"] for r in good if r["name"] not in ("c-limit", "martlet")), default=None)
        print("\n%s  (seconds; cpu = user+sys; engine = cpu of the engine phase for the whole workload; x peer = against the quickest peer, x limit = against c-limit)" % w)
        print("%-22s %5s %9s %9s %9s %9s %8s %9s %9s %9s %8s %8s %8s" % ("entry", "runs", "wall min", "wall med", "cpu min", "cpu med", "RSS MB", "load", "engine", "eng med", "x peer", "x limit", "x cpu"))
        for r in rows:
            if "failed" in r:
                print("%-22s failed" % r["name"])
                continue
            e = r["engine_total"]
            print("%-22s %5d %9s %9s %9s %9s %8.0f %9s %9s %9s %8s %8s %8s  %s" % (
                r["name"], r["n"], fmt(r["wall_min"]), fmt(r["wall_med"]), fmt(r["cpu_min"]), fmt(r["cpu_med"]), r["rss_mb"], fmt(r["load"]), fmt(e), fmt(r["engine_med"]),
                fmt(e / base) if e and base else "-", fmt(e / lim) if e and lim else "-", fmt(r["cpu_min"] * r["times"] / pb) if pb else "-",
                " ".join("%s=%s" % (k, str(r["last"][k])[:16]) for k in ("fills", "orders", "round_trips", "final_equity", "fills_sha256", "agree") if k in r["last"]) + ("  (%s)" % r["note"] if r["note"] else "")))
        if w in ours:
            hashes = {r["last"].get("fills_sha256") for r in good} if w == "w7" else set()
            if len(hashes) > 1:
                checks[0][0]["older"] = "its fills are others: the times are not of the same work"
            print("martlet against " + ("the workload's rule" if w == "w7" else "reference/RESULTS.json"))
            for bad, file, _, _ in checks:
                agreed = judge(file, bad, ours[w]["judge"]) and agreed
            rows[0]["differs"] = {file: bad for bad, file, _, _ in checks}
    if a.json:
        with open(a.json, "w") as f:
            json.dump(result, f, indent=1)
    return agreed


if __name__ == "__main__":
    main()
