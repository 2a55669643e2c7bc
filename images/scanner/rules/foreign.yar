// Shells in other languages than PHP. WordPress needs none of these files.

rule asp_shell {
  meta:
    label = "An ASP shell"
    severity = "confirmed"
    on = "script"
  strings:
    $run = /\b(eval|execute|executeglobal|executestatement)\b[\s(]{0,4}["']?\s?(request|session)\s?[\s.(\["]/ nocase
    $encoded = "#@~^"
    $language = /(<%|runat\s?=\s?["']?server)/ nocase
    $ask = /\brequest\s?(\.(form|querystring|item|params|binaryread|files|totalbytes|cookies|servervariables)\s?)?[\[(.]/ nocase
    $shell = /(wscript\.shell|shell\.application|72C24DD5-D70A-438B-8A42-98424B88AFB8|13709620-C279-11CE-A49E-444553540000|93F0BE1C|WshShell)/ nocase
    $files = /(scripting\.filesystemobject|0D43FE01-F093-11CF-8940-00A0C9054228)/ nocase
    $stream = /adodb\.stream/ nocase
    $control = /scriptcontrol/ nocase
    $change = /\.(createtextfile|opentextfile|deletefile|deletefolder|copyfile|movefile|savetofile|getfolder|getfile|drives)\b/ nocase
    $reversed = /\b(execute|eval|executeglobal)\b[\s(]{1,4}\w{1,30}\s?\(/ nocase
    $given = /\b(execute|eval|executeglobal)\b[\s(]{1,4}\w{1,30}\s?(\)|%>|\r?\n|$)/ nocase
  condition:
    $run or ($encoded and $language) or ($language and (($ask and ($shell or $control)) or ($ask and ($files or $stream) and $change) or ($ask and $given) or $reversed))
}

rule aspnet_shell {
  meta:
    label = "An ASP.NET shell"
    severity = "confirmed"
    on = "script"
  strings:
    $page = /<%@\s{0,4}(page|webhandler|webservice|control|import|assembly)/ nocase
    $unsafe = /\beval\s?\([^;]{0,200}["']unsafe["']/ nocase
    $item = /\beval\s?\(\s?(System\.Web\.HttpContext\.Current\.)?Request/ nocase
    $process = /(Process\.Start|ProcessStartInfo|New\s{1,3}Process\s?\(|System\.Diagnostics|myProcess)/ nocase
    $assembly = /(Assembly\.Load|Activator\.CreateInstance|CreateInstance\s?\(|CSharpCodeProvider|CompileAssemblyFrom)/ nocase
    $body = /Request\s?(\.(BinaryRead|InputStream|Form|QueryString|Params|Item|Files|Headers|Cookies))?\s?[\[(.]/ nocase
    $write = /(File\.(WriteAll\w{4,5}|Create\w{0,4}|AppendAll\w{4}|Delete|Move|Copy)|\.SaveAs|StreamWriter|FileStream)\s?\(/ nocase
    $list = /(Directory\.(Get\w{4,14}|Delete)|DirectoryInfo|DriveInfo|GetLogicalDrives)\b/ nocase
    $query = /(SqlConnection|OleDbConnection|OdbcConnection)\s?\(/ nocase
    $pinvoke = /DllImport\s?\(\s?["'](kernel32|advapi32|ws2_32)/ nocase
    $text = /\.text\b/ nocase
  condition:
    $unsafe or $item or ($page and (($process and ($body or $text)) or ($assembly and $body) or ($write and ($body or $text)) or ($list and ($body or $text)) or ($query and ($body or $text)) or $pinvoke))
}

rule java_shell {
  meta:
    label = "A JSP shell"
    severity = "confirmed"
    on = "script"
  strings:
    $page = /(<%|<jsp:)/
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
    on = "script"
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
    $perl = /^#!\s?\S{0,40}perl/
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
    $ruby = /(require\s?\(?['"](cgi|sinatra|webrick)['"]|CGI\.new|params\[)/
    $ruby_run = /(`[^`\n]{0,60}#\{|%x[({]|\bsystem\s?\(|IO\.popen|Open3\.)/
    $node = /child_process/
    $node_ask = /(req(uest)?\.(query|body|url|params|headers)|url\.parse\s?\(|createServer\s?\()/
    $node_run = /\b(exec|execSync|spawn|spawnSync|execFile)\s?\(/
    $include = /<!--\s?#exec\s{1,4}cmd\s?=/
    $lua = /(os\.execute|io\.popen)\s?\(/
    $lua_ask = /(ngx\.(req|var)|QUERY_STRING|cgilua)/
  condition:
    ($perl and $perl_ask and $perl_run) or ($perl_socket and ($perl_handles or $perl_shell)) or ($sh and $sh_ask and $sh_run)
    or ($python_ask and $python_run) or ($ruby and $ruby_run) or ($node and $node_ask and $node_run) or $include or ($lua and $lua_ask)
}
