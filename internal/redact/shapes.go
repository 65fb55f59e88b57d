package redact

// A shape is what a kind of secret looks like, with examples that are one and
// texts that are none. The examples are made up.
type shape struct {
	name   string
	starts []string // each of at least two bytes
	inside bool     // it may begin in the middle of a word
	// match returns the range of the secret in s, which begins with a start of
	// n bytes; to is 0 when there is none.
	match    func(s string, n int) (from, to int)
	examples []string // "…" stands before and behind what is kept
	counter  []string
}

// shapes returns the table.
func shapes() []shape {
	return []shape{
		{
			name: "private key", starts: []string{"-----BEGIN "}, inside: true, match: pem,
			examples: []string{"-----BEGIN RSA PRIVATE KEY-----\nMIIEow0aBc+/=\n-----END RSA PRIVATE KEY-----", `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----`, "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n=aBcD\n-----END PGP PRIVATE KEY BLOCK-----"},
			counter:  []string{"-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"},
		},
		{
			name: "token", starts: []string{"eyJ"}, match: jwt,
			examples: []string{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"},
			counter:  []string{"eyJhbGciOiJIUzI1NiJ9", "eyJ.eyJ.x", "eyJhbGciOiJIUzI1NiJ9.notjson.signature"},
		},
		{
			name: "password in a URL", starts: []string{"://"}, inside: true, match: userinfo,
			examples: []string{"postgres://app:…s3cr3t-Pw…@db.example.com/x", "https://x-access-token:…0123abcd…@github.com/o/r.git"},
			counter:  []string{"http://localhost:8080/@scope/pkg", "https://git@github.com/o/r.git", "postgres://user:$PASSWORD@host/db", "https://user:${TOKEN}@host", "http://user:<password>@host", "redis://:@host"},
		},
		{
			name: "authorization", starts: []string{"Bearer ", "bearer ", "BEARER "}, match: after(tokenChars, 16, true),
			examples: []string{"Authorization: Bearer …abcdef0123456789.XYZ", "bearer …0123456789abcdef"},
			counter:  []string{"Bearer authentication-with-tokens", "bearer of bad news 2024", "Bearer $TOKEN", "Bearer {token}", "Bearer 12345"},
		},
		{
			name: "authorization", inside: true, match: after(tokenChars, 8, false),
			starts: []string{
				"uthorization: Basic ", "uthorization: basic ", "uthorization: token ", "uthorization: Token ",
				"UTHORIZATION: basic ", "UTHORIZATION: Basic ", "UTHORIZATION: BASIC ", "UTHORIZATION: token ", // as git config -l shows what CI sets
			},
			examples: []string{"Authorization: Basic …dXNlcjpwYXNz", "authorization: token …0123456789abcdef", "http.https://github.com/.extraheader=AUTHORIZATION: basic …eC1hY2Nlc3M6Z2hz"},
			counter:  []string{"Authorization: Basic <x>", "Basic understanding of things"},
		},
		{
			name: "API key", starts: []string{"x-api-key: ", "X-Api-Key: ", "X-API-Key: ", "X-API-KEY: ", "x-goog-api-key: "}, match: after(tokenChars, 16, true),
			examples: []string{"x-api-key: …abcdefghij0123456789"},
			counter:  []string{"x-api-key: your-key-goes-here-please", "x-api-key: $KEY"},
		},
		{
			name: "AWS secret", starts: []string{"aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "aws_secret_key", "secretAccessKey"}, match: assigned(base64Chars, 40, 40),
			examples: []string{"aws_secret_access_key = …wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", `{"SecretAccessKey": "…wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY…"}`},
			counter:  []string{"aws_secret_access_key = $X", "AWS_SECRET_ACCESS_KEY is not set, set it to go on please now"},
		},
		{
			name: "storage key", starts: []string{"AccountKey="}, match: after(base64Chars, 80, true),
			examples: []string{"AccountKey=…Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="},
			counter:  []string{"AccountKey=<key>"},
		},
		whole("AWS key ID", []string{"AKIA", "ASIA"}, upperChars, 16, 16, "AKIAIOSFODNN7EXAMPLE", "AKIAshort", "AKIAIOSFODNN7EXAMPLEANDMORE"),
		// Of these, what follows is long and has digits in it: class names of
		// pages begin alike.
		whole("API key", []string{"sk-"}, nameChars, 16, 0, "sk-ant-api03-aBcDeF0123456789_-x", "sk-estimator-html-doc-link-container", "sk-short1", "task-sk1234567890123456789", "disk-0123456789012345678"),
		whole("API key", []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, alnumChars, 16, 0, "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_test_key"),
		whole("GitHub token", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, alnumChars, 30, 0, "ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_xxx", "ghs_example_of_a_name"),
		whole("GitHub token", []string{"github_pat_"}, wordChars, 30, 0, "github_pat_11AAAAAAA0123456789_abcdefghijABCDEFGHIJ", "github_pat_name"),
		whole("GitLab token", []string{"glpat-", "gldt-", "glrt-", "glcbt-"}, nameChars, 20, 0, "glpat-0123456789abcdefghij", "glpat-x"),
		whole("Google API key", []string{"AIza"}, nameChars, 35, 0, "AIzaSyA0123456789abcdefghijABCDEFGHIJ012", "AIzaShort"),
		whole("Google token", []string{"ya29."}, nameChars, 20, 0, "ya29.a0AfH6SMBx0123456789abcdef", "ya29.x"),
		whole("Slack token", []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"}, nameChars, 20, 0, "xoxb-123456789012-abcdefABCDEF", "xoxb-token"),
		whole("Slack hook", []string{"hooks.slack.com/services/"}, pathChars, 24, 0, "hooks.slack.com/services/T00000000/B00000000/XXXX0123abcd", "hooks.slack.com/services/docs"),
		whole("npm token", []string{"npm_"}, alnumChars, 36, 0, "npm_0123456789abcdefghijABCDEFGHIJ012345", "npm_config_registry", "npm_lifecycle_event"),
		whole("PyPI token", []string{"pypi-"}, nameChars, 50, 0, "pypi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3ODlhYmNkZWZnaGlqQUJDREVGR0g", "pypi-publish-action"),
		whole("Hugging Face token", []string{"hf_"}, alnumChars, 30, 0, "hf_0123456789abcdefghijABCDEFGHIJ0123", "hf_transfer"),
		whole("SendGrid key", []string{"SG."}, dotChars, 60, 0, "SG.0123456789abcdefghij_-.0123456789abcdefghijABCDEFGHIJ0123456789abc", "SG.x"),
		whole("DigitalOcean token", []string{"dop_v1_", "doo_v1_", "dor_v1_"}, alnumChars, 60, 0, "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "dop_v1_x"),
		whole("Shopify token", []string{"shpat_", "shpss_", "shpca_"}, alnumChars, 32, 0, "shpat_0123456789abcdef0123456789abcdef", "shpat_x"),
		whole("API key", []string{"gsk_", "r8_", "glsa_", "lin_api_", "ntn_", "figd_", "rubygems_", "dckr_pat_", "sntrys_"}, nameChars, 32, 0, "gsk_0123456789abcdefghijABCDEFGHIJ0123", "gsk_x", "r8_register"),
		whole("API key", []string{"xai-", "pplx-", "nvapi-", "tvly-", "tskey-", "CFPAT-", "PMAK-"}, nameChars, 24, 0, "pplx-0123456789abcdefghijABCDEFGHIJ", "xai-team", "tskey-auth"),
		whole("Vault token", []string{"hvs.", "hvb."}, nameChars, 24, 0, "hvs.CAESI0123456789abcdefghij", "hvs.x"),
		whole("age key", []string{"AGE-SECRET-KEY-1"}, upperChars, 40, 0, "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQ0QQQQQQQQQQQQQQQQQ", "AGE-SECRET-KEY-1"),
	}
}

// whole is a secret with a start of its own and what follows: of chars, least
// to most bytes (0 for any number), with a digit among the first of them.
func whole(name string, starts []string, chars charset, least, most int, example string, counter ...string) shape {
	return shape{
		name: name, starts: starts, examples: []string{example}, counter: counter,
		match: func(s string, n int) (int, int) {
			e := chars.run(s, n)
			if e-n < least || most > 0 && e-n > most || !digit(s[n:e]) {
				return 0, 0
			}
			return 0, e
		},
	}
}
