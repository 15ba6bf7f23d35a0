// work FOLDER writes profiles of itself: cpu, heap, block and mutex.
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

func spin(until time.Time) int {
	n := 0
	for time.Now().Before(until) {
		for i := 0; i < 1000; i++ {
			n += i * i
		}
	}
	return n
}

func allocate() {
	for i := 0; i < 2000; i++ {
		kept = append(kept, make([]byte, 4096))
	}
}

func contend() {
	var mutex sync.Mutex
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := 0; k < 20; k++ {
				mutex.Lock()
				time.Sleep(time.Millisecond)
				mutex.Unlock()
			}
		}()
	}
	group.Wait()
}

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	folder := os.Args[1]
	file, err := os.Create(folder + "/cpu.pprof")
	if err != nil || pprof.StartCPUProfile(file) != nil {
		os.Exit(1)
	}
	for _, job := range []string{"red", "blue"} {
		pprof.Do(context.Background(), pprof.Labels("job", job), func(context.Context) {
			spin(time.Now().Add(200 * time.Millisecond))
		})
	}
	pprof.StopCPUProfile()
	file.Close()
	allocate()
	contend()
	for _, name := range []string{"heap", "block", "mutex"} {
		file, err := os.Create(folder + "/" + name + ".pprof")
		if err != nil || pprof.Lookup(name).WriteTo(file, 0) != nil || file.Close() != nil {
			os.Exit(1)
		}
	}
}
