// Code that hides what it does.

rule hidden_name {
  meta:
    label = "Hides the name of a function that runs code"
    severity = "confirmed"
    on = "code"
  strings:
    $name = /DECODED'(assert|eval|system|passthru|shell_exec|create_function|gzinflate|base64_decode|proc_open|popen|call_user_func|move_uploaded_file|preg_replace|gzuncompress|str_rot13)'/ nocase
  condition:
    $name
}

rule decoded_code {
  meta:
    label = "Runs code that is hidden behind decoders"
    severity = "suspicious"
    on = "code"
  strings:
    $constant = / (eval|assert|create_function)\((@|\(|'[^']{0,4}'[.,])*DECODED'/
    $nested = / (eval|assert)\((@|\(|'\?>'\.| )*(gzinflate|gzuncompress|gzdecode|base64_decode|str_rot13|strrev|hex2bin|convert_uudecode|urldecode|rawurldecode|openssl_decrypt|pack|mcrypt_decrypt)\(/
    $function = / create_function\([^;]{0,20},(@| )*(gzinflate|gzuncompress|base64_decode|str_rot13|strrev)\(/
    $include = / (include|require)(_once)?\(?DECODED'/
    $own = / eval\((@|\(|'\?>'\.)* [a-z0-9_\x80-\xff]{1,60}\((@| [a-z0-9_]{1,40}\()*'[^']{60,}/
  condition:
    any of them
}

rule decoded_variable {
  meta:
    label = "Decodes text, then runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $called = /=@? (gzinflate|gzuncompress|base64_decode|str_rot13|strrev|hex2bin|convert_uudecode)\([^;]{0,120};\s{0,40}( return)?@?\s{0,20}(\$[A-Za-z0-9_]{1,40}=)?@?\$[A-Za-z0-9_]{1,40}\(/
    $decode = /\$[A-Za-z0-9_]{1,40}=@? (gzinflate|gzuncompress|gzdecode|base64_decode|str_rot13|strrev|hex2bin|openssl_decrypt)\([^;]{0,200};[^;]{0,200};?[^;]{0,200};? ?eval\(@?('\?>'\.)?\$/
    $made = /=@?DECODED'/
    $folded = /[^>:] eval\((@|\()*('\?>'\.)?'/
    $known = / (namespace|class|interface|add_action|add_filter|apply_filters)[ (]/
  condition:
    $called or $decode or ($made and $folded and not $known)
}

rule split_name {
  meta:
    label = "Puts the name of a function that runs code together from pieces"
    severity = "suspicious"
    on = "raw"
  strings:
    $assert = /['"](a|as|ass|asse|asser)['"]\s?\.\s?['"](s|ss|sse|e|r|t|ert|rt|sert|ssert)['"]/ nocase
    $system = /['"](s|sy|sys|syst|syste)['"]\s?\.\s?['"](y|ys|yst|s|st|ste|stem|tem|em|m|ystem)['"]/
    $eval = /['"](e|ev|eva)['"]\s?\.\s?['"](v|va|val|al|a|l)['"]\s?(\.|;)/
    $base = /['"]ba?s?e?['"]\s?\.\s?['"]a?s?e?6?4?_?d?e?['"]\s?\.\s?['"]/
    $function = /['"]cr?e?a?t?e?['"]\s?\.\s?['"]r?e?a?t?e?_?f?u?n?c?['"]\s?\.\s?['"]/
    $called = /\$\{?['"]?\w{1,30}['"]?\}?(\[[^\]]{1,30}\])?\s?\(/
    $request = /\$_(POST|GET|REQUEST|COOKIE)|base64_decode|eval\s?\(/
  condition:
    any of ($assert, $system, $eval, $base, $function) and $called and $request
}

rule long_secret {
  meta:
    label = "Runs code next to a long text that no one can read"
    severity = "suspicious"
    on = "raw"
  strings:
    $long = /['"][A-Za-z0-9+\/=]{2500,}['"]/
    $hex = /['"]([0-9a-fA-F]{2}){1200,}['"]/
    $escaped = /(\\x[0-9a-fA-F]{2}){200,}/
    $runs = /[^>:a-zA-Z_](eval|assert|create_function)\s{0,5}\(/ nocase
    $called = /\$[A-Za-z0-9_]{1,40}\s?\(\s?\$[A-Za-z0-9_]{1,40}\s?\(/
    $any = /\$\{?[A-Za-z0-9_\x80-\xff]{1,40}\}?(\[[^\]\n]{1,40}\])?\s?\(/
    $include = /\b(include|require)(_once)?\s?\(?\s?\$/ nocase
  condition:
    any of ($long, $hex, $escaped) and ($runs or $called) or ($long and !long[1] * 2 > filesize and ($any or $include))
}

rule spelled_in_codes {
  meta:
    label = "Spells names as codes of characters"
    severity = "suspicious"
    on = "raw"
  strings:
    $globals = /\$\{\s?["'](\\x[0-9a-fA-F]{2}|\\[0-7]{2,3}|[A-Za-z_]){3,40}["']\s?\}\s?\[["'](\\x|\\[0-7])/
    $indexed = /\$\{?["']?[A-Za-z0-9_]{1,40}["']?\}?[\[{]\d{1,3}[\]}]\s?\.\s?\$\{?["']?[A-Za-z0-9_]{1,40}["']?\}?[\[{]\d{1,3}[\]}]\s?\.\s?\$\{?["']?[A-Za-z0-9_]{1,40}["']?\}?[\[{]\d{1,3}[\]}]\s?\.\s?\$/
    $globals_indexed = /\$GLOBALS\[['"][A-Za-z0-9_]{1,20}['"]\][\[{]\d{1,3}[\]}]\s?\.\s?\$GLOBALS\[/
    $called = /[\]})"']\s?\(|\$[A-Za-z0-9_]{1,40}\s?\(/
    $far = /\$\{?["']?[A-Za-z0-9_]{1,40}["']?\}?[\[{]\d{2,3}[\]}]\s?\./
    $computed = /\$\{[^}\n]{1,60}\}\s?\[[^\]\n]{1,20}\]\s?\(\s?@?\$\{/
    $handed = /\$[A-Za-z0-9_]{1,40}[\[{]\d{1,3}[\]}]\s?,\s?\$[A-Za-z0-9_]{1,40}[\[{]\d{2}[\]}]/
    $put = /\$[A-Za-z0-9_]{1,40}\s?=\s?["'][!-~]{30,120}["']\s?;/
    $symbols = /\(\s?['"][^'"\w\s]{1,10}['"]\s?\^\s?['"][^'"]{1,10}['"]\s?\)/
  condition:
    $globals or $computed or #globals_indexed > 2 or (#handed > 4 and $put and $called) or (((#indexed > 1 and $far) or #symbols > 3) and $called)
}

rule jumps {
  meta:
    label = "Jumps around so that no one can read it"
    severity = "suspicious"
    on = "raw"
  strings:
    $goto = /\bgoto\s{1,3}[A-Za-z0-9_]{2,12}\s?;/
    $generated = /\bgoto\s(seq|choice|yy|_)_?\d/
    $escaped = /"[^"\n]{0,20}(\\x[0-9a-fA-F]{2}|\\[0-7]{2,3}){3}/
  condition:
    (#goto > 20 or (#goto > 3 and $escaped)) and not $generated
}

rule no_letters {
  meta:
    label = "Makes code of signs, without letters"
    severity = "confirmed"
    on = "raw"
  strings:
    $increment = /\$_{1,20}\s?=\s?\(?\s?\[\s?\]\s?\.?\s?['"]{0,2}/
    $steps = /\$_{1,20}\+\+\s?;/
    $called = /\$\$?_{1,20}\s?[\[({]\s?\$?['"_]/
  condition:
    $increment and #steps > 8 and $called
}

rule only_signs {
  meta:
    label = "Works with variables that have no letters"
    severity = "suspicious"
    on = "raw"
  strings:
    $variable = /\$_{1,6}\s?[\[+\-=.>^<)&|]/
    $called = /\$_{1,6}(\[[^\];\n]{1,40}\]){0,2}\s?\(\s?[$@'"]/
    $words = /\b(if|foreach|class|function|return|array|echo)\b/
    $named = /\$(\$_{1,20}|\{\$_{1,20}\})\s?[\[{]\s?[^\]};\n]{1,20}[\]}]\s?\(/
    $computed = /\$(\$_{1,20}|\{\s?\$_{1,20}\s?\})\s?[\[{]/
    $ran = /`\$_{1,20}`|[^\w>]\$_{1,20}\s?\(/
  condition:
    $named or ($computed and $ran and filesize < 3000) or #variable > 20 and $called and #words < 3 and filesize < 20000
}

rule included_picture {
  meta:
    label = "Includes a picture or a hidden file as PHP"
    severity = "suspicious"
    on = "code"
  strings:
    $picture = / (include|include_once|require|require_once)[ (@'"$D][^;]{0,200}\.(ico|jpg|jpeg|png|gif|bmp|webp|woff|mp3|pdf)'/ nocase
  condition:
    $picture
}

rule remote_code {
  meta:
    label = "Fetches code from elsewhere and runs it"
    severity = "confirmed"
    on = "code"
  strings:
    $eval = / eval\((@|\(|'\?>'\.|"[^"]{0,20}"\.| (gzinflate|base64_decode|str_rot13)\()* file_get_contents\((DECODED)?'(https?:|php:\/\/input)/
    $curl = / eval\((@|\(|'\?>'\.| (gzinflate|base64_decode|str_rot13)\()* curl_exec\(/
    $body = / eval\((@|'\?>'\.| )*wp_remote_retrieve_body\(/
  condition:
    any of them
}

rule remote_file {
  meta:
    label = "Downloads a PHP file into the site"
    severity = "suspicious"
    on = "code"
  strings:
    $put = / file_put_contents\([^;]{0,100}\.(php|phtml)'[^;]{0,60} file_get_contents\((DECODED)?'https?:/
    $copy = / copy\((DECODED)?'https?:[^;]{0,200}\.(php|phtml)'\)/
    $decoded = /DECODED'https?:\/\/[^']{4,100}'/
    $fetch = / (file_get_contents|curl_init|fsockopen|curl_setopt)\(/
    $address = /'https?:\/\//
    $file = /[^>:] (fopen|file_put_contents|copy)\([^;]{0,80}\.(php\d?|phtml)'/
    $known = / (namespace|class|add_action|apply_filters|current_user_can|define)[ (]/
  condition:
    $put or $copy or ($decoded and $fetch and not $known) or ($address and $fetch and $file and not $known and filesize < 20000)
}

rule decoder_of_its_own {
  meta:
    label = "Works out hidden code byte by byte, then runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $bytes = / chr\([^;]{0,80} (ord|hexdec|bindec|octdec|intval)\(/
    $numbers = / chr\(\(?\$[A-Za-z0-9_]{1,40}(\[[^\]]{1,40}\])?[-+^\/%*)]/
    $eval = / ((eval|assert|create_function)\((@|'\?>'\.|'[^']{0,4}',)*\$|eval\(@? [a-z0-9_\x80-\xff]{1,60}\()/
    $called = /;@?\$[A-Za-z0-9_]{1,40}\(\$[A-Za-z0-9_]{1,40}\)/
    $include = / (include|require)(_once)?\(?\$/
    $worked_out = /[^>:]\$[A-Za-z0-9_]{1,40}\(@? [a-z0-9_\x80-\xff]{1,40}\('[^']{8,}'/
    $known = / (namespace|class|interface|add_action|apply_filters)[ (]/
  condition:
    ($bytes or $numbers) and ($eval or ($called and $include)) and filesize < 80000 or ($bytes and $worked_out and not $known and filesize < 20000)
}

rule call_of_a_variable {
  meta:
    label = "Hands what a visitor sends to a function that is not named"
    severity = "suspicious"
    on = "code"
  strings:
    $call = /[;{}=(@]\s{0,80}\$[A-Za-z0-9_]{1,40}(\[[^\];]{0,60}\]){0,3}\((@|\(| (base64_decode|stripslashes|str_rot13|gzinflate|urldecode)\()*\$_INPUT/
    $known = / (function|class|add_action|add_filter|defined|apply_filters|namespace|current_user_can)[ (]/
  condition:
    $call and (not $known and filesize < 5000 or filesize < 600)
}

rule code_from_itself {
  meta:
    label = "Runs code that is hidden at the end of its own file"
    severity = "suspicious"
    on = "code"
  strings:
    $self = / (file_get_contents|fopen|file|readfile)\(@?( __file__|\$_server\['script_filename'\])[,)]/ nocase
    $offset = " __compiler_halt_offset__"
    $eval = / (eval|create_function)\(/
  condition:
    ($self or $offset) and $eval and filesize < 400000
}

rule writes_itself {
  meta:
    label = "Writes what a visitor sends into its own file"
    severity = "suspicious"
    on = "code"
  strings:
    $put = / file_put_contents\( __file__,/
    $open = / fopen\( __file__,'[wax]/
    $input = "$_INPUT"
  condition:
    ($put or $open) and $input
}

rule code_in_passing {
  meta:
    label = "Writes code to a file for a moment, and runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $temporary = / (tempnam|tmpfile)\(/
    $write = /[^>:] (fwrite|fputs|file_put_contents)\(/
    $include = / (include|include_once|require|require_once)[ (@]{0,3}(\$|stream_get_meta_data\()/
    $php = /'<\?(php)?/
    $input = "$_INPUT"
    $remote = /'https?:\/\//
    $engine = / (namespace|interface|abstract)[ ;]/
  condition:
    $temporary and $write and $include and ($php or ($input or $remote) and filesize < 10000) and not $engine and filesize < 60000
}

rule code_from_a_stream {
  meta:
    label = "Runs what a visitor sends by way of a stream of its own"
    severity = "suspicious"
    on = "code"
  strings:
    $stream = / stream_(wrapper|filter)_register\(/
    $run = / (include|include_once|require|require_once)[ (@]{0,3}(DECODED)?'[a-z0-9.]{1,20}:\/\/|[^>:] (eval|system|passthru|shell_exec|exec|assert)\(/
    $input = "$_INPUT"
    $known = / (namespace|phpunit_framework_testcase|add_action|apply_filters)[ (;]/
  condition:
    $stream and $run and $input and not $known and filesize < 20000
}

rule written_and_run {
  meta:
    label = "Writes what a visitor sends to a file, and runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $write = /[^>:] (fwrite|fputs|file_put_contents)\([^;]{0,80},[^;]{0,60}\$_INPUT/
    $include = / (include|include_once|require|require_once)[ (@]{0,3}[$']/
    $php = /[^>:] (fwrite|fputs|file_put_contents)\([^;]{0,80},'<\?php/
    $other = / (include|include_once|require|require_once)[ (@]{0,3}'[^']{0,80}\.(html?|txt|log|tmp|dat|css|js)'/
    $known = / (current_user_can|add_action|apply_filters|namespace|class)[ (]/
  condition:
    (($write and $include) or ($php and $other)) and not $known and filesize < 5000
}

rule eval_of_text {
  meta:
    label = "Runs text as PHP, next to what comes from elsewhere"
    severity = "suspicious"
    on = "code"
  strings:
    $eval = /[^>:] eval\((@|\(|"|'[^']{0,12}'\.)*\$[A-Za-z0-9_]{1,40}/
    $result = /[^>:] eval\((@|\(|'[^']{0,12}'\.)* [a-z_][a-z0-9_]{0,60}\(/
    $input = "$_INPUT"
    $remote = / (curl_exec|fsockopen|stream_socket_client)\(/
    $known = / (add_action|add_filter|apply_filters|current_user_can|namespace|abstract|interface|esc_html|wp_die)[ (;]/
    $extends = / extends ([a-oq-z]|p[a-gi-z])/
  condition:
    ($eval or ($result and $remote)) and not $known and not $extends and (($input or $remote) and filesize < 100000 or filesize < 1200)
}

rule code_in_metadata {
  meta:
    label = "Runs what is written in the data of a picture or in a comment"
    severity = "suspicious"
    on = "code"
  strings:
    $picture = / exif_read_data\(/
    $comment = /> ?getdoccomment\(/
    $run = / (eval|assert|create_function|extract)\(/
    $eval = / (eval|create_function)\(/
    $called = /;\s{0,20}@?\$[A-Za-z0-9_]{1,40}\(@?\$/
    $known = / (namespace|extends|interface|trait|add_action|apply_filters)[ (]/
    $e = / preg_replace\(\$/
  condition:
    ($picture and ($e or $run)) or ($comment and ($called or $eval) and not $known and filesize < 5000)
}

rule hidden_run {
  meta:
    label = "Hides code that runs anything in a text"
    severity = "suspicious"
    on = "hidden"
  strings:
    $run = /[^>:] (eval|assert|system|passthru|shell_exec|popen|proc_open|create_function)\([^)]/
    $upload = /[^>:] move_uploaded_file\(/
  condition:
    any of them
}

rule shell_in_text {
  meta:
    label = "Writes a shell to a file"
    severity = "suspicious"
    on = "code"
  strings:
    $shell = /'[^'\n]{0,80}<\?(php|=)?[^'\n]{0,80}(eval|assert|system|passthru|shell_exec|exec|move_uploaded_file|copy|include|\$_?\w+)<[^'\n]{0,60}~_(GET|POST|REQUEST|COOKIE|FILES)/ nocase
    $write = /[^>:] (fwrite|fputs|file_put_contents|fopen|query|mysql_query|mysqli_query)\(/
  condition:
    $shell and $write
}

rule names_no_one_can_read {
  meta:
    label = "Names everything so that no one can read it"
    severity = "suspicious"
    on = "raw"
  strings:
    $bytes = /\$[\x80-\xff]{3,60}\s?(=|\(|\[|\{)/
    $bytes_called = /\$(\{?\$?)?[\x80-\xff]{3,60}(\[[^\]]{1,60}\]|\{[^}]{1,60}\})?\s?\(/
    $zeros = /\$\{?["']?[O0o_]{5,30}["']?\}?\s?(=|\(|\[|\{|\.)/
    $zeros_called = /\$\{?["']?[O0o_]{5,30}["']?\}?(\[[^\]]{1,60}\]|\{[^}]{1,60}\})?\s?\(/
    $ones = /\$\{?["']?[Il1i_]{6,30}["']?\}?\s?(=|\(|\[|\{|\.)/
    $ones_called = /\$\{?["']?[Il1i_]{6,30}["']?\}?(\[[^\]]{1,60}\]|\{[^}]{1,60}\})?\s?\(/
    $eval = /[^>:a-zA-Z_](eval|assert|create_function)\s{0,5}\(/ nocase
  condition:
    (#bytes > 4 and ($bytes_called or $eval)) or (#zeros > 3 and ($zeros_called or $eval)) or (#ones > 3 and ($ones_called or $eval))
}

rule remote_variable {
  meta:
    label = "Fetches text from elsewhere, then runs it"
    severity = "suspicious"
    on = "code"
  strings:
    $fetch = /\$[A-Za-z0-9_]{1,40}=@? (file_get_contents|curl_exec|stream_get_contents|wp_remote_retrieve_body|implode|join|fread|fgets)\([^;]{0,120}/
    $address = /'(https?|ftp):\/\/[^']{4,}'/
    $run = /[^>:] (eval|assert|create_function)\((@|\(|'[^']{0,12}'\.| (base64_decode|gzinflate|str_rot13|gzuncompress)\()*\$/
    $fetches = / (file_get_contents|curl_exec|fopen|fsockopen|file)\(/
    $command = /[^>:] (shell_exec|system|passthru|exec|popen|proc_open)\(@?\$/
    $known = / (namespace|add_action|apply_filters|interface|abstract)[ (]/
    $library = / (class|escapeshellarg|require_once|getopt)[ (]/
  condition:
    ($fetch and $address and $run and not $known and filesize < 20000) or ($fetches and $address and $command and not $known and not $library and filesize < 3000)
}

rule eval_of_file {
  meta:
    label = "Runs the text of a file as PHP"
    severity = "suspicious"
    on = "code"
  strings:
    $eval = / eval\((@|\(|'[^']{0,8}'\.| (base64_decode|gzinflate|gzuncompress|str_rot13|strrev|implode|trim)\()* (file_get_contents|file|stream_get_contents|gzfile)\(/
    $known = / (namespace|class|interface|abstract|add_action|apply_filters)[ (;]/
  condition:
    $eval and not $known
}
