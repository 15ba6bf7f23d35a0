// A program that allocates: a vector of strings that grows.
#include <cstdio>
#include <string>
#include <vector>

static std::vector<std::string> table;

__attribute__((noinline)) void remember(int i)
{
	table.push_back(std::string(100, 'x') + std::to_string(i));
}

int main()
{
	for (int i = 0; i < 500000; i++) {
		remember(i);
	}
	std::printf("%zu\n", table.size());
}
