// Many small functions, inlined into one another.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

template <int Depth> struct series {
	static unsigned long sum(unsigned long seed) {
		unsigned long total = 0;
		for (int i = 0; i < Depth; i++) {
			total += series<Depth - 1>::sum(seed ^ i) / Depth;
		}
		return total;
	}
};

template <> struct series<0> {
	static unsigned long sum(unsigned long seed) {
		return seed * 2654435761u;
	}
};

int main() {
	std::map<std::string, std::vector<int>> words;
	for (int i = 0; i < 3000; i++) {
		words["key" + std::to_string(i % 977)].push_back(i);
	}
	unsigned long total = 0;
	for (auto &[word, numbers] : words) {
		std::sort(numbers.begin(), numbers.end(),
			  [](int a, int b) { return a * 7919 % 1009 < b * 7919 % 1009; });
		total += word.size() + numbers[0];
	}
	std::vector<std::string> sorted;
	for (const auto &[word, numbers] : words) {
		sorted.insert(sorted.begin(), word + std::to_string(numbers.size()));
	}
	std::stable_sort(sorted.begin(), sorted.end());
	std::printf("%lu %s\n", total + series<6>::sum(total), sorted[0].c_str());
}
