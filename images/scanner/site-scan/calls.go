package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	htmltext "html"
	"io"
	"math/big"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Calls of functions that only compute, with constants.

func foldCall(tokens []token, at int, known constants, left *int) (token, int) {
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
	if made, used := foldArguments(tokens, at, known); used > 0 {
		return made, used
	}
	decode, isDecoder := decoders[name]
	if !isDecoder || kindAt(tokens, at+2) != text || !is(tokens, at+3, ")") || *left <= 0 {
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
func foldArguments(tokens []token, at int, known constants) (token, int) {
	work, isCombiner := combiners[tokens[at].text]
	if !isCombiner {
		return token{}, 0
	}
	arguments, end := constantsUpTo(tokens, at+2, known)
	if end < 0 {
		return token{}, 0
	}
	if isJoin := tokens[at].text == "implode" || tokens[at].text == "join"; isJoin && isList(tokens, at+2) {
		arguments = append([]string{""}, arguments...)
	}
	if isPairs := (tokens[at].text == "str_replace" || tokens[at].text == "str_ireplace") && countLists(tokens[at+2:end]) == 2; isPairs {
		work = replacePairs
	}
	made, ok := work(arguments)
	if !ok || len(made) > mostDecodedBytes || end >= len(tokens) {
		return token{}, 0
	}
	// What is only put together is not hidden.
	isPlain := tokens[at].text == "sprintf" && !strings.Contains(arguments[0], "%c")
	return token{kind: text, text: made, line: tokens[at].line, decoded: !isPlain}, end + 1 - at
}

// constantsUpTo takes all constants up to the bracket that ends the call, those of lists as well; -1 where something else is among them.
func constantsUpTo(tokens []token, at int, known constants) ([]string, int) {
	found := []string{}
	lists := 0
	for end := at; end < len(tokens) && len(found) <= mostArguments; end++ {
		switch each := tokens[end]; {
		case each.kind == number && is(tokens, end-1, "-"):
			found = append(found, "-"+each.text)
		case each.kind == text || each.kind == number:
			found = append(found, each.text)
		case each.kind == variable && known.lists[each.text] != nil:
			found = append(found, known.lists[each.text]...)
		case isWord(tokens, end, "array") && is(tokens, end+1, "("):
			lists++
			end++
		case is(tokens, end, ")") && lists > 0:
			lists--
		case is(tokens, end, ")"):
			return found, end
		case !is(tokens, end, ",") && !is(tokens, end, "-") && !is(tokens, end, "[") && !is(tokens, end, "]"):
			return nil, -1
		}
	}
	return nil, -1
}

// isList: what stands here is a list, and not a string.
func isList(tokens []token, at int) bool {
	return is(tokens, at, "[") || kindAt(tokens, at) == variable || kindAt(tokens, at) == word && tokens[at].text == "array"
}

// countLists: how many lists are written out among these arguments.
func countLists(tokens []token) int {
	count := 0
	for at := range tokens {
		if is(tokens, at, "[") || isWord(tokens, at, "array") && is(tokens, at+1, "(") {
			count++
		}
	}
	return count
}

// replacePairs: `str_replace(array('1', '2'), array('sys', 'tem'), '12')`.
func replacePairs(from []string) (string, bool) {
	pairs := len(from) / 2
	if len(from)%2 == 0 || pairs == 0 {
		return "", false
	}
	subject := from[len(from)-1]
	for at := 0; at < pairs && len(subject) <= mostDecodedBytes; at++ {
		if from[at] != "" {
			subject = strings.ReplaceAll(subject, from[at], from[pairs+at])
		}
	}
	return subject, len(subject) <= mostDecodedBytes
}

var combiners = map[string]func([]string) (string, bool){
	"str_replace":  replaceAll,
	"str_ireplace": replaceAll,
	"implode":      func(from []string) (string, bool) { return joined(from) },
	"join":         func(from []string) (string, bool) { return joined(from) },
	"strtr":        translated,
	"pack":         packed,
	"sprintf":      formatted,
	"base_convert": converted,
	"array_map": func(from []string) (string, bool) {
		if len(from) < 2 || from[0] != "chr" {
			return "", false
		}
		return packed(append([]string{"C*"}, from[1:]...))
	},
	"substr":         part,
	"mb_substr":      part,
	"substr_replace": replacedAt,
	"trim":           trimmed(strings.Trim),
	"ltrim":          trimmed(strings.TrimLeft),
	"rtrim":          trimmed(strings.TrimRight),
	"preg_replace":   replacedPattern,
}

func part(from []string) (string, bool) {
	if len(from) < 2 || len(from) > 3 {
		return "", false
	}
	begin, err := strconv.Atoi(from[1])
	if begin < 0 {
		begin += len(from[0])
	}
	if err != nil || begin < 0 || begin > len(from[0]) {
		return "", false
	}
	rest := from[0][begin:]
	if len(from) == 3 {
		length, err := strconv.Atoi(from[2])
		if length < 0 {
			length += len(rest)
		}
		if err != nil || length < 0 || length > len(rest) {
			return rest, err == nil
		}
		rest = rest[:length]
	}
	return rest, true
}

// replacedAt: `substr_replace('asxx', 'sert', 2)`, up to the end or a number of characters.
func replacedAt(from []string) (string, bool) {
	if len(from) < 3 || len(from) > 4 {
		return "", false
	}
	begin, isNumber := numberOf(from[2])
	if !isNumber || begin < 0 || begin > len(from[0]) {
		return "", false
	}
	end := len(from[0])
	if len(from) == 4 {
		length, isLength := numberOf(from[3])
		if !isLength || length < 0 {
			return "", false
		}
		if begin+length < end {
			end = begin + length
		}
	}
	return from[0][:begin] + from[1] + from[0][end:], true
}

func trimmed(trim func(string, string) string) func([]string) (string, bool) {
	return func(from []string) (string, bool) {
		if len(from) != 2 || strings.Contains(from[1], "..") {
			return "", false
		}
		return trim(from[0], from[1]), true
	}
}

const longestPattern = 200

// replacedPattern: `preg_replace('/[^a-z]/', ”, 'a1s2s3')`.
func replacedPattern(from []string) (string, bool) {
	if len(from) != 3 || len(from[0]) < 3 || len(from[0]) > longestPattern || strings.ContainsAny(from[1], `$\`) {
		return "", false
	}
	end := strings.LastIndexByte(from[0], from[0][0])
	flags := from[0][end+1:]
	if end < 1 || strings.Trim(flags, "ims") != "" {
		return "", false
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	pattern, err := regexp.Compile(flags + from[0][1:end])
	if err != nil {
		return "", false
	}
	return pattern.ReplaceAllString(from[2], from[1]), true
}

func translated(from []string) (string, bool) {
	if len(from) != 3 {
		return "", false
	}
	made := []byte(from[0])
	for at, each := range made {
		if found := strings.LastIndexByte(from[1], each); found >= 0 && found < len(from[2]) {
			made[at] = from[2][found]
		}
	}
	return string(made), true
}

func packed(from []string) (string, bool) {
	if len(from) < 2 || !strings.HasPrefix(strings.ToUpper(from[0]), "C") {
		return "", false
	}
	made := make([]byte, 0, len(from)-1)
	for _, each := range from[1:] {
		code, isNumber := numberOf(each)
		if !isNumber {
			return "", false
		}
		made = append(made, byte(code))
	}
	return string(made), true
}

// formatted knows strings, and characters by their codes; anything else is not worked out.
func formatted(from []string) (string, bool) {
	if len(from) < 2 {
		return "", false
	}
	var made strings.Builder
	rest, next := from[0], 1
	for {
		before, after, isMore := strings.Cut(rest, "%")
		made.WriteString(before)
		if !isMore {
			return made.String(), true
		}
		if after == "" || next >= len(from) {
			return "", false
		}
		switch after[0] {
		case 's':
			made.WriteString(from[next])
		case 'c':
			code, isNumber := numberOf(from[next])
			if !isNumber {
				return "", false
			}
			made.WriteByte(byte(code))
		default:
			return "", false
		}
		rest, next = after[1:], next+1
	}
}

func converted(from []string) (string, bool) {
	if len(from) != 3 {
		return "", false
	}
	old, isOld := numberOf(from[1])
	next, isNext := numberOf(from[2])
	value := new(big.Int)
	if !isOld || !isNext || old < 2 || old > 36 || next < 2 || next > 36 || len(from[0]) > 64 {
		return "", false
	}
	if _, ok := value.SetString(strings.ToLower(from[0]), old); !ok {
		return "", false
	}
	return value.Text(next), true
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
	"urldecode":               unescapeUrl(url.QueryUnescape),
	"rawurldecode":            unescapeUrl(url.PathUnescape),
	"gzinflate":               inflate(func(from io.Reader) (io.Reader, error) { return flate.NewReader(from), nil }),
	"gzuncompress":            inflate(func(from io.Reader) (io.Reader, error) { return zlib.NewReader(from) }),
	"gzdecode":                inflate(func(from io.Reader) (io.Reader, error) { return gzip.NewReader(from) }),
	"convert_uudecode":        uudecoded,
	"html_entity_decode":      func(from string) (string, bool) { return htmltext.UnescapeString(from), true },
	"htmlspecialchars_decode": func(from string) (string, bool) { return htmltext.UnescapeString(from), true },
	"quoted_printable_decode": func(from string) (string, bool) {
		made, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(from)))
		return string(made), err == nil
	},
	"stripcslashes": func(from string) (string, bool) {
		made, _, _ := unescape([]byte(from), 0, 0)
		return string(made), true
	},
	"ucfirst":       firstUp,
	"ucwords":       firstUp,
	"strtoupper":    func(from string) (string, bool) { return strings.ToUpper(from), true },
	"lcfirst":       func(from string) (string, bool) { return from, true },
	"strval":        func(from string) (string, bool) { return from, true },
	"rtrim":         func(from string) (string, bool) { return strings.TrimSpace(from), true },
	"ltrim":         func(from string) (string, bool) { return strings.TrimSpace(from), true },
	"trim":          func(from string) (string, bool) { return strings.TrimSpace(from), true },
	"mb_strtoupper": func(from string) (string, bool) { return strings.ToUpper(from), true },
	"mb_strtolower": func(from string) (string, bool) { return strings.ToLower(from), true },
	"strip_tags":    func(from string) (string, bool) { return tags.ReplaceAllString(from, ""), true },
	"basename":      func(from string) (string, bool) { return from[strings.LastIndexByte(from, '/')+1:], true },
	"strtolower":    func(from string) (string, bool) { return strings.ToLower(from), true },
	"stripslashes":  func(from string) (string, bool) { return strings.ReplaceAll(from, "\\", ""), true },
}

var tags = regexp.MustCompile(`<[^>]{0,200}>`)

func firstUp(from string) (string, bool) {
	if from == "" {
		return "", false
	}
	return strings.ToUpper(from[:1]) + from[1:], true
}

func uudecoded(from string) (string, bool) {
	made := []byte{}
	for _, line := range strings.Split(from, "\n") {
		if line == "" {
			continue
		}
		length := int(line[0]-32) & 63
		chunk := []byte{}
		for at := 1; at+3 < len(line); at += 4 {
			a, b, c, d := (line[at]-32)&63, (line[at+1]-32)&63, (line[at+2]-32)&63, (line[at+3]-32)&63
			chunk = append(chunk, a<<2|b>>4, b<<4|c>>2, c<<6|d)
		}
		if length < len(chunk) {
			chunk = chunk[:length]
		}
		made = append(made, chunk...)
	}
	return string(made), len(made) > 0
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

// combined is what PHP makes of two strings with | or & between them.
func combined(a, operator, b string) string {
	if len(b) < len(a) {
		a, b = b, a
	}
	made := []byte(a)
	for at := range made {
		if operator == "&" {
			made[at] &= b[at]
		} else {
			made[at] |= b[at]
		}
	}
	if operator == "|" {
		made = append(made, b[len(a):]...)
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
