package main

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PHP as a list of tokens: comments are gone, and a constant string is what it means and not how it is spelled.

type kind byte

const (
	html kind = iota
	text
	template // a string with variables in it
	variable // without its dollar
	word
	number
	sign
)

type token struct {
	kind kind
	text string
	line int
	// Whether a decoder made it.
	decoded bool
}

const mostTokens = 2_000_000

type lexer struct {
	source []byte
	at     int
	line   int
	tokens []token
}

// tokenize reads a whole file. Text outside of PHP is one token.
func tokenize(source []byte, isInside bool) []token {
	l := &lexer{source: source, line: 1}
	if !isInside {
		l.html()
	}
	for l.at < len(source) && len(l.tokens) < mostTokens {
		l.next()
	}
	return l.tokens
}

func (l *lexer) add(kind kind, text string, line int) {
	l.tokens = append(l.tokens, token{kind: kind, text: text, line: line})
}

func (l *lexer) skip(count int) {
	if l.at+count > len(l.source) {
		count = len(l.source) - l.at
	}
	l.line += bytes.Count(l.source[l.at:l.at+count], []byte{'\n'})
	l.at += count
}

// html takes everything up to where PHP begins.
func (l *lexer) html() {
	rest := l.source[l.at:]
	begin, length := len(rest), 0
	for from := 0; from < len(rest); {
		found := bytes.Index(rest[from:], []byte("<?"))
		if found < 0 {
			break
		}
		found += from
		switch tag := rest[found:]; {
		case len(tag) >= 5 && strings.EqualFold(string(tag[:5]), "<?php"):
			begin, length = found, 5
		case len(tag) >= 3 && tag[2] == '=':
			begin, length = found, 3
		case len(tag) >= 5 && strings.EqualFold(string(tag[:5]), "<?xml"):
			from = found + 2
			continue
		default:
			begin, length = found, 2
		}
		break
	}
	if begin > 0 {
		l.add(html, string(rest[:begin]), l.line)
	}
	l.skip(begin + length)
	if length == 3 {
		l.add(word, "echo", l.line)
	}
}

func (l *lexer) peek(offset int) byte {
	if l.at+offset < len(l.source) {
		return l.source[l.at+offset]
	}
	return 0
}

func (l *lexer) next() {
	switch c := l.peek(0); {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		l.skip(1)
	case c == '?' && l.peek(1) == '>':
		l.add(sign, ";", l.line)
		l.skip(2)
		l.html()
	case c == '#' && l.peek(1) != '[', c == '/' && l.peek(1) == '/':
		l.lineComment()
	case c == '/' && l.peek(1) == '*':
		end := bytes.Index(l.source[l.at+2:], []byte("*/"))
		if end < 0 {
			end = len(l.source)
		}
		l.skip(end + 4)
	case c == '\'':
		l.single()
	case c == '"' || c == '`':
		l.double(c)
	case c == '<' && bytes.HasPrefix(l.source[l.at:], []byte("<<<")):
		l.heredoc()
	case c == '$' && isWordStart(l.peek(1)):
		start := l.line
		l.skip(1)
		l.add(variable, l.word(), start)
	case isWordStart(c) || c == '\\' && isWordStart(l.peek(1)):
		l.name()
	case c >= '0' && c <= '9':
		l.number()
	default:
		l.add(sign, string(rune(c)), l.line)
		l.skip(1)
	}
}

func isWordStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isWordByte(c byte) bool { return isWordStart(c) || c >= '0' && c <= '9' }

func (l *lexer) word() string {
	begin := l.at
	for l.at < len(l.source) && isWordByte(l.source[l.at]) {
		l.at++
	}
	return string(l.source[begin:l.at])
}

// name is lower case and has no namespace before it where it is a global one.
func (l *lexer) name() {
	begin := l.at
	for l.at < len(l.source) && (isWordByte(l.source[l.at]) || l.source[l.at] == '\\') {
		l.at++
	}
	l.add(word, strings.ToLower(strings.TrimPrefix(string(l.source[begin:l.at]), "\\")), l.line)
}

func (l *lexer) number() {
	begin := l.at
	for l.at < len(l.source) && (isWordByte(l.source[l.at]) || l.source[l.at] == '.' && l.peek(1) >= '0' && l.peek(1) <= '9') {
		l.at++
	}
	l.add(number, string(l.source[begin:l.at]), l.line)
}

func (l *lexer) lineComment() {
	for l.at < len(l.source) && l.source[l.at] != '\n' {
		if l.source[l.at] == '?' && l.peek(1) == '>' {
			return
		}
		l.at++
	}
}

func (l *lexer) single() {
	start := l.line
	var out []byte
	at := l.at + 1
	for at < len(l.source) && l.source[at] != '\'' {
		if l.source[at] == '\\' && at+1 < len(l.source) && (l.source[at+1] == '\'' || l.source[at+1] == '\\') {
			at++
		}
		out = append(out, l.source[at])
		at++
	}
	l.skip(at + 1 - l.at)
	l.add(text, string(out), start)
}

func (l *lexer) double(quote byte) {
	start := l.line
	out, end, hasVariable := unescape(l.source, l.at+1, quote)
	l.skip(end + 1 - l.at)
	l.addTemplate(quote, out, start, hasVariable)
}

func (l *lexer) addTemplate(quote byte, out []byte, line int, hasVariable bool) {
	if quote == '`' {
		// Backticks are a call of the shell.
		l.add(word, "shell_exec", line)
		l.add(sign, "(", line)
	}
	if hasVariable {
		l.add(template, string(out), line)
	} else {
		l.add(text, string(out), line)
	}
	if quote == '`' {
		l.add(sign, ")", line)
	}
}

// unescape gives what is meant up to the quote, and where that is.
func unescape(source []byte, at int, quote byte) (out []byte, end int, hasVariable bool) {
	for at < len(source) && source[at] != quote {
		c := source[at]
		if c == '$' && at+1 < len(source) && (isWordStart(source[at+1]) || source[at+1] == '{') ||
			c == '{' && at+1 < len(source) && source[at+1] == '$' {
			hasVariable = true
		}
		if c != '\\' || at+1 >= len(source) {
			out = append(out, c)
			at++
			continue
		}
		var used int
		out, used = escaped(out, source[at+1:], quote)
		at += 1 + used
	}
	return out, at, hasVariable
}

var plainEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'f': '\f', 'e': 27, '\\': '\\', '$': '$'}

func escaped(out, rest []byte, quote byte) ([]byte, int) {
	c := rest[0]
	if plain, known := plainEscapes[c]; known {
		return append(out, plain), 1
	}
	if c == quote {
		return append(out, c), 1
	}
	if c == 'x' {
		if digits := leading(rest[1:], 2, isHex); digits > 0 {
			value, _ := strconv.ParseUint(string(rest[1:1+digits]), 16, 8)
			return append(out, byte(value)), 1 + digits
		}
	}
	if c == 'u' && len(rest) > 2 && rest[1] == '{' {
		digits := leading(rest[2:], 6, isHex)
		value, err := strconv.ParseUint(string(rest[2:2+digits]), 16, 32)
		if err == nil && len(rest) > 2+digits && rest[2+digits] == '}' {
			return utf8.AppendRune(out, rune(value)), 3 + digits
		}
	}
	if digits := leading(rest, 3, func(c byte) bool { return c >= '0' && c <= '7' }); digits > 0 {
		value, _ := strconv.ParseUint(string(rest[:digits]), 8, 16)
		return append(out, byte(value)), digits
	}
	return append(out, '\\', c), 1
}

func leading(bytes []byte, most int, fits func(byte) bool) int {
	count := 0
	for count < most && count < len(bytes) && fits(bytes[count]) {
		count++
	}
	return count
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (l *lexer) heredoc() {
	start := l.line
	at := l.at + 3
	for at < len(l.source) && (l.source[at] == ' ' || l.source[at] == '\t') {
		at++
	}
	quote := byte('"')
	if at < len(l.source) && (l.source[at] == '\'' || l.source[at] == '"') {
		quote = l.source[at]
		at++
	}
	begin := at
	for at < len(l.source) && isWordByte(l.source[at]) {
		at++
	}
	label := string(l.source[begin:at])
	lineEnd := bytes.IndexByte(l.source[at:], '\n')
	if label == "" || lineEnd < 0 {
		l.add(sign, "<", start)
		l.skip(1)
		return
	}
	body := at + lineEnd + 1
	end, after := heredocEnd(l.source, body, label)
	if quote == '\'' {
		l.add(text, string(l.source[body:end]), start)
	} else {
		out, _, hasVariable := unescape(l.source[:end], body, 0)
		l.addTemplate('"', out, start, hasVariable)
	}
	l.skip(after - l.at)
}

func heredocEnd(source []byte, from int, label string) (end, after int) {
	for at := from; at < len(source); {
		line := at
		for at < len(source) && (source[at] == ' ' || source[at] == '\t') {
			at++
		}
		if bytes.HasPrefix(source[at:], []byte(label)) && (at+len(label) >= len(source) || !isWordByte(source[at+len(label)])) {
			if line > from {
				return line - 1, at + len(label)
			}
			return line, at + len(label)
		}
		next := bytes.IndexByte(source[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return len(source), len(source)
}
