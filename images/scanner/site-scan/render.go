package main

import (
	"bytes"
	"regexp"
	"strings"
)

// The plain form of a file: one spelling for everything, a line for each line of the original.

const (
	longestText = 120
	mostLayers  = 24
	deepest     = 6
)

// Code, and where in the file it comes from.
type layer struct {
	code []byte
	// Of the whole of it, when it was hidden in a string; 0 when its lines are those of the file.
	line int
	// Which rules look at it.
	on []string
}

// plainForms gives the file itself, and all code that is hidden in its strings.
func plainForms(source []byte) []layer {
	forms := []layer{}
	if scriptTag.Match(source) {
		source = scriptTag.ReplaceAll(source, []byte("<?php "))
		source = bytes.ReplaceAll(source, []byte("</script>"), []byte("?>"))
	}
	isInside := !bytes.Contains(source, []byte("<?")) && startsAsCode.Match(source)
	add(&forms, source, isInside, 0, 0)
	return forms
}

// Code without a tag, to be pasted or to be included as a part.
var startsAsCode = regexp.MustCompile(`^\x{feff}?\s{0,40}(\$\w{1,40}\s{0,4}[=\[(]|@?(eval|assert|system|if|error_reporting|set_time_limit|function \w+)\s{0,4}\()`)

var scriptTag = regexp.MustCompile(`(?i)<script[^>\n]{0,40}language\s*=\s*["']?php["']?[^>\n]{0,40}>`)

func add(forms *[]layer, source []byte, isInside bool, line, depth int) {
	if depth > deepest || len(*forms) >= mostLayers {
		return
	}
	tokens := fold(tokenize(source, isInside))
	*forms = append(*forms, layer{render(followInput(tokens)), line, rulesAt(depth)})
	if old := oldVariables(tokens); len(old) > 0 && !isInside {
		*forms = append(*forms, layer{render(followInput(tokens, old...)), line, []string{"old"}})
	}
	for at, each := range tokens {
		if each.kind != text || !hidesCode(tokens, at) {
			continue
		}
		from := line
		if from == 0 {
			from = each.line
		}
		hidden, isCode := insideOf(each.text)
		add(forms, hidden, isCode, from, depth+1)
	}
}

// What is hidden in a string has rules of its own, too.
func rulesAt(depth int) []string {
	if depth == 0 {
		return []string{"code"}
	}
	return []string{"code", "hidden"}
}

var looksLikeCode = regexp.MustCompile(`<\?php|\$\w+\s*[=\[(;]|\w\s*\(.*\)\s*;|(?i)eval\s*\(`)

const shortestCode = 8

// hidesCode: what a decoder made and looks like code, and what is run as code.
func hidesCode(tokens []token, at int) bool {
	each := tokens[at]
	if len(each.text) < shortestCode {
		return false
	}
	if each.decoded {
		return looksLikeCode.MatchString(each.text)
	}
	return is(tokens, at-1, "(") && kindAt(tokens, at-2) == word && runsText[tokens[at-2].text] ||
		is(tokens, at+1, ")") && hasBefore(tokens, at, "create_function") ||
		is(tokens, at-1, ",") && hasBefore(tokens, at, "preg_replace") && runsMatch.MatchString(tokens[at-2].text)
}

var runsMatch = regexp.MustCompile(`[^\w\s][imsxuADSUXJ]*e[imsxuADSUXJ]*$`)

var runsText = set("eval assert")

func hasBefore(tokens []token, at int, name string) bool {
	return kindAt(tokens, at-4) == word && tokens[at-4].text == name
}

func insideOf(text string) ([]byte, bool) {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "?>") {
		return []byte(trimmed[2:]), false
	}
	return []byte(text), !strings.Contains(text, "<?php")
}

func render(f *flow) []byte {
	var out bytes.Buffer
	line := 1
	out.WriteByte(';')
	for at, each := range f.tokens {
		// A statement stays on one line, however many it has in the file: rules look for what stands side by side.
		for ; line < each.line && isStart(f.tokens, at); line++ {
			out.WriteByte('\n')
		}
		switch each.kind {
		case html:
			// Rules on pages look at the file itself.
			out.WriteString(" HTML; ")
		case text:
			renderText(&out, each)
		case template:
			renderTemplate(&out, f, at)
		case variable:
			renderVariable(&out, f, at)
		case sign:
			out.WriteString(each.text)
		default:
			if isAfterMark(f.tokens, at) {
				out.WriteByte(' ')
			}
			if f.givesInput(at) || each.kind == word && (f.isConstant(at) || f.isSourceCall(at)) {
				out.WriteString("$_INPUT.")
			}
			out.WriteByte(' ')
			out.WriteString(each.text)
		}
	}
	return out.Bytes()
}

// givesInput: a call of a function of this file that returns input.
func (f *flow) givesInput(at int) bool {
	each := f.tokens[at]
	return each.kind == word && is(f.tokens, at+1, "(") && f.returns[each.text] && !isWord(f.tokens, at-1, "function") && !isWord(f.tokens, at-2, "function") &&
		!isWord(f.tokens, at-1, "new") && !is(f.tokens, at-1, ">") && !is(f.tokens, at-1, ":")
}

// isAfterMark: after `case 1:`, `? … :` and `=>`, which are no `::` and no `->`. Rules tell calls of methods by the sign before.
func isAfterMark(tokens []token, at int) bool {
	return is(tokens, at-1, ":") && !is(tokens, at-2, ":") || is(tokens, at-1, ">") && !is(tokens, at-2, "-")
}

// A string is not code: nothing in it may look like a call or a variable.
var inert = strings.NewReplacer("(", "<", "$", "~", "'", "`", "\n", " ", "\r", " ", "\x00", " ")

func renderText(out *bytes.Buffer, each token) {
	if each.decoded {
		out.WriteString("DECODED")
	}
	shown := each.text
	if len(shown) > longestText {
		shown = shown[:longestText]
	}
	out.WriteByte('\'')
	inert.WriteString(out, shown)
	out.WriteByte('\'')
}

var inTemplate = regexp.MustCompile(`\$\{?(\w+)`)

const mostInTemplate = 50

// Of a string with variables only these matter.
func renderTemplate(out *bytes.Buffer, f *flow, at int) {
	out.WriteByte('"')
	for _, found := range inTemplate.FindAllStringSubmatch(f.tokens[at].text, mostInTemplate) {
		writeVariable(out, found[1], f.holds[f.scopes[at]][found[1]])
		out.WriteByte(' ')
	}
	out.WriteByte('"')
}

func renderVariable(out *bytes.Buffer, f *flow, at int) {
	isInput := f.holdsInput(at) || f.isHeader(at) || f.isGlobal(at) ||
		at+3 < len(f.tokens) && f.isProperty(at+3)
	writeVariable(out, f.tokens[at].text, isInput)
}

func writeVariable(out *bytes.Buffer, name string, isInput bool) {
	if requestArrays[name] || isInput {
		name = "_INPUT"
	}
	out.WriteByte('$')
	out.WriteString(name)
}
