/* SHA-256: texts that end before, at and after the end of a block. The hashes are those of other
 * programs. */
#include "test.h"

#include "base/sha256.h"

static void test_sha256_of_all_lengths(void **state) {
	(void)state;
	static const struct {
		size_t length; // of letters a
		const char *hash;
	} cases[] = {
		{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
		{120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
		{1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
	};
	char text[1000];
	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char hash[SHA256_SIZE];
		char hex[2 * SHA256_SIZE + 1];
		sha256(hash, (struct str){text, cases[i].length});
		for (size_t b = 0; b < SHA256_SIZE; b++) {
			snprintf(hex + 2 * b, 3, "%02x", hash[b]);
		}
		assert_string_equal(hex, cases[i].hash);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sha256_of_all_lengths)};
	return RUN(tests);
}
