package main

import (
	htmltext "html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// The plain form of a page in another language: what is spelled as codes or in pieces is put together, so that rules
// need to know each name in one spelling only.

var (
	charCode  = regexp.MustCompile(`(?i)\b(?:chrw?|char)\s?\(\s?(\d{2,3})\s?\)`)
	unicode   = regexp.MustCompile(`\\u+([0-9a-fA-F]{4})`)
	hexCode   = regexp.MustCompile(`\\x([0-9a-fA-F]{2})`)
	percent   = regexp.MustCompile(`(?i)\bunescape\s?\(\s?"([^"]{1,1000})"`)
	pieces    = regexp.MustCompile(`"\s{0,4}[&+]\s{0,4}"`)
	vbComment = regexp.MustCompile(`(?m)^\s{0,20}'[^\n%]{0,400}$`)
)

func plainPage(source []byte) []byte {
	plain := unicode.ReplaceAllStringFunc(string(source), func(found string) string { return character(found[len(found)-4:], 16) })
	plain = hexCode.ReplaceAllStringFunc(plain, func(found string) string { return character(found[2:], 16) })
	if strings.Contains(plain, "&#") {
		plain = htmltext.UnescapeString(plain)
	}
	plain = charCode.ReplaceAllStringFunc(plain, func(found string) string {
		return `"` + character(charCode.FindStringSubmatch(found)[1], 10) + `"`
	})
	plain = percent.ReplaceAllStringFunc(plain, func(found string) string {
		if made, err := url.PathUnescape(found); err == nil {
			return made
		}
		return found
	})
	return []byte(pieces.ReplaceAllString(vbComment.ReplaceAllString(plain, ""), ""))
}

// character is the one with this code, where it can be read.
func character(digits string, base int) string {
	code, err := strconv.ParseInt(digits, base, 32)
	if err != nil || code < 32 || code > 126 || code == '"' {
		return " "
	}
	return string(rune(code))
}
