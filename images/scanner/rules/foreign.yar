// Shells in other languages than PHP. WordPress needs none of these files. Rules with on = "page" see pages of other web
// servers twice: as they are, and with all that is spelled as codes or in pieces put together.

rule asp_shell {
  meta:
    label = "An ASP shell"
    severity = "confirmed"
    on = "page"
  strings:
    $run = /\b(eval|execute|executeglobal|executestatement)\b[\s(]{0,4}["']?\s?(request|session)\s?[\s.(\["]/ nocase
    $encoded = /#@~\^[A-Za-z0-9+\/]{6}==/
    $language = /(<%|runat\s?=\s?["']?server)/ nocase
    $ask = /\brequest\s?(\.(form|querystring|item|params|binaryread|files|totalbytes|cookies|servervariables)\s?)?[\[(.]/ nocase
    $shell = /(wscript\.shell|shell\.application|72C24DD5-D70A-438B-8A42-98424B88AFB8|13709620-C279-11CE-A49E-444553540000|93F0BE1C|WshShell)/ nocase
    $files = /(scripting\.filesystemobject|0D43FE01-F093-11CF-8940-00A0C9054228)/ nocase
    $stream = /adodb\.stream/ nocase
    $control = /scriptcontrol/ nocase
    $change = /\.(createtextfile|opentextfile|deletefile|deletefolder|copyfile|movefile|savetofile|getfolder|getfile|drives)\b/ nocase
    $reversed = /\b(execute|eval|executeglobal)\b[\s(]{1,4}\w{1,30}\s?\(/ nocase
    $given = /\b(execute|eval|executeglobal)\b[\s(]{1,4}\w{1,30}\s?(\)|%>|\r?\n|:|'|;|$)/ nocase
  condition:
    $run or ($encoded and $language) or ($language and (($ask and ($shell or $control)) or ($ask and ($files or $stream) and $change) or ($ask and $given) or $reversed))
}

rule aspnet_shell {
  meta:
    label = "An ASP.NET shell"
    severity = "confirmed"
    on = "page"
  strings:
    $page = /(<%@\s{0,4}(page|webhandler|webservice|control|import|assembly|language|class)|runat\s{0,2}=\s{0,2}["']?server)/ nocase
    $unsafe = /\beval\s?\([^;]{0,200}["']unsafe["']/ nocase
    $item = /\beval\s?\(\s?(System\.Web\.HttpContext\.Current\.)?Request/ nocase
    $process = /(PowerShell\.Create|RunspaceFactory|Process\.Start|ProcessStartInfo|New\s{1,3}Process\s?\(|System\.Diagnostics|myProcess)/ nocase
    $assembly = /(Assembly\.Load|Assembly\)\s?\.GetMethod|Activator\.CreateInstance|CreateInstance\s?\(|CSharpCodeProvider|CompileAssemblyFrom)/ nocase
    $body = /Request\s?(\.(BinaryRead|InputStream|Form|QueryString|Params|Item|Files|Headers|Cookies))?\s?[\[(.]/ nocase
    $write = /(File\.(WriteAll\w{4,5}|Create\w{0,4}|AppendAll\w{4}|Delete|Move|Copy)|\.SaveAs|StreamWriter|FileStream)\s?\(/ nocase
    $list = /(Directory\.(Get\w{4,14}|Delete)|DirectoryInfo|DriveInfo|GetLogicalDrives)\b/ nocase
    $query = /(SqlConnection|OleDbConnection|OdbcConnection)\s?\(/ nocase
    $pinvoke = /DllImport\s?\(\s?["'](kernel32|advapi32|ws2_32)/ nocase
    $text = /(\.text\b|\.FileBytes|\.PostedFile|FileUpload)/ nocase
  condition:
    $unsafe or $item or ($page and (($process and ($body or $text)) or ($assembly and $body) or ($write and ($body or $text)) or ($list and ($body or $text)) or ($query and ($body or $text)) or $pinvoke))
}

rule java_shell {
  meta:
    label = "A JSP shell"
    severity = "confirmed"
    on = "page"
  strings:
    $page = /(<%|<jsp:|extends\s{1,3}HttpServlet)/
    $ask = /(request|req|httpServletRequest)\s?\.\s?get(Parameter(Values|Map|Names)?|Reader|InputStream|Header|QueryString|Part)\s?\(/
    $upload = /(ServletFileUpload|SmartUpload|MultipartRequest|DiskFileItemFactory|parseRequest\s?\()/
    $runtime = /(getRuntime\s?\(|java\.lang\.Runtime|["']getRuntime["'])/
    $builder = /new\s{1,3}(java\.lang\.)?ProcessBuilder/
    $define = /(defineClass\s?\(|["']defineClass["']|extends\s{1,3}ClassLoader|URLClassLoader)/
    $script = /(ScriptEngineManager|GroovyShell|ExpressionFactory|SpelExpressionParser)/
    $invoke = /\.getMethod\s?\([^;]{0,100}invoke\s?\(|\.invoke\s?\([^;]{0,60}/
    $write = /(FileOutputStream|FileWriter|RandomAccessFile|\.write\s?\(\s?new\s{1,3}File|PrintWriter\s?\(\s?new\s+File)/
    $change = /\.(delete|renameTo|mkdirs?|listFiles|listRoots|list)\s?\(/
    $file = /new\s{1,3}(java\.io\.)?File\s?\(/
    $sql = /DriverManager\s?\.\s?getConnection\s?\([^;]{0,60}(request|getParameter|\w)/
    $driver = /Class\.forName\s?\(\s?request/
    $escaped = /(\\u00[2-7][0-9a-fA-F]){5}/
    $bytes = /new\s{1,3}byte\s?\[\s?\]\s?\{\s?\d{2,3}\s?,\s?\d{2,3}/
    $tomcat = /(StandardContext|ServletRegistration|addFilter(Map)?Before|FilterDef)\b/
  condition:
    $page and ($escaped or (($ask or $upload) and ($runtime or $builder or $define or $script or $write or $driver or ($file and $change) or ($invoke and $bytes) or $tomcat)) or ($runtime and $builder) or ($sql and $driver))
}

rule coldfusion_shell {
  meta:
    label = "A ColdFusion shell"
    severity = "confirmed"
    on = "page"
  strings:
    $run = /<cfexecute\b/ nocase
    $evaluate = /\bevaluate\s?\(\s?["']?#?(form|url|cgi)\b/ nocase
    $file = /<cffile\b[^>]{0,200}action\s?=\s?["']?(upload|write|delete|append|rename)[^>]{0,300}#?(form|url)\./ nocase
    $folder = /<cfdirectory\b[^>]{0,200}#(form|url)?/ nocase
    $ask = /\b(form|url)\.\w/ nocase
    $java = /createObject\s?\(\s?["']java["']\s?,\s?["']java\.lang\.(Runtime|ProcessBuilder)/ nocase
  condition:
    ($run and $ask) or $evaluate or $file or ($folder and $ask) or $java
}

rule script_shell {
  meta:
    label = "A shell in a script of the server"
    severity = "confirmed"
    on = "script"
  strings:
    $perl = /^\s{0,20}(#!\s?\S{0,40}perl|use (strict|CGI|warnings|Socket|IO::Socket)\b)/
    $perl_library = /\nuse lib\s/
    $perl_module = /\n?package\s[A-Z]\w+(::\w+){0,6};/
    $perl_ask = /(\$ENV\{\s?['"]?(QUERY_STRING|CONTENT_LENGTH|REQUEST_METHOD|HTTP_COOKIE)|\bparam\s?\(\s?['"]|use CGI\b|->param\()/
    $perl_run = /(`[^`\n]{0,40}\$\w{1,30}|\bsystem\s?[\s(]\s?["']?\$|\bexec\s?[\s(]\s?["']?\$|\bopen\s?\(?\s?[^;\n]{0,80}["'.\w]\s?\|\s?["']|\bopen\s?\([^;\n]{0,40}["']-\|["']|qx\s?[{\/(]|\beval\s?\(?\s?\$)/
    $perl_socket = /(use (IO::)?Socket|IO::Socket::INET|sockaddr_in)/
    $perl_handles = /open\s?\(?\s?STD(IN|OUT|ERR)\s?,\s?["'][<>+]{1,2}&/
    $perl_shell = /(exec|system)[\s({]{1,3}[^;]{0,40}(\/bin\/(ba)?sh|\$shell|\$system|\$SHELL|cmd\.exe)/
    $sh = /^#!\s?\S{0,40}(\/|\s)(ba|da|k|z|c)?sh\b/
    $sh_ask = /\$\{?(QUERY_STRING|HTTP_[A-Z_]{3,30}|CONTENT_LENGTH)/
    $sh_run = /(\beval\b|\b(ba)?sh\s{1,3}-c|\bbase64\s{1,3}(-d|--decode)|^\s{0,8}\$(CMD|cmd|c|QUERY_STRING)\b)/
    $python_ask = /(cgi\.FieldStorage|form\.getvalue|request\.(args|form|values|json|params|GET|POST)\b|self\.(get_argument|rfile)|os\.environ(\.get\(|\[)\s?['"]QUERY_STRING)/
    $python_run = /(os\.(system|popen\d?|exec[vl]\w{0,2})|subprocess\.(call|Popen|run|check_output|getoutput|getstatusoutput)|commands\.get(status)?output|\bexec|\beval)\s?\(/
    $python_module = /\n(class \w+\([\w.]{1,60}\)|from (django|\.)[\w.]{0,60} import)/
    $ruby = /(require\s?\(?['"](cgi|sinatra|webrick)['"]|CGI\.new|params\[)/
    $ruby_run = /(`[^`\n]{0,60}#\{|%x[({]|\bsystem\s?\(|IO\.popen|Open3\.)/
    $node = /child_process/
    $node_ask = /(req(uest)?\.(query|body|url|params|headers)|url\.parse\s?\(|createServer\s?\()/
    $node_run = /\b(exec|execSync|spawn|spawnSync|execFile)\s?\(/
    $include = /<!--\s?#exec\s{1,4}cmd\s?=/
    $lua = /(os\.execute|io\.popen)\s?\(/
    $lua_ask = /(ngx\.(req|var)|QUERY_STRING|cgilua)/
  condition:
    ($perl and $perl_ask and $perl_run and not $perl_module and filesize < 200000) or ($perl_socket and ($perl_handles or $perl_shell) and not $perl_module and not $perl_library and filesize < 30000) or ($sh and $sh_ask and $sh_run)
    or ($python_ask and $python_run and not $python_module) or ($ruby and $ruby_run and not $perl_module and not $python_module) or ($node and $node_ask and $node_run) or $include or ($lua and $lua_ask)
}

rule foreign_tool {
  meta:
    label = "A page for another kind of web server that reaches into the server"
    severity = "suspicious"
    on = "page"
  strings:
    $code = /(<%|<jsp:|runat\s{0,2}=\s{0,2}["']?server|<cf(set|query|execute|file|http|directory)\b)/ nocase
    $ask = /\b(request|httpcontext|form\.\w|url\.\w|cgi\.\w)/ nocase
    $objects = /(createobject|getobject|clsid:)[^\n]{0,80}/ nocase
    $streams = /(new\s{1,3}(java\.io\.|java\.net\.|System\.IO\.)?(File|Socket|ServerSocket|URL|URLClassLoader|FileInputStream|StreamReader|StreamWriter|TcpClient|WebClient|DirectoryInfo|InetSocketAddress)\s?\(|SocketChannel\.open)/
    $reflection = /(\.getMethod\s?\(|\.GetMethod\s?\(|\.newInstance\s?\(|\.CreateInstance\s?\(|Class\.forName\s?\(|ClassLoader|typeof\s?\()/
    $runs = /(getRuntime|ProcessBuilder|Process\.Start|ProcessStartInfo|<cfexecute|\bshell\b|cmd\.exe|\/bin\/(ba)?sh)/ nocase
    $evaluates = /\b(eval|execute|executeglobal)\b\s?[\s("]/ nocase
    $secret = /(SecretKeySpec|RijndaelManaged|CreateDecryptor|AesManaged|FromBase64String|BASE64Decoder|Base64\.getDecoder)/
    $database = /(adodb\.connection|OleDbConnection|SqlConnection|DriverManager|<cfquery)/ nocase
    $variables = /for\s{1,4}each\s{1,4}\w{1,20}\s{1,4}in\s{1,4}request\.servervariables/ nocase
  condition:
    $code and $ask and ($streams or $runs or $evaluates or $secret or $database or $variables or ($reflection and filesize < 20000) or ($objects and filesize < 20000))
}

rule program_that_listens {
  meta:
    label = "Runs what comes over a connection as a command"
    severity = "suspicious"
    on = "script"
  strings:
    $python = /socket\.socket\s?\(/
    $python_take = /\.recv\s?\(/
    $python_run = /(os\.(system|popen\d?)|subprocess\.|commands\.get|pty\.spawn|\bexec\s?\()/
    $perl = /(use (IO::)?Socket|IO::Socket::INET|socket\s?\(\s?\w{1,20}\s?,)/
    $perl_run = /(`[^`\n]{0,40}\$|\bsystem\s?[\s("]{1,2}\$|\bexec\s?[\s({"']{1,3}|open\s?\(?\s?STD(IN|OUT))/
    $perl_take = /(accept\s?\(|connect\s?\(|PeerAddr|<\$?\w{1,20}>)/
    $ruby = /TCPSocket\.(new|open)/
    $ruby_run = /(IO\.popen|`|%x|exec|\$stdin\.reopen)/
    $node = /require\s?\(\s?['"](net|child_process)['"]\s?\)[^;]{0,200};?[^;]{0,400}(spawn|exec)\s?\(/
    $node_net = /\.(connect|createServer)\s?\(/
    $lua = /require\s?\(?['"]socket/
    $lua_run = /(os\.execute|io\.popen)/
    $module = /\n?package\s[A-Z]\w+(::\w+){0,6};/
  condition:
    not $module and filesize < 60000 and (($python and $python_take and $python_run) or ($perl and $perl_run and $perl_take) or ($ruby and $ruby_run) or ($node and $node_net) or ($lua and $lua_run))
}

rule script_that_shows_files {
  meta:
    label = "Shows or takes any file of the server, in a script of the server"
    severity = "suspicious"
    on = "script"
  strings:
    $perl = /^\s{0,20}#!\s?\S{0,40}perl/
    $perl_ask = /(\$ENV\{\s?['"]?(QUERY_STRING|CONTENT_LENGTH)|use CGI\b|->param\()/
    $perl_file = /(\bopen\s?\(\s?\w{1,20}\s?,\s?["']?\s?[<>+]{0,2}\s?["']?\s?\.?\s?\$|\bopendir\s?\(\s?\w{1,20}\s?,\s?["']?\$|\bunlink\s?\(?\s?["']?\$)/
    $python_ask = /(cgi\.FieldStorage|os\.environ(\.get\(|\[)\s?['"]QUERY_STRING)/
    $python_file = /(\bopen\s?\(|os\.(listdir|remove|rename|walk)\s?\()/
    $module = /\n?package\s[A-Z]\w+(::\w+){0,6};/
  condition:
    not $module and filesize < 60000 and (($perl and $perl_ask and $perl_file) or ($python_ask and $python_file))
}
