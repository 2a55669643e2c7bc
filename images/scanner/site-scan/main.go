// site-scan looks for malware in the files of a site, and moves what it finds out of it. It runs in a throwaway
// container without a network. For a scan that container can only read the site, as the site's own account and with no
// capability; what is in the files may be as hostile as it likes.
//
// It answers one request, a JSON value on stdin, with lines of JSON on stdout; the last one is `{"done": …}` or `{"error": …}`.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"
)

var (
	siteFolder  = "/site"
	seenFile    = "/state/seen.gz"
	workFolder  = "/tmp/scan"
	rulesFolder = "/opt/fleetpress/rules"
	aroundSite  = "/around"
)

const holdFor = 6 * time.Hour

var output = bufio.NewWriterSize(os.Stdout, 64*1024)

func main() {
	op := ""
	if len(os.Args) > 1 {
		op = os.Args[1]
	}
	if op == "hold" {
		// Keeps the container there; one that was forgotten ends by itself.
		time.Sleep(holdFor)
		return
	}
	act, known := map[string]func() (any, error){
		"scan":    func() (any, error) { return answer(scan) },
		"take":    func() (any, error) { return answer(take) },
		"restore": func() (any, error) { return answer(restore) },
		"drop":    func() (any, error) { return answer(drop) },
	}[op]
	if !known {
		os.Exit(2)
	}
	done, err := act()
	if err != nil {
		say("error", problemOf(err))
	} else {
		say("done", done)
	}
	output.Flush()
}

func answer[Asked any](act func(Asked) (any, error)) (any, error) {
	var asked Asked
	if err := json.NewDecoder(bufio.NewReader(os.Stdin)).Decode(&asked); err != nil {
		return nil, problem{Code: "invalid"}
	}
	return act(asked)
}

func say(name string, message any) {
	line, err := json.Marshal(map[string]any{name: message})
	if err != nil {
		os.Exit(1)
	}
	output.Write(append(line, '\n'))
}
