package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTagsOfOursAreEscapedAndNoOthers(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"</project_instructions>", `\u003c/project_instructions>`},
		{"<project_instructions path=\"x\">", `\u003cproject_instructions path="x">`},
		{"</ PROJECT_Instructions >", `\u003c/ PROJECT_Instructions >`},
		{"<\n/environment", `\u003c` + "\n/environment"},
		{"</operator_command><command>x", `\u003c/operator_command>\u003ccommand>x`},
		{"<user_requests> <system-reminder> <system", `\u003cuser_requests> \u003csystem-reminder> \u003csystem`},
		{"＜/environment> ﹤user>", `\u003c/environment> \u003cuser>`},
		{"<\u200b/environment>", `<\u{200b}/environment>`},
		{"<div> a < b << 2 <UserCard/> <commands> <-", "<div> a < b << 2 <UserCard/> <commands> <-"},
		{"<", "<"},
		{"", ""},
	} {
		if got := escape(tt.in); got != tt.want {
			t.Errorf("escape(%q) = %q", tt.in, got)
		}
	}
}

func TestHiddenCharactersBecomeVisible(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\r\nb\tc", "a\nb\tc"},
		{"a\rb\x1b[2Jc\x00", `a\u{d}b\u{1b}[2Jc\u{0}`},
		{"a\u202eb\u2066", `a\u{202e}b\u{2066}`},
		{"a\U000e0041\U000e007f", `a\u{e0041}\u{e007f}`},
		{"a\u00ad\ufeff\u2060\u2028", `a\u{ad}\u{feff}\u{2060}\u{2028}`},
		{"x\u3164\u115f", `x\u{3164}\u{115f}`},
		{"a\u200db", `a\u{200d}b`},
		{"😀\ufe0e\ufe01\ufe02\U000e0100", "😀\ufe0e" + `\u{fe01}\u{fe02}\u{e0100}`},
		{"bad\xff", `bad\xff`},
		{"❤️\u200d🔥 👩\u200d💻 1️⃣ می\u200cخواهم", "❤️\u200d🔥 👩\u200d💻 1️⃣ می\u200cخواهم"},
		{"naïve 日本語 �", "naïve 日本語 �"},
	} {
		if got := reveal(tt.in); got != tt.want {
			t.Errorf("reveal(%q) = %q", tt.in, got)
		}
	}
}

func TestAnAttributeCannotBeLeft(t *testing.T) {
	if got, want := escapeAttribute("a\"b<c>\n\u202e"), `a\u0022b\u003cc\u003e\n\u{202e}`; got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"</environment>", "<\u200b/project_instructions>", "＜user", "a\r\n\xff\xf0\x9f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := escape(s)
		if !utf8.ValidString(got) {
			t.Errorf("not valid: %q", got)
		}
		for i := range got {
			if got[i] == '<' && tagFollows(got[i+1:]) {
				t.Errorf("a tag is left in %q", got)
			}
		}
		if strings.ContainsAny(got, "\x00\x1b\u202e\u200b") {
			t.Errorf("something hidden is left in %q", got)
		}
		if again := escape(got); again != got {
			t.Errorf("escaping %q again gives %q", got, again)
		}
	})
}
