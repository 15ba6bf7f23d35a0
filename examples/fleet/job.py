#!/usr/bin/env python3
"""Folds the profiles of many hosts and adds them up, on Apache Spark:

    spark-submit job.py [--lenient] [--reducers N] RESULT.folded SHARDS

SHARDS is a file with the path of a profile on each line. The profiles can have different formats. Every node must have the
profiles, inferno, and the folder of RESULT. docs/fleet.md describes this job."""
import argparse
import os
import shlex
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

from pyspark.sql import SparkSession

# Read paths, write folded stacks. Messages of inferno become lines that begin with '# ', which are comments in folded text.
FOLD = r"""
while IFS= read -r shard; do
    { inferno collapse guess -- "$shard" 2>&1 >&3 | sed 's/^/# /' >&3; } 3>&1
done
"""
# Add up folded stacks. A part may be empty; then write nothing.
MERGE = r"""
if IFS= read -r first; then
    { printf '%s\n' "$first"; cat; } | inferno merge
fi
"""


def key_of(line):
    """Returns the first frames of a stack. All stacks that begin with the same frames go to one reducer."""
    return ";".join(line.split(";", 3)[:3]).rpartition(" ")[0]


def partition_of(key):
    """Returns the partition of a key. The result must be the same on every node, so hash() cannot be used."""
    return zlib.crc32(key.encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lenient", action="store_true", help="leave out shards that cannot be read")
    parser.add_argument("--reducers", type=int, default=16, help="into how many parts to cut the result")
    parser.add_argument("result")
    parser.add_argument("shards")
    options = parser.parse_args()
    shards = Path(options.shards).read_text().split("\n")[:-1]
    parts = Path(options.result + ".parts")
    shutil.rmtree(parts, ignore_errors=True)

    spark = SparkSession.builder.appName("inferno").getOrCreate()
    fold, merge = "sh -c " + shlex.quote(FOLD), "sh -c " + shlex.quote(MERGE)
    here = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}  # rdd.pipe() passes no environment
    # Map: fold a few shards at a time, and add up their stacks before they leave the node.
    folded = spark.sparkContext.parallelize(shards, max(1, len(shards) // 4)).pipe(fold, here).persist()
    problems = folded.filter(lambda line: line.startswith("# ")).collect()
    for line in problems:
        print(line[2:], file=sys.stderr)
    if any("inferno: warning:" not in line for line in problems) and not options.lenient:
        sys.exit("some shards cannot be read; --lenient leaves them out")
    # Reduce: each reducer gets all stacks that begin with the same frames, so its result is final.
    combined = folded.pipe(merge, here, checkCode=True)
    keyed = combined.map(lambda line: (key_of(line), line)).partitionBy(options.reducers, partition_of)
    keyed.values().pipe(merge, here, checkCode=True).saveAsTextFile(parts.resolve().as_uri())
    spark.stop()
    # The parts are sorted, so the last merge only reads them once.
    subprocess.run(["inferno", "merge", *sorted(map(str, parts.glob("part-*"))), "-o", options.result], check=True)
    shutil.rmtree(parts)


main()
