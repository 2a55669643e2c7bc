// Tools of attackers: shells, file managers, uploaders, and what they bring with them.

rule file_manager {
  meta:
    label = "Lets a visitor change any file of the server"
    severity = "confirmed"
    on = "code"
  strings:
    $unlink = /[^>:] unlink\(@?\$_INPUT/
    $chmod = /[^>:] chmod\(@?\$_INPUT/
    $rename = /[^>:] rename\(@?\$_INPUT/
    $rmdir = /[^>:] rmdir\(@?\$_INPUT/
    $mkdir = /[^>:] mkdir\(@?\$_INPUT/
    $fopen = /[^>:] fopen\(@?\$_INPUT/
    $read = /[^>:] (file_get_contents|readfile|highlight_file|show_source|file)\(@?\$_INPUT/
    $write = /[^>:] file_put_contents\(@?\$_INPUT/
    $list = /[^>:] (scandir|opendir|glob|dir)\(@?\$_INPUT/
    $touch = /[^>:] touch\(@?\$_INPUT/
    $upload = /[^>:] (move_uploaded_file|copy)\(@?\$_INPUT/
    $chdir = /[^>:] chdir\(@?\$_INPUT/
    $wordpress = / (current_user_can|check_admin_referer|check_ajax_referer|wp_verify_nonce)\(/
  condition:
    4 of ($unlink, $chmod, $rename, $rmdir, $mkdir, $fopen, $read, $write, $list, $touch, $upload, $chdir) and not $wordpress
}

rule some_file_manager {
  meta:
    label = "Changes files that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $unlink = /[^>:] unlink\(@?\$_INPUT/
    $chmod = /[^>:] chmod\(@?\$_INPUT/
    $rename = /[^>:] rename\(@?\$_INPUT/
    $fopen = /[^>:] fopen\(@?\$_INPUT/
    $read = /[^>:] (file_get_contents|readfile|highlight_file|show_source)\(@?\$_INPUT/
    $write = /[^>:] file_put_contents\(@?\$_INPUT/
    $list = /[^>:] (scandir|opendir)\(@?\$_INPUT/
    $chdir = /[^>:] chdir\(@?\$_INPUT/
    $wordpress = / (current_user_can|check_admin_referer|check_ajax_referer|wp_verify_nonce|apply_filters|add_action)\(/
  condition:
    (3 of ($unlink, $chmod, $rename, $fopen, $read, $write, $list, $chdir) or (2 of ($unlink, $chmod, $rename, $fopen, $read, $write, $list, $chdir) and filesize < 4000)) and not $wordpress
}

rule many_ways_to_run {
  meta:
    label = "Tries every way to run commands of the server"
    severity = "suspicious"
    on = "code"
  strings:
    $a = /[^>:] passthru\(/
    $b = /[^>:] shell_exec\(/
    $c = /[^>:] system\(/
    $d = /[^>:] popen\(/
    $e = /[^>:] proc_open\(/
    $f = /[^>:] exec\(/
    $g = /[^>:] pcntl_exec\(/
    $input = "$_INPUT"
    $form = /HTML;/
  condition:
    4 of ($a, $b, $c, $d, $e, $f, $g) and ($input or $form) and filesize < 500000
}

rule server_tour {
  meta:
    label = "Shows the server to a visitor: its system, its owners, its files"
    severity = "suspicious"
    on = "code"
  strings:
    $a = / php_uname\(/
    $b = / (posix_getpwuid|posix_getgrgid|posix_getuid|get_current_user|getmyuid)\(/
    $c = / fileperms\(/
    $d = /'disable_functions'/
    $e = /'(safe_mode|open_basedir)'/
    $f = / (disk_free_space|disk_total_space|diskfreespace)\(/
    $g = /'\/etc\/passwd|'\/etc\/shadow/
    $h = /[^>:] (system|shell_exec|exec|passthru|popen|proc_open)\(/
    $i = / (move_uploaded_file|chmod|touch|unlink)\(/
    $input = "$_INPUT"
    $wordpress = / (current_user_can|add_action|apply_filters|__|esc_html__)\(/
  condition:
    5 of ($a, $b, $c, $d, $e, $f, $g, $h, $i) and $input and not $wordpress
}

rule uploader {
  meta:
    label = "Takes any file from anyone and keeps it under its name"
    severity = "suspicious"
    on = "code"
  strings:
    $move = / (move_uploaded_file|copy)\(@?\$_INPUT/
    $archive = /> ?open\(@?\$_INPUT| new phar(data)?\(@?\$_INPUT/
    $unpack = /> ?extractto\(/
    $wordpress = / (current_user_can|wp_verify_nonce|check_admin_referer|check_ajax_referer|wp_handle_upload|defined|add_action|wp_check_filetype|namespace|pathinfo|in_array|getimagesize|finfo_open|finfo_file|mime_content_type|preg_match|extends)(\(| )/
  condition:
    ($move or ($archive and $unpack)) and not $wordpress and filesize < 20000
}

rule reverse_shell {
  meta:
    label = "Opens a command line of the server to someone elsewhere"
    severity = "confirmed"
    on = "raw"
  strings:
    $dev = /bash -i\s?>&\s?\/dev\/tcp\//
    $device = /\/dev\/tcp\/(\d{1,3}\.){3}\d{1,3}\/\d{2,5}/
    $socket = /(fsockopen|stream_socket_client|socket_connect)\s?\(/
    $process = /(proc_open|popen|shell_exec|pcntl_exec)\s?\(/
    $shell = /['"\s](\/bin\/(sh|bash)|cmd\.exe)(\s-i)?['"\s;]/
    $handles = /\bsh\s{1,3}(-i\s{1,3})?<\s?&\s?\d\s{0,2}>\s?&\s?\d/
    $netcat = /\bnc(at)?\s{1,3}(-e|-c)\s{1,3}\/bin\/(sh|bash)/
    $perl = /use Socket;.{0,300}exec\s?[\({]?["']\/bin\/(sh|bash)/s
    $python = /socket\.socket\(.{0,400}(os\.dup2|subprocess\.(call|Popen)|pty\.spawn)\(/s
  condition:
    $dev or $device or $handles or $netcat or $perl or $python or ($socket and $process and $shell and filesize < 200000)
}

rule guarded_shell {
  meta:
    label = "Waits for a secret password, then runs code"
    severity = "suspicious"
    on = "code"
  strings:
    $md5 = / (md5|sha1|crc32)\((@| md5\(| sha1\()*\$_INPUT[^;]{0,60}[=!]==?'[0-9a-f]{32,40}'/
    $turned = /'[0-9a-f]{32,40}'[=!]==?\s?(md5|sha1)\((@| md5\()*\$_INPUT/
    $hashed = / (md5|sha1)\((@| md5\(| sha1\()*\$_INPUT(\[[^\]]{0,40}\])?\){1,3}[=!]==?\$/
    $hash = /[=>(]'([0-9a-f]{32}|[0-9a-f]{40})'[,;)]/
    $known = / (namespace|add_action|add_filter|apply_filters|current_user_can|extends)[ (]/
  condition:
    $md5 or $turned or ($hashed and $hash and not $known)
}

rule cloaking {
  meta:
    label = "Shows search engines something else than visitors"
    severity = "suspicious"
    on = "code"
  strings:
    $agent = / (stripos|strpos|preg_match|stristr|strstr|eregi|preg_match_all|in_array)\([^;]{0,300}(googlebot|bingbot|yandexbot|slurp|baiduspider|google\|yahoo|bot\|google)[^;]{0,300}/ nocase
    $bots = /'[^']{0,20}(googlebot|baiduspider|bingbot|yandexbot|slurp)[^']{0,20}'/ nocase
    $engines = /'[^']{0,60}(google|yahoo|bing|yandex|msn|aol|baidu)\|(google|yahoo|bing|yandex|msn|aol|baidu)\|/ nocase
    $host = / gethostbyaddr\(/
    $input = "$_INPUT"
    $fetch = / (file_get_contents|curl_exec|fsockopen)\(/
    $remote = /'https?:\/\/[^']{4,}|DECODED'/
    $leave = / (exit|die|header)[\(;]/
    $wordpress = / (add_filter|apply_filters|get_option|__)\(/
  condition:
    ($agent or #bots > 1 or ($engines and $host and filesize < 25000)) and $input and $fetch and $remote and $leave and not $wordpress
}

rule miner {
  meta:
    label = "Mines money on the server"
    severity = "confirmed"
    on = "raw"
  strings:
    $pool = /stratum\+(tcp|ssl):\/\/[a-z0-9.-]{4,80}:\d{2,5}/
    $script = /(new\s{1,3}CoinHive\.(Anonymous|User)|coinhive\.min\.js|coin-hive\.com\/lib)/
  condition:
    any of them
}

rule php_in_picture {
  meta:
    label = "Hides PHP that runs code in a picture or another file that is no PHP"
    severity = "confirmed"
    on = "media"
  strings:
    $tag = /<\?(php\s|=\s?[$(@'"`])/ nocase
    $shell = /<\?(php|=)?\s?(echo|print)?\s?`[^`]{0,100}\$_(GET|POST|REQUEST|COOKIE)/
    $runs = /(eval|assert|system|passthru|shell_exec|create_function|base64_decode|gzinflate|call_user_func|move_uploaded_file|file_put_contents|proc_open|popen)\s{0,5}\(/ nocase
    $named = /\$[\w\[\]'"]{1,40}\s?\(\s?@?\$_(GET|POST|REQUEST|COOKIE)/
    $request = /\$(_(GET|POST|REQUEST|COOKIE|SERVER|FILES)|GLOBALS|\{)/
  condition:
    $tag and ($runs or $named) and $request or $shell
}

rule php_tag_in_picture {
  meta:
    label = "PHP in a picture"
    severity = "suspicious"
    on = "picture"
  strings:
    $tag = /<\?php\s/ nocase
  condition:
    $tag
}

rule handler_for_pictures {
  meta:
    label = "Makes the web server run pictures or texts as PHP"
    severity = "confirmed"
    on = "config"
  strings:
    $type = /(AddHandler|AddType|SetHandler)\s{1,10}["']?(application\/x-httpd-(php|ea-php)|php\d?-script|x-httpd-php)[^\n]{0,40}\.(jpg|jpeg|png|gif|ico|txt|css|bmp|svg|pdf|html?)/ nocase
    $match = /<Files(Match)?\s{1,4}[^>\n]{0,80}\.?\(?(jpg|jpeg|png|gif|ico|txt|css|suspected)[^>\n]{0,80}>[^<]{0,200}(SetHandler|ForceType)\s{1,4}["']?(application\/x-httpd|php)/ nocase
  condition:
    any of them
}

rule code_before_every_page {
  meta:
    label = "Runs a file before every page"
    severity = "suspicious"
    on = "config"
  strings:
    $prepend = /auto_(prepend|append)_file["']?\s{0,5}[=\s]\s{0,5}["']?[^\s"']{3,200}/ nocase
    $firewall = /wordfence-waf\.php|aios-bootstrap\.php|bps-.{0,20}\.php/
    $base = /auto_(prepend|append)_file["']?\s{0,5}[=\s]\s{0,5}["']?(data:|php:|https?:|[^\s"']{1,160}\.(jpg|jpeg|png|gif|ico|txt|log|css))/ nocase
  condition:
    $base or ($prepend and not $firewall)
}

rule shell_habits {
  meta:
    label = "Prepares itself as shells do: no time limit, no log, no errors"
    severity = "suspicious"
    on = "code"
  strings:
    $a = / error_reporting\( 0\)/
    $b = / set_time_limit\( 0\)/
    $c = / ignore_user_abort\(/
    $d = / ini_set\('(error_log|log_errors|display_errors|max_execution_time)'/
    $e = / (get_magic_quotes_gpc|set_magic_quotes_runtime|magic_quotes_runtime)\(/
    $runs = /[^>:] (system|shell_exec|exec|passthru|popen|proc_open|eval|assert|create_function)\(@?["$]/
    $takes = /[^>:] (move_uploaded_file|fsockopen|posix_getpwuid|symlink)\(/
    $input = "$_INPUT"
    $wordpress = / (add_action|add_filter|apply_filters|current_user_can|namespace|class)[ (]/
  condition:
    3 of ($a, $b, $c, $d, $e) and $input and ($runs or $takes) and not $wordpress
}

rule settings_of_others {
  meta:
    label = "Collects the passwords of all sites of the server"
    severity = "suspicious"
    on = "raw"
  strings:
    $home = /\/home\d?\/|\/etc\/passwd|\/var\/www\/vhosts/
    $public = /public_html|httpdocs|\/domains\//
    $take = /\b(symlink|link|file_get_contents|copy|fopen|readlink|ln\s-s)\b/
    $settings = /(wp-config|configuration|config\.inc|conf_global|settings|connect|submitticket|includes\/config)\.php/
    $symlink = /\bsymlink\s?\(|\bln\s-s\b/
    $every = /\bglob\s?\(\s?['"]\/[^'"\n]{0,60}\*[^'"\n]{0,60}(wp-config|configuration)\.php/
    $own = /\b(add_action|current_user_can|wp_verify_nonce|namespace)\b/
  condition:
    ($every or ($home and $public and $take and ((#settings > 1 and $symlink) or #settings > 4))) and not $own
}

rule bot {
  meta:
    label = "Takes commands from a chat"
    severity = "confirmed"
    on = "raw"
  strings:
    $talk = "PRIVMSG"
    $answer = /\bPONG\b/
    $name = /\bNICK\b/
    $socket = /(fsockopen|stream_socket_client|socket_connect|IO::Socket|socket\.socket)/
    $run = /\b(shell_exec|passthru|popen|proc_open|system|eval|exec|udpflood|tcpflood)\b|`\$/
  condition:
    $talk and ($answer or $name) and $socket and $run and filesize < 500000
}

rule flood {
  meta:
    label = "Floods this server or others"
    severity = "suspicious"
    on = "code"
  strings:
    $forks = / (while\( (1|true)\)|for\(;;\))\{?\s{0,40} pcntl_fork\(/
    $udp = / fsockopen\([^;]{0,40}'(udp|tcp):\/\/'\.[^;]{0,40}\$_INPUT/
    $host = / (fsockopen|socket_sendto|stream_socket_client)\([^;]{0,60}\$_INPUT/
    $loop = / while\( (1|true)\)/
    $random = / (rand|mt_rand)\( ?\d+, ?\d+\)/
    $ports = / for\([^;]{1,60};[^;]{0,40}(65535|65536|65000|1024|49151|10000|\$_INPUT)[^;]{0,20};[^)]{0,40}\)[^;]{0,60} (fsockopen|stream_socket_client|socket_connect)\(/
    $known = / (namespace|class|add_action|apply_filters)[ (]/
  condition:
    $udp or $forks or ($ports and not $known) or ($host and $loop and $random and not $known)
}

rule tries_passwords {
  meta:
    label = "Tries passwords of other services"
    severity = "suspicious"
    on = "code"
  strings:
    $ports = /:?(2082|2083|2086|2087)['"\/]/
    $page = /wp-login\.php'/
    $guess = /'[^']{0,40}(log=|pwd=)/
    $loop = / (foreach|for|while)\(/
    $tried = / (ftp_login|mysql_connect|mysqli_connect|imap_open|ssh2_auth_password|pg_connect)\([^;]{0,80}\$_INPUT[^;,]{0,20},(@| trim\()*\$_INPUT/
    $guessed = / (ssh2_auth_password|ftp_login|imap_open)\([^;]{0,80}\$_INPUT/
    $lists = / (explode|file|preg_split|split)\([^;]{0,60}\$_INPUT/
    $login = / (ftp_login|mysql_connect|mysqli_connect|curl_exec|imap_open|ssh2_auth_password)\(/
    $input = "$_INPUT"
    $known = / (namespace|add_action|apply_filters|current_user_can)[ (]/
  condition:
    ((($ports or ($page and $guess)) and $login and $input) or ($loop and $tried) or ($loop and $guessed and $lists)) and not $known
}

rule way_around_limits {
  meta:
    label = "Gets around what PHP may not do on this server"
    severity = "suspicious"
    on = "code"
  strings:
    $preload = / putenv\([^;]{0,60}'LD_PRELOAD/
    $mailbox = / imap_open\(/
    $proxy = /oProxyCommand/
    $native = / ffi:: ?cdef\([^;]{0,100}(system|popen|exec)</
    $safe = / ini_restore\('(safe_mode|open_basedir)'\)/
    $root = / symlink\(@?(DECODED)?'\/'/
    $sheet = /> ?registerphpfunctions\(/
    $input = "$_INPUT"
    $packed = / (copy|fopen|file_get_contents|readfile|file)\((DECODED)?'compress\.(zlib|bzip2):\/\/'\.[^;]{0,40}\$_INPUT/
    $told = /'[^']{0,4}safe.{0,2} ?mode.{0,3}restriction/ nocase
    $handler = / set_error_handler\(/
    $perl = / new perl\(/
    $perl_run = /> ?eval\(/
  condition:
    $preload or ($mailbox and $proxy) or $native or $safe or $root or ($perl and $perl_run) or ($sheet and $input) or $packed or ($told and $handler)
}

rule new_administrator {
  meta:
    label = "Makes an administrator by itself"
    severity = "suspicious"
    on = "code"
  strings:
    $loads = / (require|include)(_once)?[ (@]{0,3}[^;]{0,80}(wp-load|wp-blog-header|wp-config|wp-includes\/registration)\.php'/
    $creates = / wp_(create|insert)_user\(/
    $role = /'administrator'/
    $hides = /'pre_user_query'/
    $where = /(query_where|user_login)[^;]{0,80}(!=|<>)|> ?query_where=/
    $checked = / (current_user_can|wp_verify_nonce|check_admin_referer|check_ajax_referer)\(/
  condition:
    ($creates and $role and not $checked and ($loads or ($hides and $where)))
}

rule code_in_settings {
  meta:
    label = "PHP in a file with settings of the web server"
    severity = "confirmed"
    on = "config"
  strings:
    $tag = /<\?(php\s|=)/ nocase
  condition:
    $tag
}

rule settings_that_run {
  meta:
    label = "Makes the web server run everything, or only files of an attacker"
    severity = "suspicious"
    on = "config"
  strings:
    $all = /^\s{0,10}(SetHandler|ForceType)\s{1,10}["']?(application\/x-httpd-php|php\d?-script|x-httpd-php)/ nocase
    $itself = /(AddHandler|AddType)\s{1,10}[^\n]{0,60}(php|cgi-script)[^\n]{0,40}\.(ht\w*|suspected|haxor|shell|root|x|cgi|pl|alfa)\b/ nocase
    $cgi = /Options\s[^\n]{0,60}\+?ExecCGI/ nocase
    $only = /(wso|lock360|radio|alfa|mah|votes|admin\.php\|wp-login)\w{0,10}\.php[^\n>]{0,200}>\s{0,5}(Order|Require|Allow)/ nocase
  condition:
    $all or $itself or $only or ($cgi and $itself)
}

rule visitors_led_away {
  meta:
    label = "Leads visitors of search engines to another site"
    severity = "suspicious"
    on = "config"
  strings:
    $from = /RewriteCond\s{1,4}%\{HTTP_(REFERER|USER_AGENT)\}[^\n]{0,200}(google|yahoo|bing|yandex)/ nocase
    $to = /RewriteRule\s[^\n]{0,80}\shttps?:\/\/[^%$\s]{4,}/ nocase
  condition:
    $from and $to
}

rule defacement {
  meta:
    label = "Replaces pages with the mark of an attacker"
    severity = "suspicious"
    on = "code"
  strings:
    $mark = /'[^'\n]{0,100}\b(hacked|defaced|0wned|pwned|h4ck\w{1,4}|been owned|got owned) by\b/ nocase
    $write = /[^>:] (file_put_contents|fwrite|fputs|copy|move_uploaded_file|symlink)\(/
  condition:
    $mark and $write
}

rule memory_tricks {
  meta:
    label = "Reads the memory of PHP itself to run what it may not"
    severity = "confirmed"
    on = "code"
  strings:
    $name = / function (leak\d?|read\d?|write\d?|str2ptr|ptr2str|parse_elf|rel_read|get_binary_base|get_basic_funcs|get_system|trigger_uaf|heap_leak|alloc|copy_closure|i2s|s2i|str2int)\(/
    $up = /<<=?( ?8|\( ?8)/
    $down = />>=?( ?8|\( ?8)/
    $low = /& ?(0xff|255)/
    $free = / (debug_backtrace|gc_collect_cycles|splobjectstorage|spldoublylinkedlist|unserialize|__destruct|gettrace|str_shuffle|concat|set_error_handler)\(/
    $elf = /(0x464c457f|elf|zif_|0x10,2|0x18|0x68)/
  condition:
    #name > 2 and ($up or $down) and $low and ($free or $elf) and filesize < 60000
}

rule fetches_programs {
  meta:
    label = "Has the server fetch a program and run it"
    severity = "confirmed"
    on = "code"
  strings:
    $run = /[^>:] (system|passthru|exec|shell_exec|popen|proc_open)\((@|\()*(DECODED)?'[^']{0,60}\b(wget|curl|fetch|lwp-download|lynx)\b[^']{0,80}(;|\||&&)[^']{0,40}\b(perl|python\d?|sh|bash|php|chmod)\b/
  condition:
    $run
}

rule fetches_anything {
  meta:
    label = "Saves anything from an address that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $fetch = /[^>:] (curl_init|file_get_contents|fopen|file)\((@|\()*"?\$_INPUT/
    $address = / (curlopt_url|curlopt_file)[,=]/
    $open = /[^>:] fopen\([^;]{0,120},'[wax]/
    $put = /[^>:] file_put_contents\(/
    $known = / (namespace|add_action|apply_filters|current_user_can|defined|class|interface|wp_verify_nonce)[ (]/
  condition:
    $fetch and (($open and $address) or $put) and not $known and filesize < 4000
}

rule spreads {
  meta:
    label = "Puts PHP into many files of the site"
    severity = "suspicious"
    on = "code"
  strings:
    $loop = / (foreach|while|for)\(/
    $put = /[^>:] (file_put_contents|fwrite|fputs)\(/
    $dated = / touch\(/
    $php = /\.php'/
    $before = /[^>:] (file_put_contents|fwrite|fputs)\([^;,]{0,80},[^;,]{0,20}'<\?(php)?[^']{0,120}'\.\$/
    $old = / (file_get_contents|file|fread)\(/
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|getopt)[ (]/
  condition:
    $loop and not $known and filesize < 20000 and (($before and $old) or ($put and $dated and $php and filesize < 4000))
}

rule looks_around {
  meta:
    label = "Asks the server who it is and what is on it"
    severity = "suspicious"
    on = "code"
  strings:
    $ask = /[^>:] (shell_exec|system|exec|passthru|popen)\('(id|whoami|uname -\w{1,3}|pwd|hostname|w|ver|cat \/etc\/(passwd|shadow|issue)|ls -\w{1,4}[^']{0,20}|netstat -\w{1,5}|ifconfig|ps aux?|net user|dir|ipconfig)'/
    $once = /[^>:] (shell_exec|system|exec|passthru|popen|proc_open)\('(id|whoami|pwd|uname -a|ls -la|cat \/etc\/(passwd|shadow)|net user|ipconfig|ifconfig)[ ;|&']/
    $known = / (namespace|class|interface|add_action|apply_filters|defined)[ (]/
    $line = /\$argv\b/
  condition:
    (#ask > 1 and filesize < 100000 or ($once and not $line and filesize < 4000)) and not $known
}

rule administrator_by_query {
  meta:
    label = "Puts an administrator into the database"
    severity = "suspicious"
    on = "raw"
  strings:
    $insert = /insert\s{1,4}into\s{1,4}.{0,20}users\b/ nocase
    $role = /_capabilities/
    $administrator = /administrator/
    $known = /\b(add_action|apply_filters|namespace|interface)\b/
  condition:
    $insert and $role and $administrator and not $known and filesize < 60000
}
