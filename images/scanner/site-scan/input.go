package main

import (
	"regexp"
	"strings"
)

// Which variables hold what a visitor sent. Rules then see `$_INPUT` in their place, however often it was renamed.

const inputRounds = 4

// Functions that hand on what they are given; the result of any other counts as checked.
var passing = set(`isset empty trim rtrim ltrim stripslashes stripcslashes base64_decode urldecode rawurldecode str_rot13 strrev
	gzinflate gzuncompress gzdecode hex2bin implode join substr str_replace file_get_contents stream_get_contents fopen
	array_shift array_pop array_values array_merge array_filter current end reset next key wp_unslash html_entity_decode
	htmlspecialchars_decode json_decode unserialize strval sprintf array explode pack convert_uudecode openssl_decrypt
	chr ord xor_this decrypt decode getenv strtr iconv mb_convert_encoding split preg_split str_split ereg_replace eregi_replace
	str_ireplace array_reverse array_slice array_keys strtolower strtoupper ucfirst lcfirst mcrypt_decrypt array_combine
	utf8_decode nl2br addslashes get_magic_quotes_gpc function_exists is_array is_string strlen count ini_get array_key_exists
	extension_loaded hexdec realpath urlencode rawurlencode mb_substr iconv_substr strstr stristr strrchr ucwords str_pad vsprintf
	array_flip array_unique array_chunk prev substr_replace convert_cyr_string quoted_printable_decode file strtok parse_url
	fread fgets fgetc gzread stream_get_line`)

// Functions that say what someone elsewhere sends.
var sources = set("getallheaders apache_request_headers socket_read filter_input_array")

var requestArrays = set("_GET _POST _REQUEST _COOKIE _FILES HTTP_RAW_POST_DATA HTTP_POST_VARS HTTP_GET_VARS HTTP_COOKIE_VARS HTTP_POST_FILES")

func set(words string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.Fields(words) {
		found[word] = true
	}
	return found
}

type function struct {
	name       string
	parameters []string
	// Where its variables are: those of a function without a name are taken for those around it.
	scope int
}

type flow struct {
	tokens []token
	// By token: the function that it is in, 0 for none.
	scopes    []int
	functions []function
	byName    map[string]int
	// By variable: the function without a name that it holds.
	closures map[string]int
	// By function: variables that hold input.
	holds []map[string]bool
	// The class of this file, where it has exactly one.
	onlyClass string
	// Functions that return it.
	returns map[string]bool
	// Variables that hold the name of what a visitor sent, as in foreach (array('_GET', '_POST') as $name).
	names map[string]bool
	// Variables that are another name for $_SERVER, and constants of this file that hold input.
	servers, constants map[string]bool
	// Properties of objects that hold it.
	properties map[string]bool
	// By function: whether input becomes variables of any name.
	open    []bool
	changed bool
	// How many tokens may still be looked at: a file can be made to take forever.
	left int
}

const mostSteps = 30_000_000

// followInput finds what holds input: what a visitor sends, and these variables.
func followInput(tokens []token, given ...string) *flow {
	f := &flow{tokens: tokens, scopes: make([]int, len(tokens)), functions: []function{{}}, byName: map[string]int{}, closures: map[string]int{}, returns: map[string]bool{}, names: map[string]bool{}, servers: map[string]bool{"_SERVER": true}, constants: map[string]bool{}, properties: map[string]bool{}, left: mostSteps}
	f.findFunctions()
	for range f.functions {
		f.holds = append(f.holds, map[string]bool{})
	}
	f.open = make([]bool, len(f.functions))
	for _, name := range given {
		f.mark(0, name)
	}
	for round := 0; round < inputRounds; round++ {
		f.changed = false
		f.pass()
		f.takeUnset()
		if !f.changed {
			break
		}
	}
	return f
}

// takeUnset: where a visitor can set any variable, those that are never set hold input.
func (f *flow) takeUnset() {
	isSet := make([]map[string]bool, len(f.functions))
	for scope := range isSet {
		isSet[scope] = map[string]bool{"this": true, "GLOBALS": true, "_SERVER": true, "_SESSION": true, "_ENV": true}
	}
	for at, each := range f.tokens {
		if each.kind == variable && (is(f.tokens, at+1, "=") && !is(f.tokens, at+2, "=") || is(f.tokens, at-1, "&")) {
			isSet[f.scopes[at]][each.text] = true
		}
	}
	for at, each := range f.tokens {
		if scope := f.scopes[at]; each.kind == variable && f.open[scope] && !isSet[scope][each.text] {
			f.mark(scope, each.text)
		}
	}
}

func (f *flow) findFunctions() {
	type open struct{ scope, depth int }
	stack := []open{{0, 0}}
	depth := 0
	pending := -1
	classes := 0
	for at, each := range f.tokens {
		if isWord(f.tokens, at, "class") && kindAt(f.tokens, at+1) == word {
			f.onlyClass = f.tokens[at+1].text
			classes++
		}
		switch {
		case each.kind == word && each.text == "function" && kindAt(f.tokens, at+1) == word && is(f.tokens, at+2, "("):
			pending = f.addFunction(at+1, f.tokens[at+1].text)
		case each.kind == word && each.text == "function" && is(f.tokens, at+1, "&") && kindAt(f.tokens, at+2) == word && is(f.tokens, at+3, "("):
			pending = f.addFunction(at+2, f.tokens[at+2].text)
		case each.kind == word && each.text == "function" && is(f.tokens, at+1, "("), each.kind == word && each.text == "fn" && is(f.tokens, at+1, "("):
			f.addClosure(at, stack[len(stack)-1].scope)
		case each.kind == sign && each.text == ";" && pending >= 0:
			pending = -1
		case each.kind == sign && each.text == "{":
			depth++
			if pending >= 0 {
				stack = append(stack, open{pending, depth})
				pending = -1
			}
		case each.kind == sign && each.text == "}":
			if top := stack[len(stack)-1]; len(stack) > 1 && top.depth == depth {
				stack = stack[:len(stack)-1]
			}
			depth--
		}
		f.scopes[at] = stack[len(stack)-1].scope
	}
	if classes != 1 {
		f.onlyClass = ""
	}
}

func (f *flow) addClosure(at, scope int) {
	if !is(f.tokens, at-1, "=") || kindAt(f.tokens, at-2) != variable {
		return
	}
	number := f.addFunction(at, "")
	f.functions[number].scope = scope
	f.closures[f.tokens[at-2].text] = number
}

func (f *flow) addFunction(at int, name string) int {
	made := function{name: name}
	end := f.closing(at + 1)
	for each := at + 2; each < end; each++ {
		if f.tokens[each].kind == variable {
			made.parameters = append(made.parameters, f.tokens[each].text)
		}
	}
	made.scope = len(f.functions)
	f.functions = append(f.functions, made)
	if name != "" {
		f.byName[name] = made.scope
	}
	return made.scope
}

// closing finds the bracket that ends what the one at this place begins.
func (f *flow) closing(at int) int {
	depth := 0
	for each := at; each < len(f.tokens) && f.left > 0; each++ {
		f.left--
		if f.tokens[each].kind != sign {
			continue
		}
		switch f.tokens[each].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
			if depth <= 0 {
				return each
			}
		}
	}
	return len(f.tokens)
}

func (f *flow) mark(scope int, name string) {
	if name != "this" && !strings.HasPrefix(name, "_SESSION") && !f.holds[scope][name] {
		f.holds[scope][name] = true
		f.changed = true
	}
}

func (f *flow) pass() {
	for at := range f.tokens {
		each := f.tokens[at]
		switch {
		case each.kind == variable && is(f.tokens, at+1, "=") && !is(f.tokens, at+2, "=") && !is(f.tokens, at+2, ">") && !is(f.tokens, at-1, ">"):
			if f.isInput(at+2, f.endOf(at+2)) {
				f.mark(f.scopes[at], each.text)
			}
			if kindAt(f.tokens, at+2) == variable && f.tokens[at+2].text == "_SERVER" && is(f.tokens, at+3, ";") {
				f.servers[each.text] = true
			}
		case each.kind == variable && is(f.tokens, at+1, ".") && is(f.tokens, at+2, "="):
			if f.isInput(at+3, f.endOf(at+3)) {
				f.mark(f.scopes[at], each.text)
			}
		case each.kind == variable && is(f.tokens, at+1, "["):
			f.passElement(at)
		case each.kind == variable && is(f.tokens, at+1, "(") && f.closures[each.text] > 0:
			f.passArguments(at+1, f.closures[each.text])
		case is(f.tokens, at, "[") && isStart(f.tokens, at), each.kind == word && each.text == "list" && is(f.tokens, at+1, "("):
			f.passList(at)
		case each.kind == word && (each.text == "fwrite" || each.text == "fputs") && is(f.tokens, at+1, "(") && kindAt(f.tokens, at+2) == variable && is(f.tokens, at+3, ","):
			if f.isInput(at+4, f.closing(at+1)) {
				f.mark(f.scopes[at], f.tokens[at+2].text)
			}
		case isWord(f.tokens, at, "define") && is(f.tokens, at+1, "(") && kindAt(f.tokens, at+2) == text && is(f.tokens, at+3, ","):
			if name := strings.ToLower(f.tokens[at+2].text); !f.constants[name] && f.isInput(at+4, f.closing(at+1)) {
				f.constants[name] = true
				f.changed = true
			}
		case each.kind == word && resultAt[each.text] > 0 && is(f.tokens, at+1, "("):
			f.passResult(at)
		case each.kind == word && each.text == "extract" && is(f.tokens, at+1, "(") && f.isInput(at+2, f.closing(at+1)),
			isWord(f.tokens, at, "import_request_variables") && is(f.tokens, at+1, "("),
			is(f.tokens, at, "$") && kindAt(f.tokens, at+1) == variable && is(f.tokens, at+2, "=") && f.isInput(at+3, f.endOf(at+3)),
			is(f.tokens, at, "$") && is(f.tokens, at+1, "{") && kindAt(f.tokens, at+2) == variable && is(f.tokens, at+4, "=") && f.isInput(at+5, f.endOf(at+5)):
			f.open[f.scopes[at]] = true
		case each.kind == word && is(f.tokens, at-1, ">") && is(f.tokens, at-2, "-") && is(f.tokens, at+1, "=") && !is(f.tokens, at+2, "="):
			if !f.properties[each.text] && f.isInput(at+2, f.endOf(at+2)) {
				f.properties[each.text] = true
				f.changed = true
			}
		case each.kind == word && each.text == "global" && kindAt(f.tokens, at+1) == variable:
			f.passGlobals(at + 1)
		case each.kind == word && each.text == "foreach" && is(f.tokens, at+1, "("):
			f.passLoop(at + 1)
		case each.kind == word && each.text == "return":
			if scope := f.scopes[at]; scope > 0 && f.isInput(at+1, f.endOf(at+1)) && !f.returns[f.functions[scope].name] {
				f.returns[f.functions[scope].name] = true
				f.changed = true
			}
		case each.kind == word && is(f.tokens, at+1, "(") && f.byName[each.text] > 0:
			f.passCall(at)
		case each.kind == word && is(f.tokens, at+1, "(") && isWord(f.tokens, at-1, "new") && each.text == f.onlyClass && f.byName["__construct"] > 0:
			f.passArguments(at+1, f.byName["__construct"])
		case each.kind == word && each.text == "newinstance" && is(f.tokens, at+1, "(") && f.byName["__construct"] > 0:
			f.passArguments(at+1, f.byName["__construct"])
		}
	}
}

// passGlobals: what is global is the same in the function and outside.
func (f *flow) passGlobals(at int) {
	for ; at < len(f.tokens) && !is(f.tokens, at, ";") && f.left > 0; at++ {
		f.left--
		name := f.tokens[at].text
		switch scope := f.scopes[at]; {
		case f.tokens[at].kind != variable:
		case f.holds[0][name]:
			f.mark(scope, name)
		case f.holds[scope][name]:
			f.mark(0, name)
		}
	}
}

func (f *flow) passLoop(at int) {
	end := f.closing(at)
	for each := at; each < end && f.left > 0; each++ {
		f.left--
		if f.tokens[each].kind != word || f.tokens[each].text != "as" {
			continue
		}
		if f.isNames(at+1, each) && kindAt(f.tokens, each+1) == variable {
			f.names[f.tokens[each+1].text] = true
		}
		if !f.isInput(at+1, each) {
			return
		}
		for target := each + 1; target < end; target++ {
			if f.tokens[target].kind == variable {
				f.mark(f.scopes[target], f.tokens[target].text)
			}
		}
	}
}

var namesOfInput = regexp.MustCompile(`^(_(GET|POST|REQUEST|COOKIE|FILES)\b\W?)+$`)

func (f *flow) isNames(begin, end int) bool {
	for at := begin; at < end; at++ {
		if f.tokens[at].kind == text && namesOfInput.MatchString(f.tokens[at].text) {
			return true
		}
	}
	return false
}

// isNamed: `$$name` and `${$name}`, where the name is that of what a visitor sent.
func (f *flow) isNamed(at int) bool {
	if !is(f.tokens, at, "$") {
		return false
	}
	if is(f.tokens, at+1, "{") {
		at++
	}
	return kindAt(f.tokens, at+1) == variable && f.names[f.tokens[at+1].text]
}

func (f *flow) passCall(at int) {
	if at > 0 && f.tokens[at-1].kind == word && f.tokens[at-1].text == "function" {
		return
	}
	f.passArguments(at+1, f.byName[f.tokens[at].text])
}

func (f *flow) passArguments(at, called int) {
	to := f.functions[called]
	for index, argument := range f.arguments(at) {
		if index < len(to.parameters) && f.isInput(argument.begin, argument.end) {
			f.mark(to.scope, to.parameters[index])
		}
	}
}

type span struct{ begin, end int }

// arguments are those between the bracket at this place and the one that ends it.
func (f *flow) arguments(at int) []span {
	end := f.closing(at)
	found := []span{}
	begin, depth := at+1, 0
	for each := at + 1; each <= end && each < len(f.tokens) && f.left > 0; each++ {
		f.left--
		switch {
		case each == end, depth == 0 && is(f.tokens, each, ","):
			found = append(found, span{begin, each})
			begin = each + 1
		case is(f.tokens, each, "("), is(f.tokens, each, "["):
			depth++
		case is(f.tokens, each, ")"), is(f.tokens, each, "]"):
			depth--
		}
	}
	return found
}

// passElement: an element that is given input holds it, and where its key is not constant, the whole array.
func (f *flow) passElement(at int) {
	end := at
	for is(f.tokens, end+1, "[") && f.left > 0 {
		end = f.closing(end + 1)
	}
	if is(f.tokens, end+1, "=") && !is(f.tokens, end+2, "=") && !is(f.tokens, end+2, ">") && f.isInput(end+2, f.endOf(end+2)) {
		name, _ := elementAt(f.tokens, at)
		f.mark(f.scopes[at], name)
	}
}

// passList: `list($a, $b) = …` and `[$a, $b] = …`.
func (f *flow) passList(at int) {
	if !is(f.tokens, at, "[") {
		at++
	}
	end := f.closing(at)
	if !is(f.tokens, end+1, "=") || is(f.tokens, end+2, "=") || !f.isInput(end+2, f.endOf(end+2)) {
		return
	}
	f.markAll(at, end)
}

func (f *flow) markAll(begin, end int) {
	for at := begin; at < end && at < len(f.tokens); at++ {
		if f.tokens[at].kind == variable {
			f.mark(f.scopes[at], f.tokens[at].text)
		}
	}
}

func isStart(tokens []token, at int) bool {
	return at == 0 || kindAt(tokens, at-1) == html || is(tokens, at-1, ";") || is(tokens, at-1, "{") || is(tokens, at-1, "}") || is(tokens, at-1, ":")
}

// Functions that write what they find in one argument to another: the number of that one.
var resultAt = map[string]int{"preg_match": 2, "preg_match_all": 2, "parse_str": 1}

var matchesAnything = regexp.MustCompile(`\.[*+]`)

// passResult: what a pattern that takes anything finds in input is input.
func (f *flow) passResult(at int) {
	arguments := f.arguments(at + 1)
	to := resultAt[f.tokens[at].text]
	if len(arguments) <= to || !f.isInput(arguments[to-1].begin, arguments[to-1].end) {
		return
	}
	if first := f.tokens[arguments[0].begin]; to == 2 && !matchesAnything.MatchString(first.text) {
		return
	}
	f.markAll(arguments[to].begin, arguments[to].end)
}

// endOf is where the expression ends that begins here.
func (f *flow) endOf(at int) int {
	depth := 0
	for each := at; each < len(f.tokens) && f.left > 0; each++ {
		f.left--
		if f.tokens[each].kind != sign {
			continue
		}
		switch f.tokens[each].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
			if depth < 0 {
				return each
			}
		case ";":
			return each
		}
	}
	return len(f.tokens)
}

// isInput tells whether an expression is what a visitor sent, handed on by nothing that could have checked it.
func (f *flow) isInput(begin, end int) bool {
	hasInput, hasChoice, compares := false, false, false
	for at := begin; at < end && at < len(f.tokens) && f.left > 0; at++ {
		f.left--
		each := f.tokens[at]
		// What an element is called does not make it input.
		if at > begin && is(f.tokens, at, "[") && (kindAt(f.tokens, at-1) == variable || is(f.tokens, at-1, "]") || is(f.tokens, at-1, ")")) {
			at = f.closing(at)
			continue
		}
		switch {
		case each.kind == word && is(f.tokens, at+1, "("):
			if f.returns[each.text] {
				hasInput = true
			} else if f.isSourceCall(at) || each.text == "get_defined_vars" {
				hasInput = true
			} else if f.byName[each.text] > 0 && !f.isInput(at+2, f.closing(at+1)) {
				// What a function of this file makes of something else neither is input nor has checked it.
				at = f.closing(at + 1)
			} else if !passing[each.text] && !f.isPassingMap(at) {
				return false
			}
		case f.isSource(at):
			hasInput = true
		case is(f.tokens, at, "?"):
			hasChoice = true
		case is(f.tokens, at, "=") && is(f.tokens, at+1, "="), is(f.tokens, at, "&") && is(f.tokens, at+1, "&"), is(f.tokens, at, "!"):
			compares = true
		case each.kind == word && (each.text == "int" || each.text == "bool" || each.text == "float" || each.text == "function"):
			return false
		}
	}
	return hasInput && (hasChoice || !compares)
}

// isPassingMap: `array_map('base64_decode', …)`.
func (f *flow) isPassingMap(at int) bool {
	return f.tokens[at].text == "array_map" && kindAt(f.tokens, at+2) == text && passing[strings.ToLower(f.tokens[at+2].text)]
}

func (f *flow) isSource(at int) bool {
	each := f.tokens[at]
	switch each.kind {
	case variable:
		return requestArrays[each.text] || f.holdsInput(at) || f.isHeader(at) || f.isGlobal(at) || f.isPickedFromServer(at)
	case text:
		return each.text == "php://input"
	case template:
		return f.isTemplateOfInput(at)
	case word:
		return f.isProperty(at) || f.isConstant(at)
	case sign:
		return f.isNamed(at)
	}
	return false
}

func (f *flow) holdsInput(at int) bool {
	holds := f.holds[f.scopes[at]]
	name, _ := elementAt(f.tokens, at)
	return holds[f.tokens[at].text] || holds[name]
}

func (f *flow) isTemplateOfInput(at int) bool {
	for _, found := range inTemplate.FindAllStringSubmatch(f.tokens[at].text, mostInTemplate) {
		if requestArrays[found[1]] || f.holds[f.scopes[at]][found[1]] {
			return true
		}
	}
	return false
}

func (f *flow) isProperty(at int) bool {
	return f.properties[f.tokens[at].text] && is(f.tokens, at-1, ">") && is(f.tokens, at-2, "-") && !is(f.tokens, at+1, "(")
}

func (f *flow) isConstant(at int) bool {
	return f.constants[f.tokens[at].text] && !is(f.tokens, at+1, "(") && !is(f.tokens, at-1, ">") && !is(f.tokens, at-1, ":")
}

func (f *flow) isHeader(at int) bool {
	if !f.servers[f.tokens[at].text] || !is(f.tokens, at+1, "[") || kindAt(f.tokens, at+2) != text {
		return false
	}
	name := f.tokens[at+2].text
	return strings.HasPrefix(name, "HTTP_") && name != "HTTP_HOST" || saidByVisitor[name] || strings.HasPrefix(name, "PHP_AUTH")
}

var saidByVisitor = set("QUERY_STRING REQUEST_URI PATH_INFO ORIG_PATH_INFO")

var pickers = set("array_values array_pop array_shift array_slice array_reverse implode join end current reset next key")

// isPickedFromServer: `array_values($_SERVER)`, where one of its values is meant and none is named.
func (f *flow) isPickedFromServer(at int) bool {
	return f.servers[f.tokens[at].text] && is(f.tokens, at-1, "(") && kindAt(f.tokens, at-2) == word && pickers[f.tokens[at-2].text] && (is(f.tokens, at+1, ")") || is(f.tokens, at+1, ","))
}

var unfiltered = set("filter_default filter_unsafe_raw")

// isSourceCall: a call of PHP itself that says what a visitor sent.
func (f *flow) isSourceCall(at int) bool {
	name := f.tokens[at].text
	if f.tokens[at].kind != word || !is(f.tokens, at+1, "(") || isWord(f.tokens, at-1, "function") || is(f.tokens, at-1, ">") || is(f.tokens, at-1, ":") {
		return false
	}
	return sources[name] || name == "filter_input" && f.isUnfiltered(at+1) || f.isHeaderOf(at)
}

// isUnfiltered: the third argument is missing, or says that nothing is to be checked.
func (f *flow) isUnfiltered(at int) bool {
	given := f.arguments(at)
	return len(given) == 2 || len(given) > 2 && kindAt(f.tokens, given[2].begin) == word && unfiltered[f.tokens[given[2].begin].text]
}

// isHeaderOf: `getenv('HTTP_…')`.
func (f *flow) isHeaderOf(at int) bool {
	return (f.tokens[at].text == "getenv" || f.tokens[at].text == "apache_getenv") && kindAt(f.tokens, at+2) == text &&
		(strings.HasPrefix(f.tokens[at+2].text, "HTTP_") || f.tokens[at+2].text == "QUERY_STRING")
}

func (f *flow) isGlobal(at int) bool {
	return f.tokens[at].text == "GLOBALS" && is(f.tokens, at+1, "[") && kindAt(f.tokens, at+2) == text && requestArrays[f.tokens[at+2].text]
}
