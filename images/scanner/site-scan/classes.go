package main

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// What kind of file it is decides which rules look at it.

var (
	phpName     = regexp.MustCompile(`(?i)\.(php\d?|phtml|pht|phar|phps|inc|module|php\d?\.(bak|old|suspected|txt|orig|save|tmp|backup|disabled))$`)
	pictureName = regexp.MustCompile(`(?i)\.(jpe?g|png|gif|ico|bmp|webp|tiff?|avif)$`)
	// A page of another kind of web server, and a program; either may have been put aside under a longer name.
	pageName   = regexp.MustCompile(`(?i)\.(aspx?|ashx|asmx|ascx|asa|asax|cer|cdx|jspx?|jspf|jspa|jsw|jhtml|java|cfm|cfml|cfc|shtml?|stm)(\.(txt|bak|old))?$`)
	pageStart  = regexp.MustCompile(`(?i)^(\x{feff}|GIF8[79]a[^<]{0,40}|\s{1,20}){0,2}(<%|<jsp:|<object\s[^>]{0,40}runat|<script\s[^>]{0,60}runat)`)
	pageInside = regexp.MustCompile(`(?i)<%[^>]{0,400}\brequest\b|<script\s[^>]{0,60}runat\s{0,4}=`)
	scriptName = regexp.MustCompile(`(?i)\.(pl|pm|cgi|py|sh|rb|lua)(\.(txt|bak|old))?$`)
	// What may hold code under a name that says nothing.
	plainName = regexp.MustCompile(`(?i)(\.(txt|bak|old|log|tmp|suspected)|^[^.]+)$`)
	shortTag  = regexp.MustCompile(`(?i)<\?([@$(][\w$'"\x60]|[a-z_]{3,24}\()`)
	// A page with PHP in it, which is no text about PHP.
	htmlStart  = regexp.MustCompile(`(?i)^\x{feff}?\s{0,40}<(!--|(!doctype|html|head|body|title|meta|style|script|center|form|font|table|div|pre|h\d)\b)`)
	phpStart   = regexp.MustCompile(`(?i)^\x{feff}?\s{0,40}<\?(php|=|\s|[@$(])`)
	configName = regexp.MustCompile(`(?i)^(\.htaccess|\.user\.ini|php\.ini)$`)
	phpTag     = regexp.MustCompile(`(?i)<\?(php\s|=\s?[$(@'"\x60]|\s{1,4}[@$a-z/#{(])|<script[^>]{0,40}language\s*=\s*["']?php`)
)

type class struct {
	// PHP, whatever it is called.
	isPHP bool
	// Of the file as it is.
	on []string
}

// classOf is empty for files that no rule looks at.
func classOf(name string, content []byte) class {
	base := path.Base(name)
	hasTag := bytes.Contains(content, []byte("<?")) && phpTag.Match(content) || bytes.Contains(content, []byte("<script")) && phpTag.Match(content) ||
		plainName.MatchString(base) && shortTag.Match(content)
	switch {
	case configName.MatchString(base):
		return class{isPHP: hasTag, on: []string{"config", "raw"}}
	case isExecutable(name):
		return class{isPHP: true, on: append(otherLanguages(content, hasTag), "raw")}
	case pictureName.MatchString(base) && hasTag:
		return class{isPHP: false, on: []string{"media", "picture"}}
	case isMostlyText(content) && isPage(base, content):
		return class{isPHP: hasTag, on: []string{"page", "script", "raw"}}
	case isMostlyText(content) && (scriptName.MatchString(base) || bytes.HasPrefix(content, []byte("#!")) || runsPrograms(base, content)):
		return class{isPHP: hasTag, on: []string{"script", "raw"}}
	case isMostlyText(content) && plainName.MatchString(base) && (phpStart.Match(content) || hasTag && htmlStart.Match(content)):
		return class{isPHP: true, on: []string{"raw"}}
	case hasTag && isMostlyText(content):
		// A text may speak of PHP, so only what the code in it does counts.
		return class{isPHP: true, on: []string{"text"}}
	case hasTag:
		return class{on: []string{"media"}}
	}
	return class{}
}

// otherLanguages: of a file that is called PHP, and has none in it.
func otherLanguages(content []byte, hasTag bool) []string {
	switch {
	case hasTag || !isMostlyText(content):
		return nil
	case pageStart.Match(content) || pageInside.Match(content):
		return []string{"page"}
	case bytes.HasPrefix(content, []byte("#!")):
		return []string{"script"}
	}
	return nil
}

// isPage: for a web server that runs something else than PHP.
func isPage(base string, content []byte) bool {
	return pageName.MatchString(base) || pageStart.Match(content) || plainName.MatchString(base) && pageInside.Match(content)
}

// runsPrograms: JavaScript that is not for a browser.
func runsPrograms(base string, content []byte) bool {
	return strings.HasSuffix(base, "js") && bytes.Contains(content, []byte("child_process"))
}

func isExecutable(name string) bool { return phpName.MatchString(path.Base(name)) }

func isMostlyText(content []byte) bool {
	head := content
	if len(head) > 4096 {
		head = head[:4096]
	}
	return bytes.IndexByte(head, 0) < 0
}

// Files that say nothing, as WordPress and plugins put them into folders.
func isSilent(content []byte) bool {
	if len(content) > 400 {
		return false
	}
	for _, each := range tokenize(content, false) {
		if each.kind == variable || each.kind == sign && each.text == "(" || each.kind == html && len(strings.TrimSpace(each.text)) > 0 {
			return false
		}
	}
	return true
}

var (
	doubleName = regexp.MustCompile(`(?i)\.(php\d?|phtml|phar)\.(jpe?g|png|gif|ico|bmp|pdf|docx?|mp[34]|svg)$`)
	ofTools    = regexp.MustCompile(`^\.(php[-_]cs(-fixer)?(\.dist)?|phpstorm\.meta)(\.php)$`)
	coreLike   = regexp.MustCompile(`(?i)^(wp-[a-z0-9-]+|xmlrpc\d*|index\d+|wp)\.(php\d?|phtml)$`)
)

// byPlace is what the name and the place of a file tell, whatever is in it.
func byPlace(name string, content []byte, knowsCore bool) []match {
	found := []match{}
	add := func(rule, label string) {
		found = append(found, match{Kind: "malware", Rule: rule, Label: label, Severity: "suspicious"})
	}
	base := path.Base(name)
	lower := strings.ToLower(name)
	if doubleName.MatchString(base) && bytes.Contains(content, []byte("<?")) {
		add("double_extension", "PHP with the name of another kind of file")
	}
	if !isExecutable(name) || isSilent(content) {
		return found
	}
	if strings.HasPrefix(lower, "wp-content/uploads/") {
		add("php_in_uploads", "PHP among uploaded files")
	}
	if strings.HasPrefix(base, ".") && !ofTools.MatchString(base) {
		add("hidden_php", "PHP in a hidden file")
	}
	if knowsCore && !strings.Contains(name, "/") && coreLike.MatchString(base) && base != "wp-config.php" {
		add("poses_as_core", "Named like a file of WordPress, but none of its files")
	}
	return found
}
