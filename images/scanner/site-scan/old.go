package main

// Old versions of PHP made a variable of everything that a visitor sent, and old shells rely on it: they run variables
// that nothing sets.

var ownVariables = set(`this GLOBALS _SERVER _SESSION _ENV _GET _POST _REQUEST _COOKIE _FILES argv argc php_errormsg
	HTTP_RAW_POST_DATA HTTP_POST_VARS HTTP_GET_VARS HTTP_COOKIE_VARS HTTP_SERVER_VARS HTTP_SESSION_VARS HTTP_ENV_VARS HTTP_POST_FILES`)

// What another file may have set is not known, and in a class or a template others set it.
var setElsewhere = set("extract parse_str namespace class interface trait defined import_request_variables")

var runsOld = set("system shell_exec exec passthru popen proc_open eval assert create_function include include_once require require_once")

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
	for _, each := range tokens {
		if each.kind == variable && !isSet[each.text] && !ownVariables[each.text] {
			isSet[each.text] = true
			found = append(found, each.text)
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
	before := kindAt(tokens, at-1) == word && (tokens[at-1].text == "as" || tokens[at-1].text == "global" || tokens[at-1].text == "static")
	isParameter := is(tokens, at-1, "(") && kindAt(tokens, at-3) == word && tokens[at-3].text == "function"
	isListed := is(tokens, at-1, "(") && kindAt(tokens, at-2) == word && (tokens[at-2].text == "list" || tokens[at-2].text == "isset")
	return !isGiven && !isAfter && !before && !isParameter && !(isListed && tokens[at-2].text == "list")
}
