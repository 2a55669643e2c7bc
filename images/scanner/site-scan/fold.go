package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// Folding works out what is constant: pieces of strings become one, and decoders of constants become what they give.

const (
	foldRounds       = 24
	mostDecodedBytes = 4 << 20
)

// fold may shrink the list many times over; each round is linear, and there are few.
func fold(tokens []token) []token {
	left := mostDecodedBytes
	for round := 0; round < foldRounds; round++ {
		folded, changed := foldOnce(tokens, constantsOf(tokens), &left)
		tokens = folded
		if !changed {
			break
		}
	}
	return tokens
}

// constantsOf lists variables that are given a constant string, and only one.
func constantsOf(tokens []token) map[string]string {
	found := map[string]string{}
	isOther := map[string]bool{}
	for at := 0; at+2 < len(tokens); at++ {
		if tokens[at].kind != variable || !is(tokens, at+1, "=") || is(tokens, at+2, "=") || is(tokens, at+2, ">") {
			continue
		}
		name := tokens[at].text
		value := tokens[at+2]
		_, isKnown := found[name]
		if value.kind != text || !is(tokens, at+3, ";") || isKnown && found[name] != value.text {
			isOther[name] = true
			continue
		}
		found[name] = value.text
	}
	for name := range isOther {
		delete(found, name)
	}
	return found
}

func is(tokens []token, at int, text string) bool {
	return at >= 0 && at < len(tokens) && tokens[at].kind == sign && tokens[at].text == text
}

func kindAt(tokens []token, at int) kind {
	if at < 0 || at >= len(tokens) {
		return html
	}
	return tokens[at].kind
}

func foldOnce(tokens []token, constants map[string]string, left *int) ([]token, bool) {
	out := make([]token, 0, len(tokens))
	changed := false
	for at := 0; at < len(tokens); {
		made, used := joinedAt(tokens, at)
		if used == 0 {
			made, used = foldAt(tokens, at, constants, left)
		}
		if used == 0 {
			out = append(out, tokens[at])
			at++
			continue
		}
		out = append(out, made)
		at += used
		changed = true
	}
	return out, changed
}

// joinedAt makes one string of all that follow each other with a dot between them.
func joinedAt(tokens []token, at int) (token, int) {
	if tokens[at].kind != text || !is(tokens, at+1, ".") || kindAt(tokens, at+2) != text {
		return token{}, 0
	}
	var whole strings.Builder
	made := tokens[at]
	whole.WriteString(made.text)
	end := at + 1
	for is(tokens, end, ".") && kindAt(tokens, end+1) == text && !is(tokens, end+2, "[") && !is(tokens, end+2, "{") {
		whole.WriteString(tokens[end+1].text)
		made.decoded = made.decoded || tokens[end+1].decoded
		end += 2
	}
	if end == at+1 {
		return token{}, 0
	}
	made.text = whole.String()
	return made, end - at
}

// foldAt says what stands for the tokens from here on, and how many they are.
func foldAt(tokens []token, at int, constants map[string]string, left *int) (token, int) {
	current := tokens[at]
	switch {
	case is(tokens, at, "(") && kindAt(tokens, at+1) == text && is(tokens, at+2, ")") && !isCall(tokens, at):
		return tokens[at+1], 3
	case current.kind == text && (is(tokens, at+1, "[") || is(tokens, at+1, "{")) && kindAt(tokens, at+2) == number:
		return indexed(current, tokens[at+2], at)
	case current.kind == text && is(tokens, at+1, "^") && kindAt(tokens, at+2) == text:
		return token{kind: text, text: exclusive(current.text, tokens[at+2].text), line: current.line, decoded: true}, 3
	case is(tokens, at, "$"):
		return foldDollar(tokens, at, constants)
	case current.kind == variable:
		return foldVariable(tokens, at, constants)
	case current.kind == text && is(tokens, at+1, "(") && isName(current.text) && !isAfterQuote(tokens, at):
		return token{kind: word, text: strings.ToLower(strings.TrimPrefix(current.text, "\\")), line: current.line}, 1
	case current.kind == word && is(tokens, at+1, "("):
		return foldCall(tokens, at, left)
	}
	return token{}, 0
}

// A string before a bracket is called only where a value can stand.
func isAfterQuote(tokens []token, at int) bool {
	before := kindAt(tokens, at-1)
	return at > 0 && (before == text || before == variable)
}

func isCall(tokens []token, at int) bool {
	before := kindAt(tokens, at-1)
	return at > 0 && (before == word || before == variable || before == text || is(tokens, at-1, ")") || is(tokens, at-1, "]") || is(tokens, at-1, "}"))
}

func isName(text string) bool {
	if text == "" || len(text) > 64 || !isWordStart(text[0]) && text[0] != '\\' {
		return false
	}
	for at := 1; at < len(text); at++ {
		if !isWordByte(text[at]) && text[at] != '\\' && text[at] != ':' {
			return false
		}
	}
	return true
}

func indexed(from token, index token, _ int) (token, int) {
	at, err := strconv.Atoi(index.text)
	if err != nil || at < 0 || at >= len(from.text) {
		return token{}, 0
	}
	return token{kind: text, text: from.text[at : at+1], line: from.line, decoded: true}, 4
}

// foldDollar finds the variable that `${'name'}` and `$$name` stand for.
func foldDollar(tokens []token, at int, constants map[string]string) (token, int) {
	if is(tokens, at+1, "{") && kindAt(tokens, at+2) == text && is(tokens, at+3, "}") {
		return token{kind: variable, text: tokens[at+2].text, line: tokens[at].line}, 4
	}
	if kindAt(tokens, at+1) == variable {
		if name, isKnown := constants[tokens[at+1].text]; isKnown && isName(name) {
			return token{kind: variable, text: name, line: tokens[at].line}, 2
		}
	}
	return token{}, 0
}

func foldVariable(tokens []token, at int, constants map[string]string) (token, int) {
	value, isKnown := constants[tokens[at].text]
	if !isKnown || is(tokens, at+1, "=") && !is(tokens, at+2, "=") {
		return token{}, 0
	}
	line := tokens[at].line
	isIndex := (is(tokens, at+1, "[") || is(tokens, at+1, "{")) && kindAt(tokens, at+2) == number
	switch {
	case isIndex:
		return indexed(token{kind: text, text: value, line: line}, tokens[at+2], at)
	case is(tokens, at+1, "(") && isName(value):
		return token{kind: word, text: strings.ToLower(value), line: line}, 1
	case is(tokens, at-1, ".") || is(tokens, at+1, ".") || is(tokens, at-1, "(") && is(tokens, at+1, ")"):
		return token{kind: text, text: value, line: line}, 1
	}
	return token{}, 0
}

func foldCall(tokens []token, at int, left *int) (token, int) {
	name := tokens[at].text
	if name == "chr" && kindAt(tokens, at+2) == number && is(tokens, at+3, ")") {
		code, err := strconv.ParseInt(tokens[at+2].text, 0, 32)
		if err != nil {
			return token{}, 0
		}
		return token{kind: text, text: string([]byte{byte(code)}), line: tokens[at].line, decoded: true}, 4
	}
	if kindAt(tokens, at+2) == text && name == "pack" && is(tokens, at+3, ",") && kindAt(tokens, at+4) == text && is(tokens, at+5, ")") {
		made, err := hex.DecodeString(tokens[at+4].text)
		if err == nil && strings.HasPrefix(tokens[at+2].text, "H") {
			return token{kind: text, text: string(made), line: tokens[at].line, decoded: true}, 6
		}
	}
	if made, used := foldArguments(tokens, at); used > 0 {
		return made, used
	}
	decode, known := decoders[name]
	if !known || kindAt(tokens, at+2) != text || !is(tokens, at+3, ")") || *left <= 0 {
		return token{}, 0
	}
	made, ok := decode(tokens[at+2].text)
	*left -= len(made)
	if !ok {
		return token{}, 0
	}
	return token{kind: text, text: made, line: tokens[at].line, decoded: true}, 4
}

const mostArguments = 2000

// foldArguments works out calls with several constants.
func foldArguments(tokens []token, at int) (token, int) {
	work, known := combiners[tokens[at].text]
	if !known {
		return token{}, 0
	}
	arguments := []string{}
	end := at + 2
	for ; end < len(tokens) && !is(tokens, end, ")"); end++ {
		switch each := tokens[end]; {
		case each.kind == text || each.kind == number:
			arguments = append(arguments, each.text)
		case is(tokens, end, ","), is(tokens, end, "-"), is(tokens, end, "["), is(tokens, end, "]"), each.kind == word && each.text == "array" && is(tokens, end+1, "("):
			if each.kind == word {
				end++
			}
		default:
			return token{}, 0
		}
		if len(arguments) > mostArguments {
			return token{}, 0
		}
	}
	if is(tokens, end, ")") && is(tokens, end+1, ")") && countOpen(tokens[at+1:end]) > 1 {
		end++
	}
	made, ok := work(arguments)
	if !ok || len(made) > mostDecodedBytes || end >= len(tokens) {
		return token{}, 0
	}
	return token{kind: text, text: made, line: tokens[at].line, decoded: true}, end + 1 - at
}

func countOpen(tokens []token) int {
	count := 0
	for at := range tokens {
		if is(tokens, at, "(") {
			count++
		}
	}
	return count
}

var combiners = map[string]func([]string) (string, bool){
	"str_replace":  replaceAll,
	"str_ireplace": replaceAll,
	"implode":      func(from []string) (string, bool) { return joined(from) },
	"join":         func(from []string) (string, bool) { return joined(from) },
	"substr": func(from []string) (string, bool) {
		if len(from) < 2 || len(from) > 3 {
			return "", false
		}
		begin, err := strconv.Atoi(from[1])
		if err != nil || begin < 0 || begin > len(from[0]) {
			return "", false
		}
		rest := from[0][begin:]
		if len(from) == 3 {
			length, err := strconv.Atoi(from[2])
			if err != nil || length < 0 || length > len(rest) {
				return rest, err == nil
			}
			rest = rest[:length]
		}
		return rest, true
	},
}

func replaceAll(from []string) (string, bool) {
	if len(from) < 3 || from[0] == "" {
		return "", false
	}
	subject, with := from[len(from)-1], from[len(from)-2]
	for _, wanted := range from[:len(from)-2] {
		if wanted != "" {
			subject = strings.ReplaceAll(subject, wanted, with)
		}
	}
	return subject, len(subject) <= mostDecodedBytes
}

func joined(from []string) (string, bool) {
	if len(from) < 2 {
		return "", false
	}
	return strings.Join(from[1:], from[0]), true
}

var decoders = map[string]func(string) (string, bool){
	"base64_decode": func(from string) (string, bool) {
		plain := strings.Map(func(c rune) rune {
			if c < 128 && (isWordByte(byte(c)) && c != '_' || c == '+' || c == '/') {
				return c
			}
			return -1
		}, from)
		made, err := base64.RawStdEncoding.DecodeString(plain[:len(plain)/4*4+keep(len(plain)%4)])
		return string(made), err == nil
	},
	"str_rot13": func(from string) (string, bool) { return strings.Map(rot13, from), true },
	"strrev": func(from string) (string, bool) {
		made := []byte(from)
		for a, b := 0, len(made)-1; a < b; a, b = a+1, b-1 {
			made[a], made[b] = made[b], made[a]
		}
		return string(made), true
	},
	"hex2bin": func(from string) (string, bool) {
		made, err := hex.DecodeString(from)
		return string(made), err == nil
	},
	"urldecode":    unescapeUrl(url.QueryUnescape),
	"rawurldecode": unescapeUrl(url.PathUnescape),
	"gzinflate":    inflate(func(from io.Reader) (io.Reader, error) { return flate.NewReader(from), nil }),
	"gzuncompress": inflate(func(from io.Reader) (io.Reader, error) { return zlib.NewReader(from) }),
	"gzdecode":     inflate(func(from io.Reader) (io.Reader, error) { return gzip.NewReader(from) }),
	"trim":         func(from string) (string, bool) { return strings.TrimSpace(from), true },
	"strtolower":   func(from string) (string, bool) { return strings.ToLower(from), true },
	"stripslashes": func(from string) (string, bool) { return strings.ReplaceAll(from, "\\", ""), true },
}

func exclusive(a, b string) string {
	if len(b) < len(a) {
		a, b = b, a
	}
	made := make([]byte, len(a))
	for at := range made {
		made[at] = a[at] ^ b[at]
	}
	return string(made)
}

func keep(rest int) int {
	if rest == 1 {
		return 0
	}
	return rest
}

func rot13(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+13)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+13)%26
	}
	return c
}

func unescapeUrl(decode func(string) (string, error)) func(string) (string, bool) {
	return func(from string) (string, bool) {
		made, err := decode(from)
		return made, err == nil
	}
}

func inflate(open func(io.Reader) (io.Reader, error)) func(string) (string, bool) {
	return func(from string) (string, bool) {
		reader, err := open(strings.NewReader(from))
		if err != nil {
			return "", false
		}
		var made bytes.Buffer
		// What ends early still shows what it was up to.
		io.Copy(&made, io.LimitReader(reader, mostDecodedBytes))
		return made.String(), made.Len() > 0
	}
}
