package main

import (
	"fmt"
	"math"
	"os"
	"runtime/pprof"
)

//go:noinline
func parse(turns int) (sum float64) {
	for i := 0; i < turns*1000000; i++ {
		sum += math.Sqrt(float64(i))
	}
	return sum
}

func main() {
	if file, err := os.Create("cpu.pb.gz"); err == nil {
		pprof.StartCPUProfile(file)
		defer pprof.StopCPUProfile()
	}
	sum := 0.0
	for i := 0; i < 300; i++ {
		sum += parse(1)
	}
	fmt.Println(sum)
}
