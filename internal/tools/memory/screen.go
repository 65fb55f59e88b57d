package memory

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/zuno-dev/zuno/internal/tools"
)

// screen refuses a text that holds a likely secret or that tries to take over
// the model, and returns what a person should be warned of. Hidden says that
// some of it cannot be seen. No reason quotes the text: what is refused is not
// repeated.
func screen(text string) (hidden bool, warnings []string, err error) {
	plain, tagged := unmask(text)
	hidden = tools.Clean(text) != text || tagged != ""
	for _, s := range []string{text, plain, tagged} {
		if what := Secret(s); what != "" {
			return hidden, nil, tools.Refuse(tools.Denied, "it looks like it holds %s, and secrets are not remembered. Say where the secret is kept instead of what it is", what)
		}
	}
	for _, s := range []string{plain, tagged} {
		for _, r := range disguises() {
			if !r.pattern.MatchString(s) {
				continue
			}
			if r.refuse {
				return hidden, nil, tools.Refuse(tools.Denied, "%s: that is an instruction in disguise and no memory. If the user wants it so, they can say it themselves", r.what)
			}
			warnings = append(warnings, r.what)
		}
	}
	if hidden {
		warnings = append(warnings, "it holds characters that cannot be seen; they are written out below, and would stand so")
	}
	if tagged != "" {
		warnings = append(warnings, "what it hides in them reads: "+tools.CleanLine(tools.Clip(tagged, 200)))
	}
	return hidden, warnings, nil
}

// unmask returns text as a model may read it, without what cannot be seen and
// with full-width letters as plain ones, and what its tag characters spell.
func unmask(text string) (plain, tagged string) {
	var b, t strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xe0020 && r <= 0xe007e:
			t.WriteRune(r - 0xe0000)
		case r >= 0xff01 && r <= 0xff5e:
			b.WriteRune(r - 0xff01 + '!')
		case r == '\n' || r == '\t' || r == ' ':
			b.WriteRune(r)
		case r == 0xa0 || r == 0x3000 || r >= 0x2000 && r <= 0x200a:
			b.WriteByte(' ')
		case r == 0xad || r == 0x200c || r == 0x200d || r == 0x034f || tools.Clean(string(r)) != string(r) || r == utf8.RuneError:
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), t.String()
}

// A disguise is a way in which text pretends to be more than something to know.
type disguise struct {
	what    string
	refuse  bool // nothing that is worth remembering is written so
	pattern *regexp.Regexp
}

// disguises is the table. The first ones are refused; the others have honest
// uses, and a person decides.
func disguises() []disguise {
	return []disguise{
		{"it tells the model to leave its instructions", true, regexp.MustCompile(
			`(?i)\b(ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(previous|prior|above|earlier|preceding|system|safety)\b[^.\n]{0,30}\b(instructions?|rules?|prompts?|guidelines?|restrictions?|messages?)\b`)},
		{"it tells the model to leave its instructions", true, regexp.MustCompile(
			`(?i)\b(ignore|disregard|forget)\s+(all\s+)?(of\s+)?(the|these|those|your|any|all)?\s*(instructions|prompts|guidelines)\b`)},
		{"it tells the model to keep something from the user", true, regexp.MustCompile(
			`(?i)\b(do not|don't|never|without)\s+(tell(ing)?|inform(ing)?|notify(ing)?|alert(ing)?|mention(ing)?|show(ing)?)\b[^.\n]{0,20}\bthe (user|human|person|operator)\b`)},
		{"it asks for the instructions that the model was given", true, regexp.MustCompile(
			`(?i)\b(reveal|print|repeat|output|leak|disclose)\b[^.\n]{0,20}\b(system prompt|hidden instructions)\b`)},

		{"it speaks as somebody else", false, regexp.MustCompile(
			`(?im)(^|[\s>"'\]])(user|human|system|assistant|developer|operator)\s*:`)},
		{"it speaks as somebody else", false, regexp.MustCompile(
			`(?i)<\|?/?\s*(im_start|im_end|user|human|system|assistant|developer)\b`)},
		{"it allows something in advance; only the policy, rules and cards do that", false, regexp.MustCompile(
			`(?i)\b(approve|allow|accept|permit|authori[sz]e|confirm)\b\s+(of\s+)?(all|any|every|everything|anything)\b`)},
		{"it tells the model not to ask", false, regexp.MustCompile(
			`(?i)\b(without (asking|approval|permission|confirmation|a card)|(do not|don't|never) ask\b|no (approval|permission|confirmation) (is )?(needed|required))`)},
		{"it gives the model another role", false, regexp.MustCompile(
			`(?i)\b(you are now|from now on,? you|act as if|pretend (to be|that)|new instructions?|developer mode|jailbreak)\b`)},
		{"it has something from the network run", false, regexp.MustCompile(
			`(?i)\b(curl|wget)\b[^\n]*\|\s*(ba|z|da|fi)?sh\b`)},
	}
}
