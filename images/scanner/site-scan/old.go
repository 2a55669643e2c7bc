package main

// Old versions of PHP made a variable of everything that a visitor sent, and old shells rely on it: they run variables
// that nothing sets.

var ownVariables = set(`this GLOBALS _SERVER _SESSION _ENV _GET _POST _REQUEST _COOKIE _FILES argv argc php_errormsg
	HTTP_RAW_POST_DATA HTTP_POST_VARS HTTP_GET_VARS HTTP_COOKIE_VARS HTTP_SERVER_VARS HTTP_SESSION_VARS HTTP_ENV_VARS HTTP_POST_FILES`)

// What another file may have set is not known, and in a class or a template others set it.
var setElsewhere = set("extract parse_str namespace class interface trait defined import_request_variables")

var runsOld = set("move_uploaded_file system shell_exec exec passthru popen proc_open eval assert create_function include include_once require require_once")

// oldVariables are those that the file uses and never sets, where it also runs something.
func oldVariables(tokens []token) []string {
	isSet := map[string]bool{}
	runs := false
	for at, each := range tokens {
		switch {
		case each.kind == word && setElsewhere[each.text], isInclusion(tokens, at):
			return nil
		case each.kind == word && runsOld[each.text]:
			runs = true
		case each.kind == variable && !isOnlyRead(tokens, at):
			isSet[each.text] = true
		}
	}
	if !runs {
		return nil
	}
	found := []string{}
	add := func(name string) {
		if !isSet[name] && !ownVariables[name] {
			isSet[name] = true
			found = append(found, name)
		}
	}
	for _, each := range tokens {
		switch each.kind {
		case variable:
			add(each.text)
		case template:
			for _, inside := range inTemplate.FindAllStringSubmatch(each.text, mostInTemplate) {
				add(inside[1])
			}
		}
	}
	return found
}

func isInclusion(tokens []token, at int) bool {
	each := tokens[at]
	isOne := each.kind == word && (each.text == "include" || each.text == "include_once" || each.text == "require" || each.text == "require_once")
	for next := at + 1; isOne && next < at+3; next++ {
		if kindAt(tokens, next) == text || kindAt(tokens, next) == word {
			return true
		}
	}
	return false
}

// isOnlyRead: no sign around the variable gives it a value, and no function that it is handed to can.
func isOnlyRead(tokens []token, at int) bool {
	_, next := elementAt(tokens, at)
	isGiven := is(tokens, next, "=") && !is(tokens, next+1, "=") || is(tokens, next+1, "=") && isOneOf(tokens, next, ".+-*/|&") ||
		is(tokens, next, "+") && is(tokens, next+1, "+") || is(tokens, next, "-") && is(tokens, next+1, "-")
	isAfter := is(tokens, at-1, "&") || is(tokens, at-1, ",") || is(tokens, at-1, "$") || is(tokens, at-1, ":") || is(tokens, at-1, ">")
	before := kindAt(tokens, at-1) == word && tokens[at-1].text != "echo" && tokens[at-1].text != "return" && tokens[at-1].text != "print" && !runsOld[tokens[at-1].text]
	isParameter := is(tokens, at-1, "(") && (isWord(tokens, at-2, "function") || isWord(tokens, at-3, "function") || isWord(tokens, at-2, "fn") || isWord(tokens, at-2, "use"))
	isListed := is(tokens, at-1, "(") && isWord(tokens, at-2, "list")
	return !isGiven && !isAfter && !before && !isParameter && !isListed
}

func isWord(tokens []token, at int, text string) bool {
	return kindAt(tokens, at) == word && tokens[at].text == text
}
