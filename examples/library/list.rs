// List the formats that inferno reads. rustc list.rs -L /usr/local/lib
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_void};

#[repr(C)]
struct Item {
    name: [c_char; 64],
    brief: *const c_char,
    reserved: [*const c_void; 4],
}

#[link(name = "inferno")]
extern "C" {
    fn inferno_list(list: c_int, i: usize, item: *mut Item) -> c_int;
}

const INPUTS: c_int = 1;

fn main() {
    let mut item: Item = unsafe { std::mem::zeroed() };
    let mut i = 0;
    while unsafe { inferno_list(INPUTS, i, &mut item) } != 0 {
        let text = |p| unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned();
        println!("{}: {}", text(item.name.as_ptr()), text(item.brief));
        i += 1;
    }
}
