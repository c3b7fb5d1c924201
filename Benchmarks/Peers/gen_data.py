#!/usr/bin/env python3
"""Makes the benchmark data. Same bytes on every machine: only integers and exactly rounded
IEEE-754 + - * are used (no exp, log, sin, no library random generator), and MANIFEST.json holds the
SHA-256 of every file, so a copy of this generator in another language can be checked.

    gen_data.py OUTDIR [--only a,b,c,d] [--check reference/MANIFEST.json]

Check compares every file of OUTDIR with the manifest; with --only '' nothing is made first.

 a   a_1m.csv         1,000,000 one-minute bars of one symbol
     a_100k.csv, a_200k.csv   its first rows (the sweep, W2; W1 for peers that would take minutes)
 b   b_daily/S000.csv ... S099.csv   100 symbols x 1260 daily bars
 c   c_1m/S00.csv ... S19.csv        20 symbols x 7800 one-minute bars (20 sessions of 390)
 d   d_ticks.csv      5,000,000 events, about 80 % quotes and 20 % trades

Bars: timestamp,open,high,low,close,volume   timestamp = START of the bar, ISO-8601 in UTC.
Ticks: timestamp,type,p1,s1,p2,s2            Q: bid,bid size,ask,ask size   T: price,size,,
All prices are whole cents. In file a no bar has SMA(10) == SMA(30) exactly (the close is moved one cent
when it would), so a crossover cannot depend on how a program rounds its averages.
"""
import argparse, datetime as dt, hashlib, json, os, sys
import numpy as np

SEED = 0x4D41_5254_4C45_5401
GAMMA = np.uint64(0x9E3779B97F4A7C15)


def stream(seed, n):
    """n uniforms in [0,1): SplitMix64 as a counter generator, top 53 bits."""
    with np.errstate(over="ignore"):
        x = np.uint64(seed & (2**64 - 1)) + (np.arange(1, n + 1, dtype=np.uint64) * GAMMA)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return (x >> np.uint64(11)).astype(np.float64) * (1.0 / 9007199254740992.0)


def sub(seed, k):
    """the k-th child seed"""
    m = 2**64 - 1
    x = (seed + (k + 1) * 0xD1B54A32D192ED03) & m
    x = ((x ^ (x >> 32)) * 0xD6E8FEB86659FD93) & m
    return (x ^ (x >> 32)) & m


def normal(seed, n):
    """near-normal, mean 0, variance 1: four uniforms summed left to right"""
    s = stream(sub(seed, 1), n) + stream(sub(seed, 2), n)
    s = s + stream(sub(seed, 3), n)
    s = s + stream(sub(seed, 4), n)
    return (s - 2.0) * 1.7320508075688772


def cents(x):
    return np.floor(x * 100.0 + 0.5).astype(np.int64)


def bars(seed, n, start, sigma, drift, vol_base, per_day):
    """-> int64 arrays open, high, low, close (cents), volume"""
    z = normal(sub(seed, 10), n)
    day = np.arange(n) // per_day
    regime = 0.6 + 1.2 * (lambda u: u * u)(stream(sub(seed, 11), int(day[-1]) + 1))[day]
    if per_day > 1:
        m = (np.arange(n) % per_day) / float(per_day - 1)
        shape = 0.7 + 2.4 * (m - 0.5) * (m - 0.5)
    else:
        shape = np.ones(n)
    r = (drift + z * (sigma * regime * shape))
    latent = np.cumprod(np.concatenate(([float(start)], 1.0 + r)))[1:]
    c = np.maximum(cents(latent), 100)
    gap = np.floor(stream(sub(seed, 12), n) * 3.0).astype(np.int64) - 1  # -1, 0, +1 cent
    if per_day == 1:
        gap = gap * 12
    o = np.concatenate(([cents(np.array([float(start)]))[0]], c[:-1])) + gap
    o = np.maximum(o, 100)
    reach = latent * (sigma * 60.0) * regime * shape
    up = np.floor(reach * stream(sub(seed, 13), n)).astype(np.int64)
    dn = np.floor(reach * stream(sub(seed, 14), n)).astype(np.int64)
    u = stream(sub(seed, 15), n)
    v = np.floor(vol_base * shape * (0.25 + 3.0 * u * u)).astype(np.int64) * 10 + 10
    return o, up, dn, c, v


def untie(c, fast=10, slow=30):
    """moves a close up one cent wherever slow*sum(fast) == fast*sum(slow)"""
    c = [int(x) for x in c]
    k, sf, ss = slow // fast, 0, 0
    moved = 0
    for i in range(len(c)):
        sf += c[i]
        ss += c[i]
        if i >= fast:
            sf -= c[i - fast]
        if i >= slow:
            ss -= c[i - slow]
        if i >= slow - 1 and k * sf == ss:
            c[i] += 1
            sf += 1
            ss += 1
            moved += 1
    return np.array(c, dtype=np.int64), moved


def hilo(o, up, dn, c):
    h = np.maximum(o, c) + up
    lo = np.maximum(np.minimum(o, c) - dn, 1)
    return h, lo


def weekdays(first, n):
    out, d = [], first
    while len(out) < n:
        if d.weekday() < 5:
            out.append(d)
        d += dt.timedelta(days=1)
    return out


def minute_stamps(first, n, per_day=390, h0=14, m0=30):
    out = []
    hm = []
    for k in range(per_day):
        t = h0 * 60 + m0 + k
        hm.append("T%02d:%02d:00Z" % (t // 60, t % 60))
    for d in weekdays(first, (n + per_day - 1) // per_day):
        s = d.isoformat()
        out.extend(s + x for x in hm)
    return out[:n]


def p2(x):
    return "%d.%02d" % (x // 100, x % 100)


def write_bars(path, stamps, o, h, l, c, v):
    o, h, l, c, v = (x.tolist() for x in (o, h, l, c, v))
    with open(path, "w", newline="\n") as f:
        f.write("timestamp,open,high,low,close,volume\n")
        f.writelines("%s,%d.%02d,%d.%02d,%d.%02d,%d.%02d,%d\n" %
                     (s, a // 100, a % 100, b // 100, b % 100, e // 100, e % 100, g // 100, g % 100, w)
                     for s, a, b, e, g, w in zip(stamps, o, h, l, c, v))


def make_a(out):
    n = 1_000_000
    o, up, dn, c, v = bars(sub(SEED, 100), n, 100.0, 0.0005, 1.0e-7, 900.0, 390)
    c2, moved = untie(c)
    o = np.concatenate((o[:1], np.maximum(o[1:] + (c2 - c)[:-1], 100)))
    c = c2
    h, l = hilo(o, up, dn, c)
    st = minute_stamps(dt.date(2016, 1, 4), n)
    write_bars(os.path.join(out, "a_1m.csv"), st, o, h, l, c, v)
    for name, k in (("a_100k.csv", 100_000), ("a_200k.csv", 200_000)):
        write_bars(os.path.join(out, name), st[:k], o[:k], h[:k], l[:k], c[:k], v[:k])
    print("a: closes moved to remove ties:", moved, "last close", p2(int(c[-1])), "min", p2(int(c.min())), "max", p2(int(c.max())))


def make_set(out, folder, count, n, per_day, stamps, sigma, drift, fmt, base):
    os.makedirs(os.path.join(out, folder), exist_ok=True)
    start = stream(sub(SEED, base), count)
    dr = stream(sub(SEED, base + 1), count)
    for i in range(count):
        o, up, dn, c, v = bars(sub(SEED, base + 10 + i), n, 20.0 + float(np.floor(start[i] * 180.0)),
                               sigma, drift * (float(dr[i]) * 2.0 - 0.7), 3000.0, per_day)
        h, l = hilo(o, up, dn, c)
        write_bars(os.path.join(out, folder, fmt % i + ".csv"), stamps, o, h, l, c, v)


def make_b(out):
    st = [d.isoformat() + "T00:00:00Z" for d in weekdays(dt.date(2020, 1, 1), 1260)]
    make_set(out, "b_daily", 100, 1260, 1, st, 0.013, 0.0006, "S%03d", 1000)


def make_c(out):
    st = minute_stamps(dt.date(2024, 6, 3), 7800)
    make_set(out, "c_1m", 20, 7800, 390, st, 0.0006, 0.00002, "S%02d", 3000)


def make_d(out):
    n = 5_000_000
    s = sub(SEED, 200)
    step_ns = 1 + np.floor(stream(sub(s, 1), n) * 9_360_000.0).astype(np.int64)
    t0 = 1717421400 * 10**9  # 2024-06-03T13:30:00Z
    ts = t0 + np.cumsum(step_ns)
    u = stream(sub(s, 2), n)
    mv = (u < 0.05).astype(np.int64) - (u >= 0.95).astype(np.int64)
    bid = np.maximum(10_000 + np.cumsum(mv), 100)
    spread = 1 + (stream(sub(s, 3), n) < 0.3).astype(np.int64)
    ask = bid + spread
    istrade = stream(sub(s, 4), n) < 0.2
    sz1 = 1 + np.floor(stream(sub(s, 5), n) * 20.0).astype(np.int64)
    sz2 = 1 + np.floor(stream(sub(s, 6), n) * 20.0).astype(np.int64)
    side = stream(sub(s, 7), n) < 0.5
    # a trade prints at the bid or ask of the latest quote, for at most 5
    idx = np.where(~istrade, np.arange(n), -1)
    last = np.maximum.accumulate(idx)
    last = np.where(last < 0, 0, last)
    tp = np.where(side, ask[last], bid[last])
    tsz = 1 + (sz1 % 5)
    istrade[0] = False
    np.savez(os.path.join(out, "d_ticks.npz"), ts=ts, istrade=istrade, bid=bid, ask=ask, bsz=sz1, asz=sz2,
             price=tp, size=tsz, buy=side)
    with open(os.path.join(out, "d_ticks.csv"), "w", newline="\n") as f:
        f.write("timestamp,type,p1,s1,p2,s2\n")
        day = "2024-06-03T"
        B = 250_000
        for a in range(0, n, B):
            b = min(n, a + B)
            rel = (ts[a:b] - 1717372800 * 10**9)
            sec, ns = (rel // 10**9).tolist(), (rel % 10**9).tolist()
            T, bb, aa, z1, z2, pp, zz = (x[a:b].tolist() for x in (istrade, bid, ask, sz1, sz2, tp, tsz))
            f.writelines(
                ("%s%02d:%02d:%02d.%09dZ,T,%d.%02d,%d,,\n" % (day, q // 3600, q // 60 % 60, q % 60, e, p // 100, p % 100, w))
                if t else
                ("%s%02d:%02d:%02d.%09dZ,Q,%d.%02d,%d,%d.%02d,%d\n" %
                 (day, q // 3600, q // 60 % 60, q % 60, e, x // 100, x % 100, y1, y // 100, y % 100, y2))
                for q, e, t, x, y, y1, y2, p, w in zip(sec, ns, T, bb, aa, z1, z2, pp, zz))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--only", default="a,b,c,d")
    ap.add_argument("--check", metavar="MANIFEST", help="compare the files made with this manifest")
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for k in filter(None, a.only.split(",")):
        {"a": make_a, "b": make_b, "c": make_c, "d": make_d}[k](a.out)
    man = {}
    for root, _, files in os.walk(a.out):
        for fn in sorted(files):
            if fn.endswith(".csv"):
                p = os.path.join(root, fn)
                h = hashlib.sha256()
                with open(p, "rb") as f:
                    for blk in iter(lambda: f.read(1 << 20), b""):
                        h.update(blk)
                man[os.path.relpath(p, a.out)] = {"sha256": h.hexdigest(), "bytes": os.path.getsize(p)}
    man = dict(sorted(man.items()))
    with open(os.path.join(a.out, "MANIFEST.json"), "w") as f:
        json.dump(man, f, indent=1)
    if a.check:
        want = json.load(open(a.check))
        bad = [k for k in man if k in want and want[k]["sha256"] != man[k]["sha256"]]
        part = tuple({"a": "a_", "b": "b_", "c": "c_", "d": "d_"}[k] for k in (a.only or "a,b,c,d").split(","))
        miss = [k for k in want if k not in man and k.startswith(part)]
        print("manifest:", "differs: %s" % bad if bad else "all %d files agree" % sum(k in want for k in man), "missing: %d" % len(miss))
        sys.exit(1 if bad or miss else 0)


if __name__ == "__main__":
    main()
