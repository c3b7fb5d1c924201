"""The bundled strategies once more, in pandas: what they should trade.

    reference.py DATA OUT       reads DATA/SYMBOL.csv or .csv.gz, writes OUT/NAME.csv for each strategy

The rule: a decision at the close of a day trades at the open of the next, whole shares, no slippage. Prices
are taken as they stand in the files. Written from the strategies' descriptions, not from their source; numbers
are whole millionths of a dollar, so that comparisons are exact.
"""
import pathlib
import sys

import numpy as np
import pandas as pd

SHARES = 100
UNIT = 1_000_000


def read(folder):
    """{symbol: frame of open and close by day}, in millionths."""
    frames = {}
    for path in sorted(pathlib.Path(folder).glob("*.csv*")):
        frame = pd.read_csv(path, index_col="date")[["open", "close"]]
        frames[path.name.split(".csv")[0]] = (frame * UNIT).round().astype("int64")
    return frames


# What each strategy wants at a close: 1 to be long, -1 to be out, 0 to leave things as they are.


def ma_crossover(close, fast=20, slow=100):
    difference = close.rolling(fast).sum() * slow - close.rolling(slow).sum() * fast
    return np.sign(difference)


def momentum(close, lookback=20, threshold=0.02, exit_threshold=0.0):
    change = close.diff(lookback) / close.shift(lookback)
    return wants(change > threshold, change <= exit_threshold)


def rsi_reversion(close, length=14, buy_below=30, sell_above=50):
    change = close.diff()
    gain = wilder(change.clip(lower=0), length)
    loss = wilder(-change.clip(upper=0), length)
    rsi = 100 - 100 / (1 + gain / loss)
    return wants(rsi < buy_below, rsi > sell_above)


def zscore_reversion(close, period=20, entry_std=2.0, exit_std=0.5):
    windows = np.lib.stride_tricks.sliding_window_view(close.to_numpy("float64"), period)
    deviation = windows.std(axis=1)
    below = np.where(deviation > 0, windows.mean(axis=1) - close[period - 1:], 0.0)
    score = pd.Series(below / np.where(deviation > 0, deviation, 1), close.index[period - 1:])
    return wants(score >= entry_std, score <= exit_std).reindex(close.index)


def wilder(values, length):
    """The mean of the first values, then each new one weighs 1 / length."""
    seeded = values.where(np.arange(len(values)) > length)
    seeded.iloc[length] = values.iloc[1:length + 1].mean()
    return seeded.ewm(alpha=1 / length, adjust=False, ignore_na=True).mean()


def wants(enter, leave):
    return enter.astype(float) - leave.astype(float)


SIGNALS = {
    "ma_crossover": ma_crossover,
    "momentum": momentum,
    "rsi_reversion": rsi_reversion,
    "zscore_reversion": zscore_reversion,
}


def round_trips(frames, signal):
    """The trades of a strategy that holds 100 shares or none, those that ended."""
    rows = []
    for symbol, frame in frames.items():
        wanted = signal(frame["close"])
        is_long = wanted.where(wanted != 0).ffill().eq(1)
        # In force from the next open on.
        held = is_long.shift(1, fill_value=False)
        turns = frame[held != held.shift(1, fill_value=False)]
        for entry, leave in zip(turns.index[0::2], turns.index[1::2]):
            rows.append((symbol, entry, leave, SHARES,
                         dollars(frame["open"][entry]), dollars(frame["open"][leave])))
    return pd.DataFrame(
        rows, columns=["symbol", "entry", "exit", "shares", "entry_price", "exit_price"])


def ranking(frames, lookback=126, top=5, band_pct=20, smallest=200, capital=1_000_000, fee=1):
    """The fills of a portfolio of the `top` best, changed with the first session of a week."""
    opens = pd.DataFrame({s: f["open"] for s, f in frames.items()}).sort_index()
    closes = pd.DataFrame({s: f["close"] for s, f in frames.items()}).reindex(opens.index)
    scores = pd.DataFrame(
        {s: f["close"].diff(lookback) / f["close"].shift(lookback) for s, f in frames.items()}
    ).reindex(opens.index)
    weeks = pd.to_datetime(opens.index).isocalendar().week.to_numpy()
    cash, held, rows = capital * UNIT, dict.fromkeys(sorted(frames), 0), []
    last = {}
    for t, day in enumerate(opens.index[:-1]):
        last.update({s: int(p) for s, p in closes.iloc[t].dropna().items()})
        if t == 0 or weeks[t] == weeks[t - 1] or scores.iloc[t].isna().all():
            continue
        equity = cash + sum(n * last[s] for s, n in held.items() if n)
        known = scores.iloc[t].dropna()
        best = sorted(known.index, key=lambda s: (-known[s], s))[:top]
        orders = []
        for s in held:
            goal = equity // (top * last[s]) if s in best else 0
            change = goal - held[s]
            if change and (goal == 0 or (100 * abs(change) > band_pct * goal
                                         and abs(change) * last[s] >= smallest * UNIT)):
                orders.append((s, change))
        for s, change in sorted(orders, key=lambda order: (order[1] > 0, order[0])):
            price = int(opens[s].iloc[t + 1])
            held[s] += change
            cash -= change * price + fee * UNIT
            rows.append((opens.index[t + 1], s, "BUY" if change > 0 else "SELL", abs(change),
                         dollars(price)))
    return pd.DataFrame(rows, columns=["day", "symbol", "side", "shares", "price"])


def dollars(units):
    """Exact decimal text with at least two decimals."""
    whole, rest = divmod(int(units), UNIT)
    return f"{whole}." + f"{rest:06d}".rstrip("0").ljust(2, "0")


def write(data, out):
    frames = read(data)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, signal in SIGNALS.items():
        round_trips(frames, signal).to_csv(out / f"{name}.csv", index=False, lineterminator="\n")
    ranking(frames).to_csv(
        out / "cross_sectional_momentum.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    write(*sys.argv[1:3])
