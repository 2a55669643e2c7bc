// What attackers use a site for, apart from running commands on it: hidden administrators, stolen logins and cards, visitors led
// elsewhere, files fetched, spread, locked or destroyed. Code with on = "code" is the plain form, see input.yar.

rule remote_code_in_plugin {
  meta:
    label = "Runs text as PHP that it has fetched from elsewhere"
    severity = "suspicious"
    on = "code"
  strings:
    $body = /=@? (wp_remote_retrieve_body|wp_remote_fopen|curl_exec)\(/
    $run = /[^>:] (eval|create_function)\((@|\(|'[^']{0,8}',?\.?| (base64_decode|gzinflate|gzuncompress|str_rot13|stripslashes)\()*\$/
    $engine = / (namespace|interface|abstract)[ ;]/
  condition:
    $body and $run and not $engine and filesize < 200000
}

rule upload_without_question {
  meta:
    label = "Keeps any file that anyone uploads in the folder of the site"
    severity = "suspicious"
    on = "code"
  strings:
    $move = /[^>:] (move_uploaded_file|copy|rename)\(@?\$_INPUT[^;,]{0,60},@?( abspath| wp_content_dir|\$_SERVER\['DOCUMENT_ROOT'\]|'\.{0,2}\/?'| dirname\( __file__\)| __dir__)[^;]{0,60}\$_INPUT/
    $page = /[^>:] rename\(@?\$_INPUT\[[^;,]{0,40}'tmp_name'/
    $name = /[^>:] (move_uploaded_file|copy)\(@?\$_INPUT\[[^;,]{0,40}'tmp_name'\],@?\$_INPUT\[[^;,]{0,40}'name'\]\)/
    $checked = / (wp_check_filetype|wp_check_filetype_and_ext|current_user_can|check_ajax_referer|check_admin_referer|wp_verify_nonce|in_array|preg_match|getimagesize|finfo_open|finfo_file|mime_content_type|is_user_logged_in)\(/
  condition:
    ($move or $page or $name) and not $checked
}

rule every_way_to_keep {
  meta:
    label = "Tries every way to keep a file that someone uploads"
    severity = "suspicious"
    on = "code"
  strings:
    $move = /[^>:] move_uploaded_file\(/
    $copy = /[^>:] copy\(/
    $put = /[^>:] (file_put_contents|fwrite|fputs)\([^;,]{1,60},@?\$/
    $read = /[^>:] (file_get_contents|fread)\(/
    $input = "$_INPUT"
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|getimagesize|in_array|mime_content_type|finfo_open|require_once|session_start)[ (]/
  condition:
    all of ($move, $copy, $put, $read) and $input and not $known and filesize < 60000
}

rule hidden_administrator {
  meta:
    label = "Hides a user from the list of users"
    severity = "suspicious"
    on = "raw"
  strings:
    $hook = /add_(action|filter)\s?\(\s?['"]pre_user_query['"]/
    $without = /user_login\s{0,4}(!=|<>|NOT\s{1,4}(IN|LIKE))/ nocase
    $own = /\b(wp_verify_nonce|check_admin_referer|extends|implements)\b/
  condition:
    $hook and $without and not $own
}

rule text_from_elsewhere {
  meta:
    label = "Shows what another server says for this site"
    severity = "suspicious"
    on = "code"
  strings:
    $fetch = /[^>:] (file_get_contents|curl_init|fopen|file|wp_remote_get|curl_setopt|readfile)\([^;']{0,60}(DECODED)?'(https?:)?\/?\/?[^']{3,120}'\.[^;]{0,160}\$_SERVER\['(HTTP_HOST|SERVER_NAME)'\]/
    $show = / (echo|print)[ (@]{0,3}(\$| curl_exec\(| file_get_contents\(| wp_remote_retrieve_body\()|[^>:] readfile\(/
    $known = / (json_decode|simplexml_load_string|get_transient|set_transient|version_compare|namespace|class|interface|esc_html|__|unserialize)[ (]/
  condition:
    $fetch and $show and not $known and filesize < 8000
}

rule locks_others_out {
  meta:
    label = "Writes rules of the web server that keep everyone else out"
    severity = "suspicious"
    on = "raw"
  strings:
    $rule = /<Files(Match)?\s[^>\n]{0,120}(php|phtml|suspected)/ nocase
    $deny = /(deny\s{1,3}from\s{1,3}all|require\s{1,3}all\s{1,3}denied)/ nocase
    $file = ".htaccess"
    $write = /\b(fwrite|fputs|file_put_contents)\s?\(/
    $keep = /\b(chmod|touch)\s?\(/
    $php = /<\?(php|=|\s)/
    $known = /\b(ABSPATH|WPINC|add_action|apply_filters|namespace|class|insert_with_markers)\b/
  condition:
    $php and $rule and $deny and $file and $write and $keep and not $known and filesize < 30000
}

rule password_by_query {
  meta:
    label = "Changes passwords in the database of the site"
    severity = "suspicious"
    on = "raw"
  strings:
    $update = /update\s{1,4}[^;\n]{0,80}users?\b[^;\n]{0,20}\sset\s{1,4}[^;\n]{0,80}\b(user_pass|password|passwd|user_password)\b/ nocase
    $run = /\b(mysql_query|mysqli_query|mysql_db_query)\s?\(|->\s?(query|exec)\s?\(/
    $login = /\b(mysql_connect|mysqli_connect|mysql_pconnect)\s?\(|new\s{1,3}(mysqli|PDO)\s?\(/ nocase
    $known = /\b(ABSPATH|add_action|apply_filters|namespace|class|interface|extends|getopt)\b/
    $input = /\$_(GET|POST|REQUEST|COOKIE)\b|wp-config\.php/
  condition:
    $update and $run and $login and $input and not $known and filesize < 60000
}

rule accounts_of_the_host {
  meta:
    label = "Changes accounts of the control panel of the server"
    severity = "suspicious"
    on = "raw"
  strings:
    $contact = /\.(contactemail|contactinfo)\b|\.cpanel\/(contactinfo|datastore)/
    $shadow = /\/etc\/[^'"\n]{0,60}shadow|\/shadow['"]/
    $mail = /\b(get_current_user|posix_getpwuid)\s?\(|\/home\d?\//
    $write = /\b(fwrite|fputs|file_put_contents|fopen)\s?\(/
    $hash = /\bcrypt\s?\(/
    $known = /\b(ABSPATH|add_action|apply_filters|namespace|interface|extends)\b/
  condition:
    $mail and $write and ($contact or ($shadow and $hash)) and not $known and filesize < 200000
}

rule mail_to_anyone {
  meta:
    label = "A small page that sends mail to anyone"
    severity = "suspicious"
    on = "code"
  strings:
    $mail = /[^>:_] mail\((@| (trim|stripslashes|urldecode|base64_decode)\()*\$_INPUT/
    $known = / (namespace|class|add_action|apply_filters|current_user_can|defined|filter_var|preg_match|require|require_once|include|include_once)[ (]/
  condition:
    $mail and not $known and filesize < 1500
}

rule commands_from_a_connection {
  meta:
    label = "Runs what comes over a connection"
    severity = "suspicious"
    on = "code"
  strings:
    $connect = /[^>:] (fsockopen|pfsockopen|stream_socket_client|stream_socket_server|socket_connect|socket_accept|stream_socket_accept)\(/
    $take = /[^>:] (fgets|fread|socket_read|socket_recv|stream_get_line|stream_get_contents|fgetc)\(/
    $run = /[^>:] (shell_exec|system|exec|passthru|popen|proc_open|eval|create_function|assert)\((@|\(|"|'[^']{0,8}',?\.?)*(\$| (trim|substr|base64_decode|fgets|fread|socket_read)\()/
    $known = / (namespace|interface|abstract|add_action|apply_filters|current_user_can|defined|escapeshellarg|extends)[ (;]/
  condition:
    $connect and $take and $run and not $known and filesize < 30000
}

rule leads_visitors_away {
  meta:
    label = "Leads some visitors to another site: those with a phone, or those who come from a search engine"
    severity = "suspicious"
    on = "code"
  strings:
    $asked = /\$_INPUT(\['HTTP_(REFERER|USER_AGENT)'\]|\. getenv\('HTTP_(REFERER|USER_AGENT)'\))/
    $who = /'[^']{0,120}(google|bing|yahoo|yandex|baidu|msn|android|iphone|blackberry|symbian|windows ce)/ nocase
    $to = / header\((@|\()*(DECODED)?'(location|refresh): ?(\d;url=)?(https?:)?\/\/[^'$]{3,}/ nocase
    $page = /(DECODED)?'[^']{0,60}(window|document|top|self)\.location(\.href)?\s?=[^']{0,10}https?:/ nocase
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|wp_redirect)[ (]/
  condition:
    $asked and $who and ($to or $page) and not $known and filesize < 12000
}

rule pages_for_search_engines {
  meta:
    label = "Fetches pages from elsewhere for search engines"
    severity = "suspicious"
    on = "code"
  strings:
    $asked = /\$_INPUT(\['HTTP_(REFERER|USER_AGENT)'\]|\. getenv\('HTTP_(REFERER|USER_AGENT)'\))/
    $a = /'[^']{0,60}google/ nocase
    $b = /'[^']{0,60}bing/ nocase
    $c = /'[^']{0,60}yahoo/ nocase
    $d = /'[^']{0,60}(yandex|baidu|msnbot|slurp|ask\b|aol)/ nocase
    $fetch = /[^>:] (curl_exec|curl_init|file_get_contents|fsockopen|fopen|readfile|file)\(/
    $address = /'https?:\/\/[^']{4,}|DECODED'/
    $known = / (add_filter|add_action|apply_filters|get_option|__|namespace|interface|extends)[ (]/
  condition:
    $asked and 2 of ($a, $b, $c, $d) and $fetch and $address and not $known and filesize < 60000
}

rule keeps_what_is_typed {
  meta:
    label = "Keeps all that visitors send, out of sight"
    severity = "suspicious"
    on = "code"
  strings:
    $whole = / (serialize|json_encode|base64_encode|print_r|var_export|http_build_query|implode|urlencode)\((@| (serialize|json_encode|print_r|http_build_query|array_merge)\(|'[^']{0,8}',)*\$_INPUT[,)+]/
    $picture = /[^>:] (fopen|file_put_contents|error_log)\([^;]{0,120}\.(jpe?g|gif|png|ico|bmp|svg|css)'/ nocase
    $hidden = /[^>:] (fopen|file_put_contents)\([^;]{0,120}('|\/)\.[a-z0-9_]{1,20}(\.(txt|log|dat))?'/
    $away = /[^>:] (file_get_contents|curl_setopt|fsockopen|fopen|mail)\([^;]{0,120}'[^']{0,20}(https?:\/\/[^']{4,}|@[a-z0-9.-]{3,})/
    $card = /'[^']{0,20}(cc_?num|cc_number|cc_cid|card_?num|cvv|cvc|ccv|exp_?(month|year|date)|checkout|onepage|payment|user_?pass|passwd|login)/ nocase
    $known = / (namespace|interface|abstract|extends|add_action|apply_filters|current_user_can|defined|wp_send_json|check_ajax_referer)[ (;]/
  condition:
    $whole and ($picture or $hidden or ($away and $card)) and not $known and filesize < 60000
}

rule files_from_elsewhere {
  meta:
    label = "Writes files into the site that another server names"
    severity = "suspicious"
    on = "code"
  strings:
    $put = /[^>:] file_put_contents\(( abspath| wp_content_dir|\$_SERVER\['DOCUMENT_ROOT'\])\.[^;]{0,80},(@| )*(base64_decode|gzinflate|gzuncompress)\(/
    $fetch = / (wp_remote_(get|post|request)|curl_exec|file_get_contents|fsockopen)\(/
  condition:
    $put and $fetch
}

rule form_that_steals {
  meta:
    label = "Mails what is typed into a false login, then leads to the true one"
    severity = "suspicious"
    on = "code"
  strings:
    $typed = /\$_INPUT\['(pass\w{0,8}|pwd|passwd|psw|senha|clave|pin|cvv|cvc|card\w{0,8}|ccn\w{0,4}|ssn|otp)'\]/
    $mail = /[^>:_] mail\(@?(DECODED)?('[^']{2,60}@|\$)/
    $post = /api\.telegram\.org|discord(app)?\.com\/api\/webhooks/
    $away = / header\('location: ?https?:\/\// nocase
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|password_verify|wp_mail)[ (]/
  condition:
    $typed and (($mail and $away) or $post) and not $known and filesize < 12000
}

rule keeps_logins {
  meta:
    label = "Passes on the passwords of those who sign in"
    severity = "suspicious"
    on = "raw"
  strings:
    $typed = /\b(file_put_contents|fwrite|fputs|mail|curl_setopt|file_get_contents|wp_remote_(get|post)|error_log|setcookie)\s?\([^;]{0,240}\$_(POST|REQUEST)\s?\[\s?['"](pwd|pass|passwd|password|user_pass)['"]\s?\]/
    $hook = /add_(filter|action)\s?\(\s?['"](authenticate|wp_authenticate\w{0,8}|wp_login|check_password|wp_set_password|wp_login_failed)['"]/
    $given = /\b(file_put_contents|fwrite|fputs|mail|curl_setopt|file_get_contents|wp_remote_(get|post)|error_log)\s?\([^;]{0,240}\$(pass|passwd|password|pwd|p)\b/
  condition:
    $typed or ($hook and $given)
}

rule archive_from_elsewhere {
  meta:
    label = "Fetches an archive from elsewhere and unpacks it into the site"
    severity = "suspicious"
    on = "code"
  strings:
    $fetch = /[^>:] (copy|file_get_contents|fopen|curl_init|file_put_contents)\([^;]{0,80}(DECODED)?'(https?|ftp):\/\/[^']{4,}/
    $address = /=(DECODED)?'(https?|ftp):\/\/[^']{4,100}\.(zip|tar|gz|tgz|rar)'/
    $unpack = /> ?extractto\(|[^>:] (system|exec|shell_exec|passthru)\('[^']{0,20}(unzip|tar)\b/
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|getopt)[ (]/
    $line = /\$argv\b/
  condition:
    ($fetch or $address) and $unpack and not $known and not $line and filesize < 8000
}

rule page_by_command {
  meta:
    label = "Has the server fetch a page that runs"
    severity = "suspicious"
    on = "code"
  strings:
    $run = /[^>:] (system|passthru|exec|shell_exec|popen|proc_open)\((@|\()*(DECODED)?'[^']{0,60}\b(wget|curl|fetch|lwp-download|lynx|GET)\b[^']{0,120}\.(php\d?|phtml|pl|py|sh|cgi|txt)\b/
    $composer = /getcomposer|composer-setup|phpunit|phar/
  condition:
    $run and not $composer
}

rule hands_out_any_file {
  meta:
    label = "Hands out any file of the server"
    severity = "suspicious"
    on = "code"
  strings:
    $read = /[^>:] (readfile|fpassthru|file_get_contents|show_source|highlight_file)\((@|\(| (fopen|stripslashes|urldecode|base64_decode)\()*\$_INPUT/
    $open = /[^>:] fopen\(@?\$_INPUT[^;,]{0,60},'r/
    $send = / header\('content-(disposition|type|description)/ nocase
    $show = / (echo|print|die|exit)[ (@'<a-z>.]{0,60} (htmlspecialchars|htmlentities|nl2br|file_get_contents|fread|show_source|highlight_string)\(/
    $known = / (function|class|namespace|current_user_can|apply_filters|add_action|defined|realpath|in_array|preg_match|intval|is_user_logged_in|wp_verify_nonce|require|require_once|include|include_once|session_start|parse_url|filter_var)[ (]/
  condition:
    ($read or $open) and ($send or $show) and not $known and filesize < 2500
}

rule wrecks_the_site {
  meta:
    label = "Deletes, opens up, encrypts or marks whole folders"
    severity = "suspicious"
    on = "code"
  strings:
    $rmdir = /[^>:] rmdir\(@?\$_INPUT/
    $unlink = /[^>:] unlink\(/
    $list = /[^>:] (glob|scandir|opendir)\(|new (recursivedirectoryiterator|directoryiterator)\(/
    $open = /[^>:] chmod\([^;]{0,60}, ?(0?0?0777|511)\)/
    $root = /\$_SERVER\['DOCUMENT_ROOT'\]|'\/home\d?\/|'\/var\/www/
    $encrypt = /[^>:] (openssl_encrypt|mcrypt_encrypt|mcrypt_generic|gzdeflate|sodium_crypto_secretbox)\(/
    $put = /[^>:] (file_put_contents|fwrite)\(/
    $input = "$_INPUT"
    $line = /\$argv\b/
    $known = / (namespace|interface|add_action|apply_filters|current_user_can|defined|extends|getopt|require_once|class)[ (]/
  condition:
    $list and not $known and (($root and $put and not $line and filesize < 3000) or ($rmdir and $unlink and filesize < 4000) or ($open and $root and filesize < 3000) or ($encrypt and $put and $unlink and $input and filesize < 30000))
}

rule changes_every_page {
  meta:
    label = "Puts something into every page of the site"
    severity = "suspicious"
    on = "code"
  strings:
    $list = /[^>:] (glob|scandir|opendir)\(|new (recursivedirectoryiterator|directoryiterator)\(/
    $read = /[^>:] (file_get_contents|fread|file)\(/
    $put = /[^>:] (file_put_contents|fwrite|fputs)\(/
    $tag = /[^>:] (str_i?replace|preg_replace|strpos|stripos|substr_replace)\([^;]{0,40}'[^']{0,12}<\/?(body|head|html|title)/ nocase
    $script = /'<(script|iframe)[^']{0,40}(src|style)/ nocase
    $known = / (namespace|interface|add_action|apply_filters|current_user_can|defined|extends|getopt|require_once|class)[ (]/
    $line = /\$argv\b/
  condition:
    $list and $read and $put and ($tag or $script) and not $known and not $line and filesize < 20000
}

rule guarded_by_a_word {
  meta:
    label = "Does what it is told to anyone who knows a word that is written in it"
    severity = "suspicious"
    on = "code"
  strings:
    $word = /\$_INPUT\['(pass|password|passwd|pwd|pw|secret|auth|auth_?key|magic|pin|sifre|senha|clave)'\]\)*[=!]==?'[^']{3,60}'/
    $turned = /'[^']{3,60}'[=!]==?(@|\()*\$_INPUT\['(pass|password|passwd|pwd|pw|secret|auth|auth_?key|magic|pin|sifre|senha|clave)'\]/
    $does = /[^>:] (eval|assert|system|exec|shell_exec|passthru|popen|proc_open|file_put_contents|fwrite|fputs|unlink|rename|copy|move_uploaded_file|chmod|mail|create_function|call_user_func|scandir|opendir|readfile|mysql_query|mysqli_query)\(|\$wpdb-> ?query\(/
    $known = / (namespace|interface|abstract|phpunit)[ ;(]/
  condition:
    ($word or $turned) and $does and not $known
}

rule nothing_but_phpinfo {
  meta:
    label = "Tells anyone all about PHP on this server"
    severity = "suspicious"
    on = "code"
  strings:
    $info = / phpinfo\(/
    $known = / (function|class|if|namespace|require|require_once|include)[ (]/
  condition:
    $info and not $known and filesize < 80
}

rule script_no_one_can_read {
  meta:
    label = "Hides a script for browsers that no one can read"
    severity = "suspicious"
    on = "raw"
  strings:
    $name = /\b_0x[0-9a-f]{4,6}\b/
    $numbers = /String\.fromCharCode\s?\((\s?\d{2,3}\s?,){30}/
    $escaped = /(unescape|decodeURIComponent)\s?\(\s?['"](%[0-9a-f]{2}){60}/ nocase
    $php = /<\?(php|=|\s)/
  condition:
    $php and (#name > 30 or $numbers or $escaped)
}

rule code_for_a_moment {
  meta:
    label = "Writes PHP to a file, runs it and removes it"
    severity = "suspicious"
    on = "raw"
  strings:
    $write = /\b(fwrite|fputs|file_put_contents)\s?\([^;]{0,80}["']<\?(php)?/
    $include = /\b(include|require)(_once)?[\s(@]{1,3}["']?[${]/
    $remove = /\bunlink\s?\(/
    $engine = /\b(namespace|interface|extends|implements|PHPUnit|getopt)\b|\$argv\b|^#!/
  condition:
    $write and $include and $remove and not $engine and filesize < 100000
}

rule decoded_to_file_and_run {
  meta:
    label = "Unpacks a text into a file and runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $put = /[^>:] (file_put_contents|fwrite|fputs)\([^;,]{1,80},(@| )*(base64_decode|gzinflate|gzuncompress|gzdecode|hex2bin|str_rot13|strrev|convert_uudecode|pack|urldecode)\(/
    $made = /[^>:] (file_put_contents|fwrite|fputs)\([^;,]{1,80},DECODED'/
    $include = / (include|include_once|require|require_once)[ (@]{0,3}(\$|'|"| (dirname|__dir__|sys_get_temp_dir))/
    $known = / (namespace|class|interface|abstract|add_action|apply_filters|current_user_can|extends)[ (;]/
  condition:
    ($put or $made) and $include and not $known and filesize < 40000
}

rule words_of_attackers {
  meta:
    label = "Uses several words of attackers"
    severity = "suspicious"
    on = "raw"
  strings:
    $a = /reverse[ _-]?shell|bind[ _-]?shell|back[ _-]?connect|connect[ _-]?back|\bbackdoor/ nocase
    $b = /mass ?(deface|upload|change)|\bdefac(e|er|ed|ement)\b|zone-?h\b|hacked by|owned by/ nocase
    $c = /\bbypass(er|ing|ed)?\b/ nocase
    $d = /\b(priv8|0day|h4ck\w{0,6}|hax0r|haxor|r00t\w{0,4}|cr4ck\w{0,4}|sh3ll\w{0,4}|l33t|w00t|d3f4c\w{0,4}|k1ll\w{0,4}|3xpl0it\w{0,2})\b/ nocase
    $e = /\b(hackers?|hacking|cyber ?army|hack ?team|greetz|defacers?)\b/ nocase
    $f = /safe[_ -]?mode|disable_functions|open_basedir/ nocase
    $g = /\b(exploit(s|ed|er)?|rooting|local ?root|privilege escalation)\b/ nocase
    $h = /\/etc\/(passwd|shadow)\b/
    $j = /\b(symlinker|jumping|config ?grab\w{0,4}|brute ?forc\w{0,4}|spammer|inbox mailer|cpanel ?(crack|reset|brute)\w{0,4}|port ?scanner)\b/ nocase
    $does = /\b(eval|assert|system|exec|shell_exec|passthru|popen|proc_open|fwrite|fputs|file_put_contents|copy|move_uploaded_file|fsockopen|symlink|curl_exec|mail|unlink)\s?\(/ nocase
    $input = /\$(_(GET|POST|REQUEST|COOKIE|FILES)|HTTP_(GET|POST)_VARS)\b/
    $known = /\b(ABSPATH|WPINC|add_action|add_filter|apply_filters|namespace|current_user_can|PHPUnit|extends|implements)\b/
    $php = /<\?(php|=|\s)/
    $socket = /\b(fsockopen|socket_create|stream_socket_client|proc_open|eval)\s?\(/
  condition:
    $php and not $known and filesize < 500000 and ((3 of ($a, $b, $c, $d, $e, $f, $g, $h, $j) and any of ($a, $b, $d, $e, $j) and $does and $input) or (#a > 1 and $socket))
}

rule file_browser {
  meta:
    label = "A page of its own that shows and changes files of the server"
    severity = "suspicious"
    on = "raw"
  strings:
    $list = /\b(opendir|scandir|readdir|glob)\s?\(/ nocase
    $a = /\bunlink\s?\(/ nocase
    $b = /\brename\s?\(/ nocase
    $c = /\bchmod\s?\(/ nocase
    $d = /\b(mkdir|rmdir)\s?\(/ nocase
    $e = /\b(move_uploaded_file)\s?\(/ nocase
    $f = /\b(fileperms|fileowner|posix_getpwuid)\s?\(/ nocase
    $g = /\b(fwrite|fputs|file_put_contents)\s?\(/ nocase
    $h = /\bcopy\s?\(/ nocase
    $form = /<(form|textarea|input)\b/ nocase
    $input = /\$(_(GET|POST|REQUEST|COOKIE)|HTTP_(GET|POST)_VARS)\b/
    $known = /\b(ABSPATH|WPINC|add_action|add_filter|apply_filters|namespace|current_user_can|PHPUnit|implements|interface|require_once|wp_verify_nonce)\b/
  condition:
    $list and $form and $input and 5 of ($a, $b, $c, $d, $e, $f, $g, $h) and not $known and filesize < 500000
}

rule database_browser {
  meta:
    label = "A page of its own that opens databases and runs queries"
    severity = "suspicious"
    on = "raw"
  strings:
    $connect = /\b(mysql_connect|mysql_pconnect|mysqli_connect|pg_connect|mssql_connect|oci_connect|sqlsrv_connect)\s?\(|new\s{1,3}(mysqli|PDO)\s?\(/ nocase
    $all = /show\s{1,3}databases|pg_database|sysdatabases|information_schema\.(tables|schemata)|mysql_list_dbs\s?\(/ nocase
    $file = /\bload_file\s?\(|into\s{1,3}(outfile|dumpfile)\b|xp_cmdshell/ nocase
    $form = /<(form|textarea|input)\b/ nocase
    $input = /\$(_(GET|POST|REQUEST|COOKIE)|HTTP_(GET|POST)_VARS)\b/
    $known = /\b(ABSPATH|WPINC|add_action|add_filter|apply_filters|namespace|current_user_can|PHPUnit|implements|interface|extends|require_once)\b/
  condition:
    $connect and ($all or $file) and $form and $input and not $known and filesize < 500000
}

rule takes_all_passwords {
  meta:
    label = "Reads the names and passwords of all users from the database"
    severity = "suspicious"
    on = "raw"
  strings:
    $select = /select\s{1,4}[^;"'\n]{0,60}\b(user\w{0,8}|login|e?mail)\b\s?,[^;"'\n]{0,40}\b(pass\w{0,8}|pwd)\b[^;"'\n]{0,40}\sfrom\s/ nocase
    $connect = /\b(mysql_connect|mysql_pconnect|mysqli_connect)\s?\(|new\s{1,3}(mysqli|PDO)\s?\(/ nocase
    $show = /\b(echo|print|fwrite|fputs|file_put_contents)\b/
    $quiet = /\b(set_time_limit\s?\(\s?0|ignore_user_abort\s?\(|error_reporting\s?\(\s?0)/
    $known = /\b(ABSPATH|add_action|apply_filters|namespace|class|extends|session_start|password_verify|require_once)\b/
  condition:
    $select and $connect and $show and $quiet and not $known and filesize < 60000
}

rule mailer_of_its_own {
  meta:
    label = "A page of its own that sends mail to long lists"
    severity = "suspicious"
    on = "raw"
  strings:
    $send = /[^\w>:]mail\s?\(|->\s?(send|Send)\s?\(|\bfsockopen\s?\(/
    $list = /\b(e?mail_?list|to_?list|maillist|list_?mails?|emails?list|recipients?|victims?|leads)\b/ nocase
    $split = /\b(explode|split|preg_split)\s?\(\s?["'](\\n|\\r\\n|\/)/
    $field = /\$_(POST|REQUEST|GET)\s?\[\s?['"]?(sender\w{0,8}|from\w{0,8}|real_?name|reply\w{0,6}|subject|assunto|letter|message\w{0,8}|mensagem|html|amount)['"]?\s?\]/ nocase
    $form = /<textarea\b/ nocase
    $known = /\b(ABSPATH|WPINC|add_action|add_filter|apply_filters|namespace|current_user_can|PHPUnit|interface|wp_mail|require_once)\b/
  condition:
    $send and $list and $split and #field > 2 and $form and not $known and filesize < 500000
}

rule query_of_visitor {
  meta:
    label = "Asks the database whatever a visitor sends"
    severity = "suspicious"
    on = "code"
  strings:
    $query = /> ?(query|get_results|get_var|get_row|get_col|exec|multi_query|real_query)\((@| (stripslashes|wp_unslash|base64_decode|urldecode|trim)\()*\$_INPUT(\[[^\];]{0,40}\])?\)/
    $show = / (print_r|var_dump|var_export|json_encode|echo|print)[ (]/
    $checked = / (current_user_can|check_admin_referer|check_ajax_referer|wp_verify_nonce|namespace|interface|abstract|extends|class|is_user_logged_in)[ (;]/
  condition:
    $query and $show and not $checked and filesize < 20000
}

rule shows_the_settings {
  meta:
    label = "Shows the password of the database"
    severity = "suspicious"
    on = "code"
  strings:
    $show = / (echo|print|die|exit|printf|print_r|var_dump)[ (@][^;]{0,160} db_password\b[^(]/
    $known = / (namespace|class|interface|current_user_can|wp_cli)[ (]/
  condition:
    $show and not $known
}

rule copies_itself {
  meta:
    label = "Keeps copies of itself"
    severity = "suspicious"
    on = "code"
  strings:
    $self = / (file_get_contents|fopen|file)\( __file__[,)]/
    $put = /[^>:] (file_put_contents|fwrite|fputs)\(/
    $copy = /[^>:] copy\( __file__,/
    $again = / while\( ?(1|true)\)| for\(;;\)| (ignore_user_abort|glob|scandir|opendir|sleep|usleep)\(/
    $known = / (namespace|class|interface|add_action|apply_filters|defined|getopt|__halt_compiler)[ (;]/
    $line = /\$argv\b/
  condition:
    (($self and $put and $again) or $copy) and not $known and not $line and filesize < 20000
}

rule program_in_passing {
  meta:
    label = "Runs a program from a folder for temporary files"
    severity = "suspicious"
    on = "code"
  strings:
    $run = /[^>:] (system|exec|shell_exec|passthru|popen|proc_open)\((@|\()*(DECODED)?'[^']{0,60}(\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)/
    $made = /[^>:] (file_put_contents|fwrite|fputs|chmod|copy|base64_decode|move_uploaded_file)\(/
    $cron = /[^>:] (system|exec|shell_exec|passthru|popen)\([^;]{0,160}\bcrontab\b/
    $miner = /[^>:] (system|exec|shell_exec|passthru|popen|proc_open)\([^;]{0,200}(xmrig|minerd|cpuminer|cryptonight|nanopool|minexmr|supportxmr|moneroocean|ccminer)/ nocase
    $known = / (namespace|class|interface|add_action|apply_filters|defined|escapeshellarg|getopt|require_once)[ (;]/
    $line = /\$argv\b/
  condition:
    $miner or (($run and $made) or $cron) and not $known and not $line and filesize < 60000
}

rule hidden_script {
  meta:
    label = "Hides what it puts into pages"
    severity = "suspicious"
    on = "code"
  strings:
    $shown = / (echo|print)[ (@]{0,3}DECODED'[^']{0,40}<(script|iframe|a href|div style|marquee|meta http-equiv)/ nocase
    $kept = /DECODED'<(script|iframe)[^']{0,20}src=/ nocase
  condition:
    any of them
}

rule changes_the_theme {
  meta:
    label = "Puts PHP into a file of WordPress or of the theme"
    severity = "suspicious"
    on = "code"
  strings:
    $put = /[^>:] file_put_contents\([^;]{0,80}'[^']{0,100}(functions|index|header|footer|404|wp-[a-z]{3,10}(-[a-z]{3,10})?)\.php',[^;]{0,30}'<\?/
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined|getopt)[ (;]/
  condition:
    $put and not $known
}

rule prepends_a_file {
  meta:
    label = "Makes the web server run a file before every page"
    severity = "suspicious"
    on = "raw"
  strings:
    $setting = /auto_(prepend|append)_file/
    $file = /\.htaccess|\.user\.ini|php\.ini/
    $write = /\b(fwrite|fputs|file_put_contents)\s?\(/
    $php = /<\?(php|=|\s)/
    $known = /\b(ABSPATH|WPINC|add_action|apply_filters|namespace|class|interface)\b/
  condition:
    all of ($setting, $file, $write, $php) and not $known and filesize < 60000
}

rule odd_ways_to_run {
  meta:
    label = "Hands what a visitor sends to a part of PHP that runs commands or loads programs"
    severity = "suspicious"
    on = "code"
  strings:
    $run = /[^>:] (expect_popen|ssh2_exec|dl|win32_create_service|pcntl_exec|w32api_invoke_function)\([^;]{0,80}\$_INPUT/
    $mail = /[^>:_] mail\([^;]{0,200},'[^']{0,20}-(X|OQueueDirectory|C)[^;]{0,120}/
    $msl = /'[^']{0,10}(msl|vid|ephemeral|text):\/?[^;]{0,60}\$_INPUT/
    $log = /[^>:] error_log\('[^']{0,80}<\?(php|=)[^\n]{0,120}, ?3,/
    $soap = /> ?addfunction\((DECODED)?('(assert|system|passthru|shell_exec|exec|eval|create_function|popen|proc_open)'|\$_INPUT)/
    $xml = / new (simplexmlelement|xsltprocessor|domdocument)\('php:\/\/input'/
  condition:
    any of them
}
