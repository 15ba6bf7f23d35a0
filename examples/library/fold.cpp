// Fold a profile of any format, in a process of its own with at most 256 MiB. c++ fold.cpp $(pkg-config --cflags --libs libinferno)
#include <inferno.h>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

int main(int argc, char **argv) {
	std::unique_ptr<inferno, decltype(&inferno_free)> job(inferno_new("collapse-guess"), inferno_free);
	inferno_source source{};
	source.kind = INFERNO_PATH;
	source.path = argc > 1 ? argv[1] : "-";
	inferno_add(job.get(), &source);
	inferno_isolate(job.get(), 256 << 20);
	std::string folded;
	auto append = [](void *text, const void *bytes, size_t size) {
		static_cast<std::string *>(text)->append(static_cast<const char *>(bytes), size);
		return 0;
	};
	if (inferno_run(job.get(), append, &folded) != INFERNO_OK) {
		std::cerr << inferno_error(job.get()) << "\n";
		return EXIT_FAILURE;
	}
	std::cout << folded;
}
