#!/usr/bin/env bash
# Puts a private Godot 4, taken from a newer Debian suite, under PREFIX. Nothing is
# installed on this machine: apt resolves and downloads into a private root, dpkg-deb
# unpacks, and the unpacked C library's own loader runs the binary. No root needed.
#
#   get-godot.sh PREFIX      last line of stdout: the command that runs Godot
#   GODOT_SUITES="forky sid"   suites to try, in order
#   GODOT_PACKAGES="…"         what to resolve, without recommends (name or name=version)
#   GODOT_KEEP_DEBS=1          keep the apt root with its .debs
set -euo pipefail

prefix=${1:-${GODOT_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/godot-prefix}}
suites=${GODOT_SUITES:-forky sid}
# libgl1 + libgl1-mesa-dri: software OpenGL; mesa-vulkan-drivers: software Vulkan.
packages=${GODOT_PACKAGES:-godot libgl1 libegl1 libgl1-mesa-dri mesa-vulkan-drivers}
case $packages in *[!a-z0-9.+:=~\ -]*) echo "bad GODOT_PACKAGES" >&2; exit 2 ;; esac

mkdir -p "$prefix"; prefix=$(cd "$prefix" && pwd -P)
run=$prefix/godot
want="v4 $packages"
exec 9>"$prefix/.lock"; flock 9                      # of two callers at once, one waits
if [ -x "$run" ] && [ "$(cat "$prefix/.done" 2>/dev/null)" = "$want" ]; then
    echo "$run"; exit 0
fi
rm -rf "$prefix/root" "$prefix/.done" "$run"

a=$prefix/apt r=$prefix/root
mkdir -p "$a/none/partial" "$a/state/lists/partial" "$a/cache/archives/partial"
: >"$a/state/status"                                 # nothing counts as installed
# The mirror is whatever this machine uses for its own release. (print-uris and not
# indextargets: that one is empty where /var/lib/apt/lists was wiped, as in images.)
code=$(. /etc/os-release; echo "$VERSION_CODENAME")
mirror=$(apt-get -o Dir::State::lists="$a/none" -o Debug::NoLocking=true --print-uris update 2>/dev/null |
         sed -n "s#^'\(.*\)/dists/$code/InRelease'.*#\1#p" | sed -n 1p)
[ -n "$mirror" ] || { echo "no apt source for $code on this machine" >&2; exit 1; }

# Of the machine's apt.conf.d only the transport settings (proxy, TLS) are kept: its
# hooks (docker-clean empties archive caches, packagekit calls dbus) must not fire here.
apt-config dump | grep -iE '^Acquire::(https?|ForceIPv[46]|Check-Valid)' >"$a/apt.conf" || true
cat >>"$a/apt.conf" <<CONF
Dir::Etc::parts "$a/none";
Dir::Etc::main "/dev/null";
Dir::State "$a/state";
Dir::State::status "$a/state/status";
Dir::Cache "$a/cache";
Dir::Etc::sourcelist "$a/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Acquire::Retries "3";
APT::Sandbox::User "$(id -un)";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
CONF
got=
for suite in $suites; do
    rm -f "$a"/cache/archives/*.deb                  # never mix two suites
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$a/sources.list"
    # shellcheck disable=SC2086
    if APT_CONFIG=$a/apt.conf apt-get -qq update >&2 &&
       APT_CONFIG=$a/apt.conf apt-get -qq -y install --download-only $packages >&2
    then got=$suite; break; fi
done
[ -n "$got" ] || { echo "none of [$suites] has: $packages" >&2; exit 1; }
du -cm "$a"/cache/archives/*.deb | sed -n 's/\ttotal/ MB of .debs/p' >&2

mkdir -p "$r/usr/bin" "$r/usr/sbin" "$r/usr/lib" "$r/usr/lib64"
for d in bin sbin lib lib64; do ln -sfn "usr/$d" "$r/$d"; done   # merged /usr, as in the suite
for deb in "$a"/cache/archives/*.deb; do
    # tar and not dpkg-deb -x, which would replace the links above by directories
    dpkg-deb --fsys-tarfile "$deb" |
        tar -x -C "$r" --keep-directory-symlink --no-same-owner \
            --exclude=./usr/share/{doc,man,locale,lintian,bug,info} --exclude=./usr/lib/systemd
    dpkg-deb -W --showformat='${Package} ${Version} ${Architecture}\n' "$deb"
done >"$prefix/packages.txt"
find "$r/usr/lib" -name 'libvulkan_*.so' ! -name libvulkan_lvp.so -delete   # keep only the software one

cd "$r"
ld=$(find usr/lib usr/lib64 -name 'ld-linux*.so.*' | sed -n 1p)
libc=$(find usr/lib -name libc.so.6 | sed -n 1p); lib=${libc%/*}            # usr/lib/<multiarch>
bin=$(find usr/bin -maxdepth 1 -type f -name 'godot*' | sort | sed -n 1p)
[ -n "$ld" ] && [ -n "$libc" ] && [ -n "$bin" ] || { echo "no godot or no loader under $r" >&2; exit 1; }
# An ICD file names its library by soname or absolute path; relative survives a move.
icd=$(find usr/share/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | sed -n 1p || true)
[ -z "$icd" ] || sed -i "s#\"library_path\": *\"[^\"]*\"#\"library_path\": \"../../../../$lib/libvulkan_lvp.so\"#" "$icd"

cat >"$run" <<RUN
#!/bin/sh
# Written by get-godot.sh. Godot from Debian $got, with its own C library.
p=\$(dirname -- "\$(readlink -f -- "\$0")"); r=\$p/root; l=\$r/$lib
export LIBGL_DRIVERS_PATH="\$l/dri" GBM_BACKENDS_PATH="\$l/gbm"
export __EGL_VENDOR_LIBRARY_DIRS="\$r/usr/share/glvnd/egl_vendor.d"
export VK_DRIVER_FILES="\$r/${icd:-none}" LIBGL_ALWAYS_SOFTWARE=1
export XKB_CONFIG_ROOT="\$r/usr/share/X11/xkb" XLOCALEDIR="\$r/usr/share/X11/locale"
export FONTCONFIG_SYSROOT="\$r" GCONV_PATH="\$l/gconv"
# Godot's own settings, logs and user:// stay out of the caller's home.
h=\${GODOT_HOME:-\$p/home}
export XDG_DATA_HOME="\$h/data" XDG_CONFIG_HOME="\$h/config" XDG_CACHE_HOME="\$h/cache"
mkdir -p "\$XDG_DATA_HOME" "\$XDG_CONFIG_HOME" "\$XDG_CACHE_HOME"
# pulseaudio/: libpulse finds its private library by an absolute RUNPATH only
exec "\$r/$ld" --argv0 "\$0" --library-path "\$l:\$r/usr/lib:\$l/pulseaudio" "\$r/$bin" "\$@"
RUN
chmod +x "$run"
"$run" --headless --version >&2                      # proves that it starts
[ -n "${GODOT_KEEP_DEBS:-}" ] || rm -rf "$a"
echo "$want" >"$prefix/.done"
echo "$run"
