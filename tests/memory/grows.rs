//! The page's allocator over memory that only grows, as WebAssembly's does: what is freed stays
//! with the program, and is used again only if it fits.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use dlmalloc::{Allocator, Dlmalloc};

/// What there is at most; it is taken from the machine only when it is used.
const MOST: usize = 1 << 30;
/// What memory grows by.
const PAGE: usize = 1 << 16;

static BEGIN: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the program has from the machine: the most that it ever had at once.
pub(crate) fn taken() -> usize {
    TAKEN.load(Ordering::Relaxed)
}

/// Memory in one piece that grows at its end.
struct Growing;

// SAFETY: every call gets bytes behind those of all calls before, and none is ever taken back.
unsafe impl Allocator for Growing {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        let mut begin = BEGIN.load(Ordering::Relaxed);
        if begin.is_null() {
            let whole = Layout::from_size_align(MOST, PAGE).expect("a power of two");
            // SAFETY: it is not empty.
            begin = unsafe { System.alloc(whole) };
            BEGIN.store(begin, Ordering::Relaxed);
        }
        let taken = taken();
        let size = size.next_multiple_of(PAGE);
        if begin.is_null() || size > MOST - taken {
            return (null_mut(), 0, 0);
        }
        TAKEN.store(taken + size, Ordering::Relaxed);
        // SAFETY: it lies inside of what was got.
        (unsafe { begin.add(taken) }, size, 0)
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        false
    }

    fn page_size(&self) -> usize {
        PAGE
    }
}

/// The standard library's allocator for WebAssembly.
struct OfThePage(Mutex<Dlmalloc<Growing>>);

#[global_allocator]
static ALLOCATOR: OfThePage = OfThePage(Mutex::new(Dlmalloc::new_with_allocator(Growing)));

impl OfThePage {
    fn with<R>(&self, call: impl FnOnce(&mut Dlmalloc<Growing>) -> R) -> R {
        call(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

// SAFETY: it hands on what it is asked, with the same contract.
unsafe impl GlobalAlloc for OfThePage {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.with(|memory| unsafe { memory.malloc(layout.size(), layout.align()) })
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        self.with(|memory| unsafe { memory.free(at, layout.size(), layout.align()) });
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (old, align) = (layout.size(), layout.align());
        self.with(|memory| unsafe { memory.realloc(at, old, align, size) })
    }
}
