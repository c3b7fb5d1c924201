"""Holds the program's trades to those of reference.py, trade by trade.

    compare.py MARTLET DATA [--work FOLDER]

MARTLET is the program, DATA a folder of daily SYMBOL.csv(.gz) files with the columns date, open, high, low,
close, volume, dividend and split, prices as traded. Splits and dividends are taken out of the prices first
(each price times what a later holder has of it), so that both sides read the same adjusted files. A column
adj_close, where there is one, must agree. Ends non-zero when anything differs.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

import reference

HERE = pathlib.Path(__file__).parent


def adjusted(frame):
    """Prices for splits and dividends, as of the last day; six decimals."""
    before = frame["close"].shift()
    kept = (1 - frame["dividend"] / (before / frame["split"])) / frame["split"]
    # What an ex-date takes, it takes from all days before it.
    later = kept.iloc[::-1].cumprod().shift(fill_value=1.0).iloc[::-1]
    if "adj_close" in frame:
        off = (frame["close"] * later - frame["adj_close"]).abs().max()
        assert off < 2e-6, f"adj_close is off by {off}"
    prices = frame[["open", "high", "low", "close"]].mul(later, axis=0).round(6)
    return prices.assign(volume=frame["volume"])


def export(data, out):
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(pathlib.Path(data).glob("*.csv*")):
        frame = pd.read_csv(path, index_col="date")
        symbol = path.name.split(".csv")[0]
        adjusted(frame).to_csv(out / f"{symbol}.csv", float_format="%.6f", lineterminator="\n")


def run(martlet, config, data, out):
    """What the program says of a run, its round trips and its fills, as reference.py writes them."""
    command = [martlet, "backtest", "--config", str(config), "--data", str(data), "--output", str(out),
               "--set", "backtest.data.basis=total", "--json"]
    summary = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    trades = pd.read_csv(out / "trades.csv", dtype=str)
    fills = pd.read_csv(out / "fills.csv", dtype=str)
    return summary, pd.DataFrame({
        "symbol": trades["symbol"], "entry": trades["entry_time"].str[:10],
        "exit": trades["exit_time"].str[:10], "shares": trades["quantity"],
        "entry_price": trades["entry_price"], "exit_price": trades["exit_price"],
    }), pd.DataFrame({
        "day": fills["time"].str[:10], "symbol": fills["symbol"], "side": fills["side"],
        "shares": fills["quantity"], "price": fills["price"],
    })


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("martlet")
    parser.add_argument("data")
    parser.add_argument("--work", help="the folder for files in between; default: one that is removed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(arguments.work or temporary)
        export(arguments.data, work / "data")
        reference.write(work / "data", work / "expected")
        return compare(arguments.martlet, work)


def compare(martlet, work):
    differing = 0
    print("| strategy | trades | agree | total return |\n|---|---|---|---|")
    for path in sorted((work / "expected").glob("*.csv")):
        name = path.stem
        expected = pd.read_csv(path, dtype=str)
        summary, trades, fills = run(
            martlet, HERE / "configs" / f"{name}.yaml", work / "data", work / "runs" / name)
        got = trades if "entry" in expected else fills
        rows, others = (sorted(map(tuple, table.to_numpy())) for table in (expected, got))
        agreeing = len(set(rows) & set(others))
        differing += rows != others
        print(f"| {name} | {len(rows)} | {agreeing} of {len(others)} "
              f"| {100 * (float(summary['final_equity']) / 1e6 - 1):.2f} % |", flush=True)
        for row in sorted(set(rows) ^ set(others))[:5] if rows != others else []:
            print("  only expected" if row in set(rows) else "  only found", row)
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main())
