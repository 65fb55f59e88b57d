#!/bin/sh
# Puts a link to a ripgrep of at least version 14 at the path $1: the one on
# PATH when it is new enough, else the binary that the npm package
# @vscode/ripgrep-<platform> ships (no download step of its own).
set -eu
want=14 link=$1
fits() {
	[ -x "$1" ] && v=$("$1" --version | sed -nE '1s/^ripgrep ([0-9]+).*/\1/p') && [ "${v:-0}" -ge "$want" ]
}
mkdir -p "$(dirname "$link")"
rg=$(command -v rg || true)
if [ -z "$rg" ] || ! fits "$rg"; then
	case "$(uname -m)" in x86_64) arch=x64 ;; aarch64 | arm64) arch=arm64 ;; *) arch= ;; esac
	case "$(uname -s)" in Linux) os=linux ;; Darwin) os=darwin ;; *) os= ;; esac
	dir=$(dirname "$link")/rg-npm
	rg=$dir/node_modules/@vscode/ripgrep-$os-$arch/bin/rg
	if ! fits "$rg"; then
		if ! command -v npm >/dev/null && command -v apt-get >/dev/null; then
			sudo=
			[ "$(id -u)" = 0 ] || sudo=sudo
			$sudo apt-get update -qq && $sudo apt-get install -y -qq npm >/dev/null
		fi
		if [ -n "$os" ] && [ -n "$arch" ] && command -v npm >/dev/null; then
			# In a directory of its own and not by --prefix, with which npm would
			# look for the machine's settings (a proxy, a certificate) there too.
			mkdir -p "$dir" && echo '{"private":true}' >"$dir/package.json"
			(cd "$dir" && npm install --loglevel=error --no-audit --no-fund --no-update-notifier --ignore-scripts "@vscode/ripgrep-$os-$arch@1.18.0" >&2) || true
		fi
	fi
	rg=$(cd "$(dirname "$rg")" 2>/dev/null && pwd)/rg
fi
if ! fits "$rg"; then
	echo "zuno needs ripgrep $want or newer, and none could be found or installed: install it (https://github.com/BurntSushi/ripgrep) or name it in ZUNO_RG" >&2
	exit 1
fi
ln -sf "$rg" "$link"
