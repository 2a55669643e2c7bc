package main

import "strings"

// What variables are known to hold: a constant that is the only thing they are ever given.
type constants struct {
	// By the name of the variable, or `name[key]` of an element.
	texts map[string]string
	// What is appended, in order.
	pieces map[string][]string
	lists  map[string][]string
	// Constants of PHP itself: `define('NAME', …)` and `const NAME = …`.
	named map[string]string
	// Those that are given something else, too.
	isOther map[string]bool
}

func constantsOf(tokens []token) constants {
	c := constants{texts: map[string]string{}, pieces: map[string][]string{}, lists: map[string][]string{}, named: map[string]string{}, isOther: map[string]bool{}}
	changing := takingReferences(tokens)
	for at := 0; at+2 < len(tokens); at++ {
		switch {
		case tokens[at].kind == word && (tokens[at].text == "function" || changing[tokens[at].text] && is(tokens, at+1, "(")):
			c.skipParameters(tokens, at)
		case isWord(tokens, at, "define") && is(tokens, at+1, "(") && kindAt(tokens, at+2) == text && is(tokens, at+3, ",") && kindAt(tokens, at+4) == text && is(tokens, at+5, ")"):
			c.named[strings.ToLower(tokens[at+2].text)] = tokens[at+4].text
		case isWord(tokens, at, "const") && kindAt(tokens, at+1) == word && is(tokens, at+2, "=") && kindAt(tokens, at+3) == text && is(tokens, at+4, ";"):
			c.named[tokens[at+1].text] = tokens[at+3].text
		case tokens[at].kind == variable && !is(tokens, at-1, "$"):
			c.take(tokens, at)
		}
	}
	for name, pieces := range c.pieces {
		c.texts[name] = joinedPieces(c.texts[name], pieces)
	}
	for name := range c.isOther {
		delete(c.texts, name)
		delete(c.lists, name)
	}
	return c
}

// takingReferences names the functions of this file that can change what they are handed.
func takingReferences(tokens []token) map[string]bool {
	found := map[string]bool{}
	for at := 0; at+4 < len(tokens); at++ {
		if !isWord(tokens, at, "function") || kindAt(tokens, at+1) != word || !is(tokens, at+2, "(") {
			continue
		}
		for end := at + 3; end < len(tokens) && end < at+longestParameters && !is(tokens, end, ")"); end++ {
			if is(tokens, end, "&") && kindAt(tokens, end+1) == variable {
				found[tokens[at+1].text] = true
			}
		}
	}
	return found
}

const longestParameters = 200

// What a function is given is not what a variable of the same name holds elsewhere.
func (c constants) skipParameters(tokens []token, at int) {
	for end := at + 1; end < len(tokens) && end < at+longestParameters && !is(tokens, end, ")"); end++ {
		if tokens[end].kind == variable {
			c.isOther[tokens[end].text] = true
		}
	}
}

func (c constants) take(tokens []token, at int) {
	name, next := elementAt(tokens, at)
	switch {
	case is(tokens, next, "=") && !is(tokens, next+1, "=") && !is(tokens, next+1, ">"):
		c.give(tokens, name, next+1, false)
	case is(tokens, next, ".") && is(tokens, next+1, "="):
		c.give(tokens, name, next+2, true)
	case is(tokens, next, "+") && is(tokens, next+1, "+"), is(tokens, next, "-") && is(tokens, next+1, "-"):
		c.isOther[name] = true
	}
}

// elementAt names the variable, or the element of it, and says where it ends.
func elementAt(tokens []token, at int) (string, int) {
	name := tokens[at].text
	if is(tokens, at+1, "[") && (kindAt(tokens, at+2) == text || kindAt(tokens, at+2) == number) && is(tokens, at+3, "]") {
		return name + "[" + tokens[at+2].text + "]", at + 4
	}
	return name, at + 1
}

func (c constants) give(tokens []token, name string, at int, isMore bool) {
	if list, end := listAt(tokens, at); list != nil && is(tokens, end, ";") && !isMore && c.lists[name] == nil {
		c.lists[name] = list
		return
	}
	before, isKnown := c.texts[name]
	switch {
	case kindAt(tokens, at) != text || !is(tokens, at+1, ";"):
		c.isOther[name] = true
	case isMore:
		c.pieces[name] = append(c.pieces[name], tokens[at].text)
	case isKnown && before != tokens[at].text:
		c.isOther[name] = true
	default:
		c.texts[name] = tokens[at].text
	}
}

func joinedPieces(first string, pieces []string) string {
	var whole strings.Builder
	whole.WriteString(first)
	for _, each := range pieces {
		if whole.Len() < mostDecodedBytes {
			whole.WriteString(each)
		}
	}
	return whole.String()
}

// listAt reads `array('a', 1)` or `['a', 1]` without keys.
func listAt(tokens []token, at int) ([]string, int) {
	close := "]"
	switch {
	case is(tokens, at, "["):
		at++
	case kindAt(tokens, at) == word && tokens[at].text == "array" && is(tokens, at+1, "("):
		at += 2
		close = ")"
	case isWord(tokens, at, "explode") && is(tokens, at+1, "("):
		return explodedAt(tokens, at)
	default:
		return nil, at
	}
	list := []string{}
	for ; at < len(tokens) && !is(tokens, at, close); at++ {
		kind := tokens[at].kind
		if kind != text && kind != number || len(list) >= mostArguments {
			return nil, at
		}
		list = append(list, tokens[at].text)
		if is(tokens, at+1, ",") {
			at++
		} else if !is(tokens, at+1, close) {
			return nil, at
		}
	}
	return list, at + 1
}

// explodedAt reads `explode('.', 'a.b')`.
func explodedAt(tokens []token, at int) ([]string, int) {
	if kindAt(tokens, at+2) != text || !is(tokens, at+3, ",") || kindAt(tokens, at+4) != text || !is(tokens, at+5, ")") || tokens[at+2].text == "" {
		return nil, at
	}
	return strings.SplitN(tokens[at+4].text, tokens[at+2].text, mostArguments), at + 6
}

// foldTemplate puts what variables hold into a string with variables in it.
func foldTemplate(from token, known constants) (token, int) {
	isWhole, hasNew := true, false
	made := inTemplate.ReplaceAllStringFunc(from.text, func(found string) string {
		value, isKnown := known.texts[strings.TrimLeft(found, "${")]
		if !isKnown || len(value) > longestName {
			isWhole = false
			return found
		}
		hasNew = true
		return value
	})
	if !hasNew || len(made) > mostDecodedBytes {
		return token{}, 0
	}
	if isWhole {
		return token{kind: text, text: made, line: from.line, decoded: true}, 1
	}
	return token{kind: template, text: made, line: from.line}, 1
}

// What is put into strings is short: names, and not whole pages.
const longestName = 4096

// foldVariable puts what a variable holds in its place, where that can be run.
func foldVariable(tokens []token, at int, known constants) (token, int) {
	current := tokens[at]
	if current.text == "GLOBALS" && is(tokens, at+1, "[") && kindAt(tokens, at+2) == text && is(tokens, at+3, "]") && isName(tokens[at+2].text) {
		return token{kind: variable, text: tokens[at+2].text, line: current.line}, 4
	}
	if current.text == "GLOBALS" && is(tokens, at+1, "[") && kindAt(tokens, at+2) == variable && is(tokens, at+3, "]") && isName(known.texts[tokens[at+2].text]) {
		return token{kind: variable, text: known.texts[tokens[at+2].text], line: current.line}, 4
	}
	name, next := elementAt(tokens, at)
	if value, used := elementOf(tokens, at, known); used > 0 {
		name, next = "", at+used
		return placed(tokens, at, next, value)
	}
	value, isKnown := known.texts[name]
	isGiven := is(tokens, next, "=") && !is(tokens, next+1, "=") || is(tokens, next, ".") && is(tokens, next+1, "=")
	if !isKnown || isGiven {
		return token{}, 0
	}
	return placed(tokens, at, next, value)
}

// elementOf is one sign of a constant string, or an element of a constant list.
func elementOf(tokens []token, at int, known constants) (string, int) {
	isIndex := (is(tokens, at+1, "[") || is(tokens, at+1, "{")) && kindAt(tokens, at+2) == number
	if !isIndex {
		return "", 0
	}
	name := tokens[at].text
	index, isNumber := numberOf(tokens[at+2].text)
	if list := known.lists[name]; isNumber && index >= 0 && index < len(list) {
		return list[index], 4
	}
	if value, isKnown := known.texts[name]; isKnown && isNumber && index >= 0 && index < len(value) {
		return value[index : index+1], 4
	}
	return "", 0
}

func placed(tokens []token, at, next int, value string) (token, int) {
	line := tokens[at].line
	isElement := next > at+1
	isArgument := (is(tokens, at-1, "(") || is(tokens, at-1, ",")) && (is(tokens, next, ",") || is(tokens, next, ")")) && value != ""
	switch {
	case is(tokens, next, "(") && isName(value):
		return token{kind: word, text: strings.ToLower(value), line: line}, next - at
	case is(tokens, at-1, "."), is(tokens, next, "."), isArgument, isElement:
		return token{kind: text, text: value, line: line, decoded: isElement}, next - at
	}
	return token{}, 0
}
