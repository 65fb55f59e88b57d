# slug turns a title into the last part of a web address: small letters and
# digits, with one dash for whatever stands between them.
slug() {
	printf '%s' "$1" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9' '-'
}
