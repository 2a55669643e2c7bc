package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A name can be any bytes. What is said of it is UTF-8 on one line, and can be turned back into the name.

func spell(path string) string {
	var out strings.Builder
	for at := 0; at < len(path); {
		c, size := utf8.DecodeRuneInString(path[at:])
		switch {
		case c == '\\':
			out.WriteString(`\\`)
		case c == utf8.RuneError && size == 1, c < ' ', c >= 0x7f && c < 0xa0:
			for _, each := range []byte(path[at : at+size]) {
				fmt.Fprintf(&out, `\x%02x`, each)
			}
		default:
			out.WriteString(path[at : at+size])
		}
		at += size
	}
	return out.String()
}

func unspell(spelled string) (string, error) {
	var out []byte
	for at := 0; at < len(spelled); at++ {
		if spelled[at] != '\\' {
			out = append(out, spelled[at])
			continue
		}
		rest := spelled[at+1:]
		switch {
		case strings.HasPrefix(rest, `\`):
			out = append(out, '\\')
			at++
		case len(rest) >= 3 && rest[0] == 'x':
			value, err := strconv.ParseUint(rest[1:3], 16, 8)
			if err != nil || value == 0 {
				return "", problem{Code: "name_invalid"}
			}
			out = append(out, byte(value))
			at += 3
		default:
			return "", problem{Code: "name_invalid"}
		}
	}
	return string(out), nil
}
