// Name the format of each file.
package main

// #cgo pkg-config: libinferno
// #include <inferno.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func main() {
	for _, path := range os.Args[1:] {
		source := (*C.struct_inferno_source)(C.calloc(1, C.sizeof_struct_inferno_source))
		source.path = C.CString(path)
		var why [200]C.char
		if format := C.inferno_sniff(source, &why[0], C.size_t(len(why))); format != nil {
			fmt.Println(path, C.GoString(format))
		} else {
			fmt.Println(path, C.GoString(&why[0]))
		}
		C.free(unsafe.Pointer(source.path))
		C.free(unsafe.Pointer(source))
	}
}
