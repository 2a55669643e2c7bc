// site-files does all work on the files of a site. It runs inside the site's container, or in a throwaway one that sees
// nothing but the site's folder, and it reaches every path through descriptors that cannot leave that folder.
//
// It answers one request: a line of JSON on stdin, then input in frames. Its answer is lines of JSON on stdout, of
// which the last is `{"ok": …}` or `{"error": …}`, then bytes if the request asks for any.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"
)

const folder = "/var/www/html"
const holdFor = 12 * time.Hour
const progressPause = 200 * time.Millisecond

// What a request can say; each operation reads its own part of it.
type request struct {
	Op          string   `json:"op"`
	Path        string   `json:"path"`
	Paths       []string `json:"paths"`
	To          string   `json:"to"`
	Overwrite   bool     `json:"overwrite"`
	Mode        uint32   `json:"mode"`
	UID         int      `json:"uid"`
	GID         int      `json:"gid"`
	MaxEntries  int      `json:"maxEntries"`
	MaxBytes    int64    `json:"maxBytes"`
	Lint        bool     `json:"lint"`
	IfMatch     []string `json:"ifMatch"`
	IfNoneMatch []string `json:"ifNoneMatch"`
	ID          string   `json:"id"`
	Offset      int64    `json:"offset"`
	Size        int64    `json:"size"`
	Search      search   `json:"search"`

	Name    string              `json:"name"`
	Format  string              `json:"format"`
	Package string              `json:"package"`
	Sums    map[string][]string `json:"sums"`
	Wanted  []wanted            `json:"wanted"`
}

type operation func(root *root, asked request, input *frames) (any, error)

var operations = map[string]operation{
	"list":       list,
	"stat":       stat,
	"read":       read,
	"write":      write,
	"download":   download,
	"search":     searchFiles,
	"mkdir":      makeFolder,
	"move":       move,
	"copy":       copyEntry,
	"delete":     deleteAll,
	"chmod":      changeMode,
	"own":        giveOwner,
	"append":     appendChunk,
	"forget":     forgetUpload,
	"checkZip":   checkZip,
	"unzip":      unzip,
	"placeUnzip": placeUnzipped,
	"dropUnzip":  dropUnzipped,
	"zip":        zipEntries,
	"digest":     digest,
	"stage":      stage,
	"swap":       swap,
	"unstage":    unstage,
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "hold" {
		// Keeps a throwaway container there; one that was forgotten ends by itself.
		time.Sleep(holdFor)
		return
	}
	input := bufio.NewReaderSize(os.Stdin, 64*1024)
	answer, err := perform(input)
	if err != nil {
		say(map[string]any{"error": problemOf(err)})
		return
	}
	say(map[string]any{"ok": answer})
	if stream, ok := answer.(streamed); ok {
		if err := stream.send(os.Stdout); err != nil {
			// The bytes so far are not all of them, and the exit code is the only way left to say so.
			os.Exit(1)
		}
	}
}

func perform(input *bufio.Reader) (any, error) {
	line, err := input.ReadBytes('\n')
	if err != nil {
		return nil, problem{Code: "invalid"}
	}
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, problem{Code: "invalid"}
	}
	act, known := operations[asked.Op]
	if !known {
		return nil, problem{Code: "invalid"}
	}
	root, err := openRoot(folder)
	if err != nil {
		return nil, err
	}
	return act(root, asked, &frames{source: input})
}

func say(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.Write(append(line, '\n'))
}

var saidProgress time.Time

func progress(done, total int64) {
	if time.Since(saidProgress) < progressPause {
		return
	}
	saidProgress = time.Now()
	say(map[string]any{"progress": map[string]int64{"done": done, "total": total}})
}
