// What a visitor sends reaches code. Rules with on = "code" see the plain form that site-scan makes of PHP: no comments,
// names in lower case after a space, constant strings worked out, and $_INPUT for everything that holds request data.

rule input_to_eval {
  meta:
    label = "Runs what a visitor sends as PHP"
    severity = "confirmed"
    on = "code"
  strings:
    $eval = / eval\([^;]{0,400}\$_INPUT/
    $assert = /[^>:] assert\((@|\(| (stripslashes|base64_decode|str_rot13|gzinflate|urldecode|trim|strrev|hex2bin|implode|join)\()*\$_INPUT/
    $create = / create_function\([^;]{0,300}\$_INPUT/
    $joined = /[^>:] assert\((@|\()*'[^']{0,120}'\.[^;]{0,200}\$_INPUT/
    $body = / (eval|assert|create_function)\([^;]{0,200}'php:\/\/input'/
    $headers = / eval\([^;]{0,200} (getallheaders|apache_request_headers|get_defined_vars|session_id)\(/
    $filter = / (usort|uasort|uksort)\([^;]{0,200}DECODED?'(assert|system|passthru)'/
  condition:
    any of them
}

rule input_to_command {
  meta:
    label = "Runs what a visitor sends as a command of the server"
    severity = "confirmed"
    on = "code"
  strings:
    $direct = /[^>:] (system|shell_exec|exec|passthru|popen|proc_open|pcntl_exec)\((@|\(|"| (stripslashes|base64_decode|str_rot13|gzinflate|urldecode|trim|strrev|hex2bin|implode|join|rawurldecode|str_replace|substr|ltrim|rtrim|mb_substr|current|end|reset|array_shift|array_pop)\()*\$_INPUT/
  condition:
    $direct
}

rule input_in_command {
  meta:
    label = "Puts what a visitor sends into a command of the server"
    severity = "suspicious"
    on = "code"
  strings:
    $within = /[^>:] (system|shell_exec|exec|passthru|popen|proc_open|pcntl_exec)\([^;)]{0,200}\$_INPUT/
    $escaped = / escapeshell(arg|cmd)\(/
    $server = /[^>:] (system|shell_exec|exec|passthru|popen|eval|assert|create_function)\((@|\(|"| (substr|trim|urldecode|base64_decode|strtolower|stripslashes)\()*\$_SERVER\[/
    $whole = / escapeshellcmd\((@|\()*\$_INPUT/
    $any = /[^>:] (system|exec|shell_exec|passthru|popen|proc_open)\((@|\(| escapeshellcmd\()*\$/
    $known = / (namespace|class|interface|add_action|apply_filters|current_user_can|defined)[ (;]/
    $com = / new com\((DECODED)?'(wscript\.shell|shell\.application)'/ nocase
  condition:
    (($within or $server) and not $escaped) or ($whole and $any and not $known and filesize < 5000) or $com
}

rule input_as_function {
  meta:
    label = "Calls any function that a visitor names, with what the visitor sends"
    severity = "confirmed"
    on = "code"
  strings:
    $called = /[^w>]\$_INPUT(\[[^\];]{0,80}\]){0,3}\)?\(@?[^;()]{0,120}\$_INPUT/
    $user = / (call_user_func|call_user_func_array|array_map|forward_static_call|forward_static_call_array)\(@?\$_INPUT[^;]{0,120},[^;]{0,120}\$_INPUT/
    $reflect = / new reflection(function|method)\((@| (strtok|base64_decode|trim|substr|strrev|str_rot13)\()*\$_INPUT/
    $object = / new reflectionclass\((@| (strtok|base64_decode|trim|substr|strrev|str_rot13)\()*\$_INPUT[^;]{0,60};[^;]{0,120}newinstance(args)?\([^;]{0,40}\$_INPUT/
    $spread = / (call_user_func|call_user_func_array|array_map|array_filter|array_walk|array_reduce|usort|uasort|uksort)\(\.\.\.(@| array_values\()*\$_INPUT/
    $first = / (array_map|call_user_func|call_user_func_array|forward_static_call|register_shutdown_function)\(@? (base64_decode|str_rot13|strrev|hex2bin|urldecode|gzinflate|key|current|reset|end|array_shift|array_pop|substr|trim)\(@?\$_INPUT/
    $decoded = / (array_filter|array_walk|usort|uasort|uksort|array_map|call_user_func|call_user_func_array)\([^;]{0,120}, ?(base64_decode|str_rot13|strrev|hex2bin)\(@?\$_INPUT/
    $compare = / (array_diff_ukey|array_udiff|array_uintersect|array_intersect_ukey|array_udiff_assoc|array_diff_uassoc|array_intersect_uassoc|array_udiff_uassoc|iterator_apply)\([^;]{0,200},@?\$_INPUT(\[[^\];]{0,40}\]){0,2}\)/
    $sqlite = /> ?(sqlitecreatefunction|createfunction|sqlitecreateaggregate|createaggregate|createcollation|sqlitecreatecollation)\([^;]{0,80},@?\$_INPUT/
    $filter = / (array_filter|array_walk|usort|uasort|uksort|array_reduce|array_walk_recursive|preg_replace_callback)\(( array\([^;()]{0,120}\)|\[([^;\[\]]|\[[^\];]{0,40}\]){0,60}\]|\$[^;(),]{0,120}|'[^']{0,120}'),@?\$_INPUT/
  condition:
    any of them
}

rule input_as_callback {
  meta:
    label = "Calls a function that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $first = / (call_user_func|call_user_func_array|register_shutdown_function|register_tick_function|ob_start|forward_static_call|forward_static_call_array)\(@?\$_INPUT(\[[^\]]{0,60}\])?[,)]/
    $called = /[;{}=(@.,!]\s{0,80}\$_INPUT(\[[^\];]{0,80}\]){0,2}\(/
    $made = / new ?\$_INPUT(\[[^\];]{0,80}\]){0,3}\([^;]{0,80}\$_INPUT/
  condition:
    $first or $called or ($made and filesize < 2000)
}

rule danger_as_callback {
  meta:
    label = "Hands what a visitor sends to a function that runs it"
    severity = "confirmed"
    on = "code"
  strings:
    $first = / (array_map|call_user_func|call_user_func_array|forward_static_call|forward_static_call_array)\((DECODED)?'(assert|system|passthru|exec|shell_exec|popen|create_function|proc_open|eval)'[^;]{0,160}\$_INPUT/
    $second = / (array_filter|array_walk|usort|uasort|uksort|array_reduce|array_walk_recursive|iterator_apply|preg_replace_callback)\([^;]{0,160}\$_INPUT[^;]{0,120},(DECODED)?'(assert|system|passthru|exec|shell_exec|popen|create_function)'/
    $filter = / filter_var(_array)?\([^;]{0,80}\$_INPUT[^;]{0,200}'options'=>(DECODED)?'(assert|system|passthru|exec|shell_exec)'/
    $shutdown = / register_(shutdown|tick)_function\((DECODED)?'(assert|system|passthru|exec|shell_exec|popen)',[^;]{0,80}\$_INPUT/
  condition:
    any of them
}

rule callback_that_runs_text {
  meta:
    label = "Uses assert or a command as a callback"
    severity = "suspicious"
    on = "code"
  strings:
    $callback = / (array_map|array_filter|array_walk|array_walk_recursive|usort|uasort|uksort|call_user_func|call_user_func_array|array_reduce|register_shutdown_function|register_tick_function|preg_replace_callback|iterator_apply|session_set_save_handler|ob_start|set_error_handler|set_exception_handler|spl_autoload_register|array_udiff|array_uintersect|array_diff_ukey|array_intersect_ukey|array_udiff_assoc|array_diff_uassoc|array_intersect_uassoc|forward_static_call|forward_static_call_array|header_register_callback|array_udiff_uassoc|array_uintersect_uassoc|fiber|reflectionfunction|mb_ereg_replace_callback|preg_replace_callback_array|readline_completion_function|stream_filter_register|yaml_parse)\(([^;]{0,120},)?(DECODED)?'(assert|passthru|shell_exec|system|create_function|exec)'[,)]/
    $method = /> ?(uasort|uksort|usort|sqlitecreatefunction|createfunction|invoke)\(([^;]{0,80},)?(DECODED)?'(assert|passthru|shell_exec|system)'/
    $pattern = / array_walk\([^;]{0,120},(DECODED)?'(preg_replace|mb_ereg_replace)'/
    $any = / get_defined_functions\([^;]{0,400};[^;]{0,400}\]\(/
  condition:
    any of them
}

rule input_to_include {
  meta:
    label = "Includes the file that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $include = / (include|include_once|require|require_once)\(?@?\(?\$_INPUT/
    $stream = / (include|include_once|require|require_once)\(?(DECODED)?'(php:\/\/input|php:\/\/filter|data:[^']{0,40};base64|https?:\/\/|expect:|zip:\/\/|ftp:\/\/)/
    $archive = / (include|include_once|require|require_once)\(?(DECODED)?'(phar:\/\/|compress\.|data:)[^;]{0,100}\$_INPUT/
    $uploaded = / (include|include_once|require|require_once)\(?[^;]{0,60}\$_INPUT\[[^;]{0,60}'tmp_name'/
    $packed = / (include|include_once|require|require_once)\(?(DECODED)?'(phar|zip|compress\.\w{3,8}):\/\/[^']{0,80}\.(jpe?g|png|gif|ico|txt|pdf|log|tmp)\b/
    $within = / (include|include_once|require|require_once)\(?@?"\$_INPUT/
    $template = / add_filter\('(template|page|single|index|home|archive)_(include|template)',[^;]{0,160} return[ (@]{0,3}\$_INPUT/
    $known = / (function|class|namespace|defined|in_array|basename|preg_match|file_exists|add_action)[ (]/
  condition:
    any of ($include, $stream, $archive, $uploaded, $packed, $template) or ($within and not $known and filesize < 500)
}

rule pattern_that_runs {
  meta:
    label = "Replaces text by running what a visitor sends"
    severity = "confirmed"
    on = "code"
  strings:
    $modifier = / preg_(replace|filter)\((DECODED)?'[^']{0,100}[\/#~|!@%}\]<>,;][a-df-zA-Z]{0,5}e[a-zA-Z]{0,5}',[^;]{0,300}\$_INPUT/
    $pattern = / preg_(replace|filter)\(@?\$_INPUT[^;]{0,120},[^;]{0,120}\$_INPUT[^;]{0,120},[^;]{0,120}\$_INPUT/
    $pieces = / preg_(replace|filter)\([^;,]{0,120}\.(DECODED)?'[\/#~|!@%}][imsxuADSUXJ]{0,4}e[imsxuADSUXJ]{0,4}',[^;]{0,200}\$_INPUT/
    $multibyte = / mb_eregi?_replace\([^;]{0,200}\$_INPUT[^;]{0,200},'[a-z]{0,4}e[a-z]{0,4}'\)/
  condition:
    any of them
}

rule pattern_with_code {
  meta:
    label = "Runs the result of a search pattern as PHP"
    severity = "suspicious"
    on = "code"
  strings:
    $modifier = / preg_replace\((DECODED)?'[\/#~|][^']{0,100}[\/#~|][imsxu]{0,4}e[imsxu]{0,4}',/
  condition:
    $modifier
}

rule input_to_file {
  meta:
    label = "Writes what a visitor sends to a file that the visitor names"
    severity = "confirmed"
    on = "code"
  strings:
    $put = / file_put_contents\((@|\()*"?\$_INPUT[^;]{0,120},(@|\(| isset\([^;?]{0,80}\?| (stripslashes|base64_decode|urldecode|str_rot13|gzinflate|hex2bin|rawurldecode|trim)\()*"?\$_INPUT/
    $write = / (fwrite|fputs)\(@? fopen\((@|"|\()*\$_INPUT[^;]{0,120},[^;]{0,60}\$_INPUT/
  condition:
    any of them
}

rule input_to_php_file {
  meta:
    label = "Writes what a visitor sends to a PHP file"
    severity = "suspicious"
    on = "code"
  strings:
    $put = / file_put_contents\([^;]{0,120}\.php'[^;]{0,60},(@|\(| (stripslashes|base64_decode|urldecode|str_rot13|gzinflate)\()*\$_INPUT/
    $open = / fopen\([^;]{0,80}\.php',(DECODED)?'[wax]/
    $write = / (fwrite|fputs)\([^;]{0,60},(@|\(| (stripslashes|base64_decode|urldecode)\()*\$_INPUT/
  condition:
    $put or ($open and $write)
}

rule mass_mailer {
  meta:
    label = "Sends mail to anyone, with any text that a visitor sends"
    severity = "suspicious"
    on = "code"
  strings:
    $mail = /[^>:_] mail\((@| trim\()*\$_INPUT[^;,]{0,80},[^;,]{0,80},(@| (trim|stripslashes|urldecode|nl2br|base64_decode)\()*"?\$_INPUT/
  condition:
    $mail and filesize < 60000
}

rule input_to_login {
  meta:
    label = "Signs a visitor in as anyone, without a password"
    severity = "suspicious"
    on = "code"
  strings:
    $cookie = / wp_set_(auth_cookie|current_user)\(@?\$_INPUT/
    $any_cookie = / wp_set_auth_cookie\(/
    $loads = / (require|include)(_once)?[ (@]{0,3}[^;]{0,80}(wp-load|wp-blog-header|wp-config)\.php'/
    $password = / (wp_signon|wp_check_password|wp_authenticate|hash_equals|password_verify)\(/
    $create = / wp_(create|insert)_user\(/
    $admin = /'administrator'/
    $asked = / (if\(|isset\()[^;{]{0,120}\$_INPUT\[/
    $checked = / (current_user_can|wp_verify_nonce|check_admin_referer|check_ajax_referer|is_user_logged_in)\(/
  condition:
    $cookie or ($any_cookie and $loads and not $checked and not $password) or ($create and $admin and $asked and not $checked and filesize < 500000)
}

rule database_login_of_visitor {
  meta:
    label = "Opens any database with a password that a visitor sends"
    severity = "suspicious"
    on = "code"
  strings:
    $connect = / (mysql_connect|mysqli_connect|mysql_pconnect|pg_connect|mssql_connect)\(@?\$_INPUT[^;]{0,80},@?\$_INPUT[^;]{0,80},@?\$_INPUT/
    $query = /[^>:] (mysql_query|mysqli_query|mysqli_multi_query|pg_query|mssql_query|sqlite_query)\((\$[A-Za-z0-9_]{1,30},)?(@| stripslashes\()*\$_INPUT/
    $object = / new (mysqli|pdo)\(@?\$_INPUT[^;]{0,80},@?\$_INPUT[^;]{0,80},@?\$_INPUT/
    $file = / new (sqlite3|pdo|sqlitedatabase)\((@|"|'sqlite:'\.)*\$_INPUT/
    $known = / (namespace|class|add_action|apply_filters|current_user_can|defined|interface)[ (]/
  condition:
    $connect or $query or $object or ($file and not $known and filesize < 5000)
}

rule old_variables {
  meta:
    label = "Runs a variable that nothing sets, as shells of old versions of PHP do"
    severity = "suspicious"
    on = "old"
  strings:
    $run = /[^>:] (system|shell_exec|exec|passthru|popen|eval|assert|create_function)\((@|\(|"| stripslashes\()*\$_INPUT/
    $include = /[^>:] (include|include_once|require|require_once)\(?@?\(?\$_INPUT/
    $upload = /[^>:] (move_uploaded_file|copy)\(@?\$_INPUT/
  condition:
    $run or ($include and filesize < 2000) or ($upload and filesize < 5000)
}

rule read_any_file {
  meta:
    label = "Shows any file of the server"
    severity = "suspicious"
    on = "code"
  strings:
    $source = /[^>:] (show_source|highlight_file|php_strip_whitespace)\((@|\()*\$_INPUT/
    $read = /[^>:] (readfile|file_get_contents|fpassthru|file)\((@|\()*\$_INPUT/
    $list = /[^>:] (opendir|scandir|glob)\((@|\()*\$_INPUT/
    $folder = / new (recursivedirectoryiterator|directoryiterator|filesystemiterator|globiterator)\((@|\()*\$_INPUT/
    $passwords = /[^>:] (file|file_get_contents|fopen|readfile|symlink|copy|include|require|show_source|highlight_file|scandir|opendir)\(@?(DECODED)?'(\/etc\/(passwd|shadow)|\/home\d?|\/|\/proc\/self\/environ)'/
    $known = / (function|class|namespace|current_user_can|apply_filters|defined|realpath|in_array|preg_match|basename)[ (]/
    $link = /[^>:] symlink\((@|\()*\$_INPUT/
    $users = / for\([^;]{1,30};[^;]{1,30}\d{4,6};[^;]{1,120} posix_getpwuid\(/
    $checked = / (class|namespace|current_user_can|apply_filters|add_action|defined|realpath|in_array|preg_match|basename|str_replace)[ (]/
  condition:
    $source or $passwords or $users or ($link and not $checked) or ($folder and not $known) or (($read or $list) and not $known and filesize < 400) or ($list and not $checked and filesize < 4000)
}

rule written_where_told {
  meta:
    label = "Writes to any file that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $put = /[^>:] file_put_contents\((@|\()*"?\$_INPUT/
    $copy = /[^>:] (copy|rename|link|symlink)\((@|\()*\$_INPUT[^;,]{0,100},(@|\()*[^;]{0,60}\$_INPUT/
    $open = /[^>:] fopen\((@|\(|\{)*"?\$_INPUT[^;,]{0,100},'[wax]/
    $below = /[^>:] file_put_contents\([^;,$]{0,80}\.@?\$_INPUT[^;,]{0,60},[^;]{0,60}\$_INPUT/
    $open_below = /[^>:] fopen\([^;,$]{0,80}\.@?\$_INPUT[^;,]{0,60},'[wax]/
    $write = /[^>:] (fwrite|fputs)\([^;,]{0,60},[^;]{0,60}\$_INPUT/
    $known = / (current_user_can|check_admin_referer|check_ajax_referer|wp_verify_nonce|add_action|apply_filters|namespace)[ (]/
  condition:
    (any of ($put, $copy, $open) or (($below or ($open_below and $write)) and filesize < 5000)) and not $known and filesize < 60000
}

rule body_to_file {
  meta:
    label = "Writes whatever it is sent to a file"
    severity = "suspicious"
    on = "code"
  strings:
    $body = /'php:\/\/input'/
    $open = /[^>:] fopen\([^;]{0,120},'[wax]/
    $copy = /[^>:] (stream_copy_to_stream|fwrite|fputs)\(/
    $put = /[^>:] file_put_contents\([^;]{0,120}'php:\/\/input'/
    $known = / (namespace|add_action|apply_filters|current_user_can|extends|interface)[ (]/
  condition:
    $body and ($put or ($open and $copy)) and not $known and filesize < 5000
}

rule connects_anywhere {
  meta:
    label = "Connects to any server that a visitor names"
    severity = "suspicious"
    on = "code"
  strings:
    $connect = /[^>:] (fsockopen|pfsockopen|stream_socket_client|socket_connect|ftp_connect|ssh2_connect)\((\$[A-Za-z0-9_]{1,30},)?(@|\(|")*\$_INPUT/
    $proxy = / curl_setopt\([^;,]{0,40}, curlopt_url,@?"?\$_INPUT/
    $listen = /[^>:] (socket_bind|stream_socket_server)\([^;]{0,60}\$_INPUT/
    $known = / (namespace|add_action|apply_filters|current_user_can|extends|interface|class)[ (]/
  condition:
    $listen or ($connect and not $known and filesize < 20000) or ($proxy and not $known and filesize < 3000)
}

rule session_to_code {
  meta:
    label = "Runs what it has kept from an earlier visit"
    severity = "suspicious"
    on = "code"
  strings:
    $run = /[^>:] (eval|assert|create_function|system|shell_exec|passthru|popen|proc_open)\((@|\(|"| (base64_decode|gzinflate|stripslashes|urldecode|str_rot13)\()*\$_SESSION\[/
    $called = /[;{}=(@]\s{0,20}\$[A-Za-z0-9_]{1,40}\(@?\$_SESSION\[[^;]{0,60}\)/
    $kept = /\$_SESSION\[[^\]]{1,40}\]=(@| )*(base64_decode|gzinflate|gzuncompress|str_rot13|strrev|hex2bin)\(@?\$_INPUT/
    $known = / (namespace|class|add_action|add_filter|apply_filters|current_user_can)[ (]/
  condition:
    $run or ($called and not $known and filesize < 3000) or ($kept and not $known and filesize < 300)
}

rule callback_in_pieces {
  meta:
    label = "Works out the name of a function, then hands it something"
    severity = "suspicious"
    on = "code"
  strings:
    $first = / (array_map|call_user_func|call_user_func_array|forward_static_call|forward_static_call_array|register_shutdown_function|ob_start)\(@? (strrev|substr_replace|str_rot13|base64_decode|str_replace|str_ireplace|hex2bin|chr|substr|gzinflate|convert_uudecode|pack|strtr|urldecode|rawurldecode|implode|join)\(/
    $second = / (array_filter|array_walk|usort|uasort|uksort|array_walk_recursive|iterator_apply)\([^;(]{0,80},@? (strrev|substr_replace|str_rot13|base64_decode|str_replace|hex2bin|chr|convert_uudecode|pack|strtr)\(/
    $yaml = / yaml_parse\([^;]{0,200}'(preg_replace|assert|system|eval)'/
  condition:
    any of them
}

rule small_and_indirect {
  meta:
    label = "A small file that does nothing but call functions it does not name, with what a visitor sends"
    severity = "suspicious"
    on = "code"
  strings:
    $handed = / call_user_func(_array)?\(@?\$[A-Za-z0-9_]{1,40},/
    $call = /([;{}=()@.,!?:&|]|else|echo|print|return|do)\s{0,40}\$[A-Za-z0-9_\x80-\xff]{1,40}(\[[^\];]{0,60}\]|\{[^};]{0,60}\}){0,3}\)?\((@|\()*["'$ ]/
    $named = /[(,=>](DECODED)?'(assert|shell_exec|passthru|system|proc_open|popen)'[,);\]]/
    $asks = / (function_exists|is_callable|in_array|ini_get)\(/
    $input = "$_INPUT"
    $known = / (namespace|add_action|add_filter|apply_filters|current_user_can|wp_verify_nonce|defined|interface|abstract|esc_html|__|require_once|phpunit_framework_testcase)[ (;]/
  condition:
    $input and filesize < 1500 and ((($call or $handed) and not $known) or ($named and not $asks))
}

rule input_as_object {
  meta:
    label = "A small file that makes objects of what a visitor sends"
    severity = "suspicious"
    on = "code"
  strings:
    $made = / unserialize\((@| (base64_decode|urldecode|stripslashes|gzuncompress)\()*\$_INPUT/
    $known = / (namespace|add_action|add_filter|apply_filters|current_user_can|defined|interface|abstract)[ (;]/
  condition:
    $made and not $known and filesize < 800
}

rule function_that_runs_text {
  meta:
    label = "Has a function without a name that runs whatever it is given"
    severity = "suspicious"
    on = "code"
  strings:
    $function = / function\(&?\$[A-Za-z0-9_]{1,40}[^)]{0,60}\)( use\([^)]{0,60}\))?\{( return| echo| print)?@? (eval|assert|shell_exec|system|passthru|exec|popen|proc_open)\(@?["$]/
    $arrow = / fn\(&?\$[A-Za-z0-9_]{1,40}[^)]{0,60}\)=>\s?@? (eval|assert|shell_exec|system|passthru|exec|popen)\(@?["$]/
    $given = /[^>:] (eval|assert|create_function|shell_exec|system|passthru|exec|popen)\((@|\()* func_get_args?\(/
    $told = / return ?\(?(DECODED)?'(assert|system|passthru|shell_exec|exec|eval|create_function|popen|proc_open)'\)?;/
    $hand = / (call_user_func|call_user_func_array|array_map|array_walk|array_filter|usort|uasort)\(|\$[A-Za-z0-9_]{1,40}\(@?\$_INPUT/
    $message = /[^>:] (eval|assert|create_function|shell_exec|system|passthru|exec)\(@?\$[A-Za-z0-9_]{1,40}-> ?(getmessage|getcode|getfile|gettraceasstring|__tostring)\(/
    $input = "$_INPUT"
    $known = / (namespace|add_action|apply_filters|current_user_can|interface)[ (;]/
  condition:
    $message or $given or ($told and $hand and $input and filesize < 3000) or (($function or $arrow) and $input and not $known and filesize < 10000)
}
