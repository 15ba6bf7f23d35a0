/* SHA-256, plain: a page has a few kilobytes of style. */
#include "base/sha256.h"

enum { SHA256_BLOCK = 64, SHA256_WORDS = 8, SHA256_ROUNDS = 64 };

// The first bits of the fractions of the cube roots of the first primes.
static const uint32_t sha256_constants[SHA256_ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t sha256_rotate(uint32_t word, unsigned bits) {
	return word >> bits | word << (32 - bits);
}

/** Compute the words of all rounds: those of a block, and words that follow from them. */
static void sha256_schedule(uint32_t words[static SHA256_ROUNDS], const unsigned char *block) {
	for (size_t i = 0; i < SHA256_BLOCK / 4; i++) {
		const unsigned char *at = block + 4 * i;
		words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
			   at[3];
	}
	for (size_t i = SHA256_BLOCK / 4; i < SHA256_ROUNDS; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];
		words[i] = words[i - 16] + (sha256_rotate(a, 7) ^ sha256_rotate(a, 18) ^ a >> 3) +
			   words[i - 7] + (sha256_rotate(b, 17) ^ sha256_rotate(b, 19) ^ b >> 10);
	}
}

static void sha256_add_block(uint32_t state[static SHA256_WORDS], const unsigned char *block) {
	uint32_t words[SHA256_ROUNDS], s[SHA256_WORDS];
	sha256_schedule(words, block);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < SHA256_ROUNDS; i++) {
		uint32_t a = s[0], e = s[4];
		uint32_t first =
			s[7] + sha256_constants[i] + words[i] +
			(sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25)) +
			((e & s[5]) ^ (~e & s[6]));
		uint32_t second =
			(sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22)) +
			((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, sizeof(s) - sizeof(s[0]));
		s[0] = first + second;
		s[4] += first;
	}
	for (size_t i = 0; i < SHA256_WORDS; i++) {
		state[i] += s[i];
	}
}

void sha256(unsigned char hash[static SHA256_SIZE], struct str text) {
	uint32_t state[SHA256_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	// The rest of the text, a bit that ends it, zeros, and its length in bits.
	unsigned char last[2 * SHA256_BLOCK] = {0};
	size_t rest = text.n % SHA256_BLOCK, whole = text.n - rest;
	size_t end = rest < SHA256_BLOCK - 8 ? SHA256_BLOCK : 2 * SHA256_BLOCK;
	for (size_t at = 0; at < whole; at += SHA256_BLOCK) {
		sha256_add_block(state, (const unsigned char *)text.p + at);
	}
	memcpy(last, text.p + whole, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++) {
		last[end - 1 - i] = (unsigned char)((uint64_t)text.n * 8 >> 8 * i);
	}
	for (size_t at = 0; at < end; at += SHA256_BLOCK) {
		sha256_add_block(state, last + at);
	}
	for (size_t i = 0; i < SHA256_SIZE; i++) {
		hash[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
	}
}
