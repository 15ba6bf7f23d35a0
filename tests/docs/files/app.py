import math


def parse(turns):
    return sum(math.sqrt(i) for i in range(turns * 100_000))


def main():
    for _ in range(10):
        parse(1)


main()
