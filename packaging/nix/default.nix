# nix-build packaging/nix: builds the program and the library of this folder's parent.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "inferno-profiler";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;
  outputs = [ "out" "dev" ];

  nativeBuildInputs = with pkgs; [ meson ninja pkg-config python3 ];
  buildInputs = with pkgs; [ elfutils expat libdeflate libiberty uthash xxHash xz yajl zlib zstd ];
  mesonFlags = [ "-Dtests=false" ];
  postPatch = "patchShebangs scripts src";

  # libdw and liblzma are loaded when a recording first needs them.
  postFixup = ''
    patchelf --add-rpath ${pkgs.lib.makeLibraryPath [ pkgs.elfutils pkgs.xz ]} $out/bin/inferno
  '';

  meta = {
    description = "Draw flame graphs of what any profiler prints";
    license = pkgs.lib.licenses.cddl;
    platforms = pkgs.lib.platforms.unix;
    mainProgram = "inferno";
  };
}
