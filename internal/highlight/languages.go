package highlight

import "strings"

// A language is what a Scanner knows of one.
type language struct {
	// names are what fences and file names call it; what follows are its words, all
	// with a blank between them.
	names, keywords, types, values string
	marks                          []mark
	key                            string // what follows a word at the start of a line, or a string, that names a value
	anyCase                        bool   // capital and small letters are alike in words
	capitals                       bool   // a word with a capital first is a type
	dashes                         bool   // a dash can be within a word
	markup                         bool   // words are within tags
	diff                           bool   // the first character of a line says it all

	learnt map[string]Kind
}

// A mark begins a comment or a string, and ends it.
type mark struct {
	from, to string // to is "" for the end of the line
	kind     Kind
	spans    bool // it goes on on the next line
	raw      bool // a backslash is one
	apart    bool // only at the start of a line or behind a blank
	first    bool // only at the start of a line
	short    bool // it is one character
}

func toEnd(from string) mark { return mark{from: from, kind: Comment} }

func hash() mark { return mark{from: "#", kind: Comment, apart: true} }

func comment(from, to string) mark {
	return mark{from: from, to: to, kind: Comment, spans: true, raw: true}
}

func quoted(q string) mark { return mark{from: q, to: q, kind: String} }

// long is a string that goes over lines.
func long(q string) mark { return mark{from: q, to: q, kind: String, spans: true} }

func raw(m mark) mark {
	m.raw = true
	return m
}

func char() mark { return mark{from: "'", to: "'", kind: String, short: true} }

// inC are the marks of the languages that look like C.
func inC(more ...mark) []mark {
	return append([]mark{toEnd("//"), comment("/*", "*/")}, append(more, quoted(`"`))...)
}

func inScript(more ...mark) []mark {
	return append([]mark{hash()}, append(more, quoted(`"`), quoted("'"))...)
}

// learn reads the words, once.
func (l *language) learn() {
	if l.learnt != nil {
		return
	}
	l.learnt = map[string]Kind{}
	for _, list := range []struct {
		words string
		kind  Kind
	}{{l.keywords, Keyword}, {l.types, Type}, {l.values, Number}} {
		for _, w := range strings.Fields(list.words) {
			l.learnt[w] = list.kind
		}
	}
}

// Words that several of the languages have.
const (
	flow    = "if else for while do switch case default break continue return "
	classes = "class interface extends implements new this super public private protected static abstract final import package try catch finally throw throws instanceof enum "
	cTypes  = "void char short int long float double unsigned signed bool size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t wchar_t "
	scripts = flow + "const let var function class extends new this super import export from as async await yield try catch finally throw typeof instanceof in of delete void static get set debugger with "
	nothing = "true false null "
)

// languages are those that answers have code in most.
func languages() []*language {
	return append(append(compiled(), scripted()...), data()...)
}

func compiled() []*language {
	return []*language{
		{
			names: "go golang", marks: inC(raw(long("`")), char()),
			keywords: "import package break case chan const continue default defer else fallthrough for func go goto if interface map range return select struct switch type var",
			types:    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
			values:   "true false iota nil",
		},
		{
			names: "c h", marks: inC(char(), mark{from: "#", to: " ", kind: Keyword, first: true}),
			keywords: flow + "goto sizeof typedef struct union enum const static extern volatile register inline restrict", types: cTypes + "FILE", values: "NULL true false",
		},
		{
			names: "cpp c++ cc cxx hpp hh arduino cuda", marks: inC(char(), mark{from: "#", to: " ", kind: Keyword, first: true}),
			keywords: flow + "goto sizeof typedef struct union enum const static extern volatile inline class namespace using template typename public private protected virtual override final new delete try catch throw constexpr noexcept operator friend this auto mutable explicit concept requires co_await co_return co_yield static_cast dynamic_cast",
			types:    cTypes + "string vector map set unique_ptr shared_ptr", values: "nullptr NULL true false",
		},
		{
			names: "rust rs", marks: inC(char(), raw(mark{from: `r#"`, to: `"#`, kind: String, spans: true})), capitals: true,
			keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self static struct super trait type unsafe use where while",
			types:    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self", values: "true false",
		},
		{
			names: "java", marks: inC(long(`"""`), char()), capitals: true, types: "void boolean byte char short int long float double var", values: nothing,
			keywords: flow + classes + "synchronized volatile transient native record sealed permits yield assert",
		},
		{
			names: "kotlin kt kts", marks: inC(raw(long(`"""`)), char()), capitals: true, values: nothing,
			keywords: flow + classes + "fun val var object companion data sealed when is in as by init override open internal lateinit suspend inline reified typealias operator infix constructor where out",
		},
		{
			names: "scala sc", marks: inC(raw(long(`"""`)), char()), capitals: true, values: nothing,
			keywords: flow + classes + "def val var object trait with match yield implicit lazy override sealed given using then end extension type",
		},
		{
			names: "csharp cs c#", marks: inC(long(`"""`), char()), capitals: true, types: "void bool byte char short int long float double decimal string object var dynamic uint ulong", values: nothing,
			keywords: flow + classes + "namespace using struct delegate event readonly ref out in is as async await yield get set init record override virtual sealed internal partial where when foreach lock params base const typeof nameof operator",
		},
		{
			names: "swift", marks: inC(long(`"""`)), capitals: true, values: "true false nil",
			keywords: flow + "func let var class struct enum protocol extension import guard in is as self Self super init deinit throw throws try catch rethrows async await public private fileprivate internal open static final override mutating inout where repeat defer typealias associatedtype some any actor weak unowned lazy",
		},
		{
			names: "zig", marks: append(inC(char()), toEnd(`\\`)), types: "bool void u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 type anytype comptime_int anyerror noreturn", values: "true false null undefined",
			keywords: "const var fn pub return if else while for switch break continue defer errdefer try catch orelse struct enum union error comptime inline export extern test unreachable and or usingnamespace packed threadlocal async await suspend resume",
		},
		{
			names: "dart", marks: inC(long(`"""`), long("'''"), quoted("'")), capitals: true, values: nothing, types: "void int double num bool dynamic var",
			keywords: flow + classes + "final const late required async await yield mixin on with part library export factory get set operator typedef is as in covariant external",
		},
	}
}

func scripted() []*language {
	return []*language{
		{names: "javascript js jsx mjs cjs node", marks: inC(long("`"), quoted("'")), keywords: scripts, values: nothing + "undefined NaN Infinity"},
		{
			names: "typescript ts tsx mts cts", marks: inC(long("`"), quoted("'")), capitals: true, values: nothing + "undefined NaN Infinity",
			keywords: scripts + "interface type enum namespace implements declare abstract readonly public private protected keyof infer is satisfies override",
			types:    "string number boolean any unknown never object symbol bigint",
		},
		{
			names: "python py python3 pyi", marks: inScript(long(`"""`), long("'''")), values: "True False None", types: "int str float bool bytes list dict set tuple object type",
			keywords: "and as assert async await break class continue def del elif else except finally for from global if import in is lambda match case nonlocal not or pass raise return try while with yield self",
		},
		{
			names: "ruby rb rake gemfile", marks: inScript(comment("=begin", "=end")), capitals: true, values: "true false nil",
			keywords: "alias and begin break case class def defined? do else elsif end ensure for if in module next not or redo rescue retry return self super then undef unless until when while yield require require_relative include extend attr_reader attr_accessor raise private",
		},
		{
			names: "bash sh shell zsh fish ksh", marks: []mark{hash(), long(`"`), raw(long("'"))}, dashes: true,
			keywords: "if then elif else fi for while until do done case esac in function return break continue exit local export readonly declare set unset shift trap source eval exec",
		},
		{
			names: "perl pl pm", marks: inScript(), keywords: flow + "my our local sub use no package require elsif unless until foreach last next redo and or not eq ne lt gt le ge x die warn print",
		},
		{
			names: "php", marks: inC(hash(), quoted("'")), anyCase: true, types: "int string bool float array object mixed void callable iterable", values: nothing,
			keywords: flow + classes + "function fn use namespace echo print require require_once include include_once foreach as elseif endif endforeach endwhile const var global match readonly trait yield unset isset empty and or",
		},
		{
			names: "lua", marks: []mark{comment("--[[", "]]"), toEnd("--"), raw(mark{from: "[[", to: "]]", kind: String, spans: true}), quoted(`"`), quoted("'")}, values: "true false nil",
			keywords: "and break do else elseif end for function goto if in local not or repeat return then until while",
		},
		{
			names: "elixir ex exs", marks: inScript(long(`"""`)), capitals: true, values: "true false nil",
			keywords: "def defp defmodule defmacro defstruct do end case cond if else unless fn when with for in and or not import alias require use raise rescue try receive after",
		},
		{
			names: "haskell hs", marks: []mark{toEnd("--"), comment("{-", "-}"), quoted(`"`), char()}, capitals: true,
			keywords: "module import where let in case of if then else do data type newtype class instance deriving qualified as hiding infixl infixr forall",
		},
		{
			names: "sql mysql postgresql postgres psql sqlite plsql", marks: []mark{toEnd("--"), comment("/*", "*/"), raw(quoted("'")), raw(quoted(`"`))}, anyCase: true, values: nothing,
			types:    "int integer bigint smallint text varchar char boolean date timestamp timestamptz numeric decimal real float double serial bigserial uuid json jsonb blob bytea",
			keywords: "select from where and or not in is as on join left right inner outer full cross group by order having limit offset insert into values update set delete create alter drop table index view trigger function procedure returns return begin end commit rollback transaction primary key foreign references unique constraint default check union all distinct exists between like case when then else with recursive returning conflict do nothing add column if grant revoke using asc desc over partition explain analyze pragma declare",
		},
	}
}

func data() []*language {
	return []*language{
		{names: "diff patch udiff", diff: true},
		{names: "json jsonc json5 jsonl", marks: inC(), key: ":", values: nothing},
		{names: "yaml yml", marks: inScript(), key: ":", dashes: true, values: nothing + "yes no on off"},
		{names: "toml", marks: inScript(long(`"""`), long("'''")), key: "=", dashes: true, values: "true false"},
		{names: "ini cfg conf properties editorconfig env dotenv", marks: append(inScript(), mark{from: ";", kind: Comment, first: true}), key: "=", dashes: true, values: "true false"},
		{
			names: "hcl terraform tf", marks: inC(hash()), key: "=", values: nothing,
			keywords: "resource data variable output module provider terraform locals for in if dynamic",
		},
		{names: "css scss sass less", marks: inC(quoted("'")), key: ":", dashes: true},
		{names: "html xml svg htm xhtml vue svelte plist", marks: []mark{comment("<!--", "-->"), raw(quoted(`"`)), raw(quoted("'"))}, markup: true},
		{
			names: "dockerfile docker containerfile", marks: inScript(), anyCase: true, dashes: true,
			keywords: "from run cmd label expose env add copy entrypoint volume user workdir arg onbuild stopsignal healthcheck shell as",
		},
		{names: "makefile make mk", marks: inScript(), key: ":", dashes: true, keywords: "ifeq ifneq ifdef ifndef else endif include define endef export override"},
		{
			names: "protobuf proto", marks: inC(quoted("'")), values: "true false", types: "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 bool string bytes",
			keywords: "syntax package import option message enum service rpc returns repeated optional required oneof map reserved extend stream",
		},
		{
			names: "graphql gql", marks: inScript(long(`"""`)), capitals: true, values: nothing,
			keywords: "query mutation subscription fragment on type input enum interface union scalar schema extend implements directive",
		},
		{
			names: "nix", marks: []mark{hash(), comment("/*", "*/"), raw(mark{from: "''", to: "''", kind: String, spans: true}), long(`"`)}, dashes: true, values: nothing,
			keywords: "let in with rec inherit if then else assert import",
		},
	}
}
