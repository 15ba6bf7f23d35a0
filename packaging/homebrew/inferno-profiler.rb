# Draw flame graphs of what any profiler prints. Set url and sha256 to those of a release.
class InfernoProfiler < Formula
  desc "Draw flame graphs of what any profiler prints"
  homepage "https://example.org/inferno"
  url "https://example.org/inferno/inferno-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "CDDL-1.0"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "uthash" => :build
  depends_on "xxhash" => :build
  depends_on "libdeflate"
  depends_on "yajl"
  depends_on "zstd"
  uses_from_macos "expat"
  uses_from_macos "zlib"

  conflicts_with "flamegraph", because: "both install links by the names of older tools"

  def install
    system "meson", "setup", "build", "-Dtests=false", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    (testpath/"in.folded").write("main;read 3\nmain;draw 7\n")
    assert_match "</svg>", shell_output("#{bin}/inferno flamegraph in.folded")
  end
end
