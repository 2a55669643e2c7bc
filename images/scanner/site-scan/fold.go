package main

import (
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

func is(tokens []token, at int, text string) bool {
	return at >= 0 && at < len(tokens) && tokens[at].kind == sign && tokens[at].text == text
}

func kindAt(tokens []token, at int) kind {
	if at < 0 || at >= len(tokens) {
		return html
	}
	return tokens[at].kind
}

func foldOnce(tokens []token, known constants, left *int) ([]token, bool) {
	out := make([]token, 0, len(tokens))
	changed := false
	for at := 0; at < len(tokens); {
		made, used := joinedAt(tokens, at)
		if used == 0 {
			made, used = foldAt(tokens, at, known, left)
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
	if tokens[at].kind != text {
		return token{}, 0
	}
	var whole strings.Builder
	made := tokens[at]
	whole.WriteString(made.text)
	end := at + 1
	for is(tokens, end, ".") && isPiece(tokens, end+1) && !is(tokens, end+2, "[") && !is(tokens, end+2, "{") {
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

// isPiece: a string, or a number that becomes one.
func isPiece(tokens []token, at int) bool {
	return kindAt(tokens, at) == text || kindAt(tokens, at) == number && !strings.Contains(tokens[at].text, ".")
}

// foldAt says what stands for the tokens from here on, and how many they are.
func foldAt(tokens []token, at int, known constants, left *int) (token, int) {
	current := tokens[at]
	switch {
	case is(tokens, at, "(") && isPiece(tokens, at+1) && is(tokens, at+2, ")") && !isCall(tokens, at):
		return tokens[at+1], 3
	case current.kind == number:
		return foldNumbers(tokens, at)
	case is(tokens, at, "~") && kindAt(tokens, at+1) == text:
		return token{kind: text, text: exclusive(tokens[at+1].text, strings.Repeat("\xff", len(tokens[at+1].text))), line: current.line, decoded: true}, 2
	case current.kind == text && (is(tokens, at+1, "[") || is(tokens, at+1, "{")) && kindAt(tokens, at+2) == number:
		return indexed(current, tokens[at+2], at)
	case current.kind == text && is(tokens, at+1, "^") && kindAt(tokens, at+2) == text:
		return token{kind: text, text: exclusive(current.text, tokens[at+2].text), line: current.line, decoded: true}, 3
	case current.kind == text && (is(tokens, at+1, "|") || is(tokens, at+1, "&")) && kindAt(tokens, at+2) == text:
		return token{kind: text, text: combined(current.text, tokens[at+1].text, tokens[at+2].text), line: current.line, decoded: true}, 3
	case is(tokens, at, "$"):
		return foldDollar(tokens, at, known)
	case current.kind == variable:
		return foldVariable(tokens, at, known)
	case current.kind == template:
		return foldTemplate(current, known)
	case current.kind == word && known.named[current.text] != "" && isOneOf(tokens, at-1, "(,.=[@") && isOneOf(tokens, at+1, "),.;]"):
		return token{kind: text, text: known.named[current.text], line: current.line}, 1
	case current.kind == text && is(tokens, at+1, "(") && isName(current.text) && !isAfterQuote(tokens, at):
		return token{kind: word, text: strings.ToLower(strings.TrimPrefix(current.text, "\\")), line: current.line}, 1
	case current.kind == word && is(tokens, at+1, "("):
		return foldCall(tokens, at, known, left)
	case current.kind == word && runsAnything[current.text] && (is(tokens, at-1, "(") || is(tokens, at-1, ",")) && (is(tokens, at+1, ",") || is(tokens, at+1, ")")):
		// A name without quotes means itself.
		return token{kind: text, text: current.text, line: current.line}, 1
	}
	return token{}, 0
}

var runsAnything = set("assert system passthru shell_exec exec popen eval create_function")

// foldNumbers works out two numbers with a sign between them.
func foldNumbers(tokens []token, at int) (token, int) {
	if kindAt(tokens, at+1) != sign || kindAt(tokens, at+2) != number {
		return token{}, 0
	}
	begins := "(,[=.?:"
	if bindsCloser := strings.Contains("*/%", tokens[at+1].text); bindsCloser {
		begins += "+-"
	}
	a, isA := numberOf(tokens[at].text)
	b, isB := numberOf(tokens[at+2].text)
	if !isA || !isB || !isOneOf(tokens, at-1, begins) || !isOneOf(tokens, at+3, ",.)];:?+-") {
		return token{}, 0
	}
	made, ok := calculated(a, tokens[at+1].text, b)
	if !ok {
		return token{}, 0
	}
	return token{kind: number, text: strconv.Itoa(made), line: tokens[at].line}, 3
}

func isOneOf(tokens []token, at int, signs string) bool {
	return at >= 0 && at < len(tokens) && tokens[at].kind == sign && strings.Contains(signs, tokens[at].text)
}

func numberOf(text string) (int, bool) {
	value, err := strconv.ParseInt(text, 0, 32)
	return int(value), err == nil
}

func calculated(a int, operator string, b int) (int, bool) {
	switch operator {
	case "+":
		return a + b, true
	case "-":
		return a - b, a >= b
	case "*":
		return a * b, true
	case "^":
		return a ^ b, true
	case "/", "%":
		if b == 0 || operator == "/" && a%b != 0 {
			return 0, false
		}
		if operator == "/" {
			return a / b, true
		}
		return a % b, true
	}
	return 0, false
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
func foldDollar(tokens []token, at int, known constants) (token, int) {
	if is(tokens, at+1, "{") && (kindAt(tokens, at+2) == text || kindAt(tokens, at+2) == word) && is(tokens, at+3, "}") {
		return token{kind: variable, text: tokens[at+2].text, line: tokens[at].line}, 4
	}
	if is(tokens, at+1, "{") && kindAt(tokens, at+2) == variable && is(tokens, at+3, "}") {
		if name, isKnown := known.texts[tokens[at+2].text]; isKnown && isName(name) {
			return token{kind: variable, text: name, line: tokens[at].line}, 4
		}
	}
	if kindAt(tokens, at+1) == variable {
		if name, isKnown := known.texts[tokens[at+1].text]; isKnown && isName(name) {
			return token{kind: variable, text: name, line: tokens[at].line}, 2
		}
	}
	return token{}, 0
}
