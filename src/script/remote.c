/* Read the memory of another process. */
#include "script/remote.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

size_t remote_read_pieces(struct remote *remote, const struct remote_piece *pieces, size_t n) {
	struct iovec into[REMOTE_PIECES], from[REMOTE_PIECES];
	n = n < REMOTE_PIECES ? n : REMOTE_PIECES;
	for (size_t i = 0; i < n; i++) {
		into[i] = (struct iovec){pieces[i].bytes, pieces[i].n};
		from[i] = (struct iovec){(void *)(uintptr_t)pieces[i].address, pieces[i].n};
	}
	ssize_t got = process_vm_readv(remote->pid, into, n, from, n, 0);
	if (got < 0) {
		remote->problem = errno == EFAULT ? remote->problem : errno;
		return 0;
	}
	return (size_t)got;
}

bool remote_read(struct remote *remote, uint64_t address, void *bytes, size_t n) {
	return remote_read_pieces(remote, &(struct remote_piece){address, bytes, n}, 1) == n;
}

uint64_t remote_u64(struct remote *remote, uint64_t address) {
	uint64_t value = 0;
	return remote_read(remote, address, &value, sizeof(value)) ? value : 0;
}

uint32_t remote_u32(struct remote *remote, uint64_t address) {
	uint32_t value = 0;
	return remote_read(remote, address, &value, sizeof(value)) ? value : 0;
}

bool remote_text(struct remote *remote, uint64_t address, size_t most, struct buf *out) {
	enum { PART = 64 };
	char part[PART];
	while (most > 0) {
		// A part ends at a multiple of 64 bytes, so that it does not needlessly read from
		// the next page.
		size_t n = PART - address % PART;
		n = n < most ? n : most;
		if (address == 0 || !remote_read(remote, address, part, n)) {
			return false;
		}
		size_t length = strnlen(part, n);
		buf_add(out, part, length);
		if (length < n) {
			return true;
		}
		address += n;
		most -= n;
	}
	return true;
}

void remote_forget(struct remote_pages *pages) {
	memset(pages->addresses, 0, sizeof(pages->addresses));
}

/** Return the copy of the page at an address; NULL if it cannot be read. */
static const char *remote_page(struct remote *remote, struct remote_pages *pages,
			       uint64_t address) {
	for (size_t i = 0; i < REMOTE_PAGES; i++) {
		if (pages->addresses[i] == address) {
			return pages->bytes[i];
		}
	}
	size_t place = pages->next++ % REMOTE_PAGES;
	bool read = remote_read(remote, address, pages->bytes[place], REMOTE_PAGE);
	pages->addresses[place] = read ? address : 0;
	return read ? pages->bytes[place] : NULL;
}

bool remote_read_near(struct remote *remote, struct remote_pages *pages, uint64_t address,
		      void *bytes, size_t n) {
	char *to = bytes;
	while (n > 0) {
		size_t at = address % REMOTE_PAGE, part = REMOTE_PAGE - at;
		const char *page =
			address < REMOTE_PAGE ? NULL : remote_page(remote, pages, address - at);
		if (page == NULL) {
			return false;
		}
		part = part < n ? part : n;
		memcpy(to, page + at, part);
		to += part;
		address += part;
		n -= part;
	}
	return true;
}
