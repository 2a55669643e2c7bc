// What gives tools of attackers away, whichever way their code reaches its end: names that they give themselves, what
// they bring along, and several habits in one file. None of it is certain.

rule names_from_bits {
  meta:
    label = "Works out names from the bits of other texts"
    severity = "suspicious"
    on = "code"
  strings:
    $text_first = /'[&|^]~?\(? [a-z0-9_\x80-\xff]{1,40}[.;)&|^]/
    $word_first = /[=(.] [a-z0-9_\x80-\xff]{1,40}[&|^](DECODED)?'/
    $not = /=~\(? ?[a-z0-9_\x80-\xff]{2,40}[;.)]/
    $made = /=\(?DECODED'/
    $called = /\$[A-Za-z0-9_]{1,40}\(@?\(?["'$ D]/
  condition:
    $called and ((#text_first + #word_first > 2 and #made > 1) or ($not and filesize < 1000))
}

rule program_in_text {
  meta:
    label = "Carries a program for the server in a text"
    severity = "suspicious"
    on = "raw"
  strings:
    $script = /['"](IyEvdXNyL2Jpbi|IyEvYmluL|I2luY2x1ZGUgP|I2luY2x1ZGU8)[A-Za-z0-9+\/]{20}/
    $binary = /['"](f0VMRg[EI]B|TVqQAAMAAAA)[A-Za-z0-9+\/]{20}/
    $page = /['"]PD9(waHAg|waHAK|waHAN|waHAJ|KI|gI)[A-Za-z0-9+\/]{20}/
    $hex = /['"](0x)?(7f454c460[12]01|4d5a90000300)[0-9a-f]{40}/ nocase
    $use = /\b(fwrite|fputs|file_put_contents|eval|system|exec|shell_exec|passthru|dumpfile|base64_decode)\b/ nocase
  condition:
    any of ($script, $binary, $page, $hex) and $use
}

rule compares_with_anything {
  meta:
    label = "Compares what a visitor sends with a function that it does not name"
    severity = "suspicious"
    on = "code"
  strings:
    $compare = / (array_diff_ukey|array_udiff|array_uintersect|array_intersect_ukey|array_udiff_assoc|array_diff_uassoc|array_intersect_uassoc|array_udiff_uassoc|array_uintersect_assoc|array_uintersect_uassoc|iterator_apply)\([^;]{0,160}\$_INPUT/
    $known = / (namespace|class|add_action|add_filter|apply_filters|current_user_can|defined)[ (]/
  condition:
    $compare and not $known and filesize < 3000
}

rule small_and_runs {
  meta:
    label = "A small file that runs commands or text"
    severity = "suspicious"
    on = "code"
  strings:
    $command = /[^>:] (system|shell_exec|passthru|popen|exec|proc_open|pcntl_exec)\((@|\(|"|'[^']{0,40}'\.)*\$/
    $text = /[^>:] (eval|assert|create_function)\((@|\(|"|'[^']{0,40}'\.| (base64_decode|gzinflate|gzuncompress|str_rot13|strrev|stripslashes)\()*\$/
    $input = "$_INPUT"
    $session = "$_SESSION"
    $caller = "$_SERVER['REMOTE_"
    $known = / (namespace|extends|interface|abstract|add_action|add_filter|apply_filters|current_user_can|defined|escapeshellarg|escapeshellcmd|getopt|require_once|phpunit_framework_testcase)[ (;]/
    $line = /\$argv\b/
  condition:
    ($command or $text) and ($input or $session or $caller) and not $known and not $line and filesize < 4000
}

rule tries_what_runs {
  meta:
    label = "Asks which way to run commands is open, and takes it"
    severity = "suspicious"
    on = "code"
  strings:
    $asks = / (function_exists|is_callable)\('?(system|exec|shell_exec|passthru|popen|proc_open)'?\)/
    $run = /[^>:] (system|exec|shell_exec|passthru|popen|proc_open)\((@|\(|")*\$/
    $known = / (namespace|class|interface|add_action|add_filter|apply_filters|current_user_can|defined|escapeshellarg|escapeshellcmd)[ (]/
  condition:
    #asks > 1 and #run > 1 and not $known and filesize < 400000
}

rule mails_a_list {
  meta:
    label = "Sends mail to a whole list, for as long as it takes"
    severity = "suspicious"
    on = "code"
  strings:
    $mail = /[^>:_] mail\(/
    $loop = / (for|foreach|while)\(/
    $forever = / (set_time_limit\( 0\)|ignore_user_abort\(|ini_set\('max_execution_time')/
    $list = /'https?:\/\/[^']{4,100}\.txt'|[^>:] (explode|split|preg_split)\('[^']{0,6}',[^;]{0,40}\$_INPUT/
    $told = /\$_INPUT/
    $kept = / (explode|preg_split|split)\('[^']{0,6}', (file_get_contents|fread)\(|=@? file\(/
    $posing = /'[^']{0,8}from: ?[^']{0,80}/ nocase
    $known = / (namespace|class|add_action|add_filter|apply_filters|current_user_can|defined)[ (]/
  condition:
    $mail and $loop and not $known and (($told and ($list or ($forever and #mail < 4)) and filesize < 60000) or ($kept and $posing and filesize < 3000))
}

rule saves_a_script {
  meta:
    label = "Fetches a script from elsewhere and keeps it"
    severity = "suspicious"
    on = "code"
  strings:
    $script = /'(https?|ftp):\/\/[^']{4,100}(\.(php\d?|phtml|txt|pl|py|sh|jpg|gif)|\/raw\/[^']{1,20})'/
    $fetch = /[^>:] (file_get_contents|curl_exec|fopen|fsockopen|copy|file)\(/
    $keep = /[^>:] (file_put_contents|fwrite|fputs|copy)\(@?["'$ ]/
    $known = / (namespace|class|interface|add_action|add_filter|apply_filters|current_user_can|defined|require_once|getopt)[ (]/
  condition:
    $script and $fetch and $keep and not $known and filesize < 20000
}

rule makes_shells {
  meta:
    label = "Puts a shell together and writes it to a file"
    severity = "suspicious"
    on = "raw"
  strings:
    $tag = /['"]<\?(php)?\s/
    $runs = /['"][^'"\n]{0,60}(eval|assert|create_function)\s?\(/
    $name = /\(\s?~\s?['"](assert|system|eval)/
    $input = /['"][^'"\n]{0,60}\$_(POST|GET|REQUEST|COOKIE)\s?\[/
    $write = /\b(fwrite|fputs|file_put_contents)\s?\(/
    $strip = /\bphp_strip_whitespace\s?\(/
    $dropped = /\b(fwrite|fputs|file_put_contents)\s?\([^;]{0,60}['"][^\n]{0,300}<\?(php|=)?[^\n]{0,200}(move_uploaded_file|eval|assert|system|passthru|shell_exec|\$_(FILES|POST|GET|REQUEST|COOKIE))/
    $page = /['"][^'"\n]{0,60}\.(php\d?|phtml)['"]/
    $known = /\b(namespace|extends|add_action|apply_filters|interface|ABSPATH|implements)\b/
  condition:
    (($tag and $write and ($name or ($runs and $strip) or ($runs and $input))) or ($dropped and $page)) and not $known and filesize < 60000
}

rule written_at_once {
  meta:
    label = "Writes what a visitor sends to a file in one go"
    severity = "suspicious"
    on = "code"
  strings:
    $write = /[^>:] (fwrite|fputs)\(@? fopen\([^;]{1,120},'[wax][^;]{0,60}\$_INPUT/
    $known = / (namespace|class|add_action|apply_filters|current_user_can|defined)[ (]/
  condition:
    $write and not $known and filesize < 4000
}

rule upload_page {
  meta:
    label = "A page that keeps any file that anyone uploads"
    severity = "suspicious"
    on = "code"
  strings:
    $move = /[^>:] (move_uploaded_file|copy)\(@?(\$_INPUT[^;,]{0,60}|\$[A-Za-z0-9_]{1,30}),[^;]{0,120}\$_INPUT/
    $checked = / (in_array|preg_match|getimagesize|exif_imagetype|finfo_open|finfo_file|mime_content_type|wp_check_filetype|current_user_can|wp_verify_nonce|check_admin_referer|check_ajax_referer|wp_handle_upload|add_action|add_filter|apply_filters|namespace|extends|interface)[ (]/
  condition:
    $move and not $checked and filesize < 60000
}

rule object_that_runs {
  meta:
    label = "Makes an object of what a visitor sends, and objects here run text"
    severity = "suspicious"
    on = "code"
  strings:
    $made = / unserialize\((@| (base64_decode|urldecode|stripslashes|gzuncompress)\()*\$_INPUT/
    $run = /[^>:] (eval|assert|system|shell_exec|passthru|exec|popen|create_function)\((@|\(|")*\$this/
  condition:
    all of them
}

rule shell_by_name {
  meta:
    label = "Calls itself what tools of attackers are called"
    severity = "suspicious"
    on = "raw"
  strings:
    $family = /\b(c99(mad|_?sh(ell)?|unlimited)|c100 ?shell|r57(shell|[ _.-]sh)|b374k|wso[ _]?(\d\.\d|shell|version|ex\b|header)|filesman\b|phpspy|indoxploit|antichat|safe0ver|simattacker|nst ?view|ctt ?shell|cyber ?shell|locus7s|madnet|iskorpitx|egy[ _]?spider|ekin[0o]x|zehir|sosyete|alfa ?(shell|_data)|solevisible|p0wny|weevely|anonghost|k2ll33d|1n73ction|syrian ?sh[e3]ll|dx ?shell|gfs web-?shell|h4ntu|lamashell|php ?jackal|nix remote|phpremoteview|kadot universal|0byt3m1n1|indosec|con7ext|leaf ?(php)?mailer|xleet|gel4y|mister ?spy|marijuana ?shell|xploiter ?crew|behinder|antsword|godzilla ?shell|rebeyond|phantasma|ironshell|predator ?shell|ani-?shell|bl0od3r|bloodsec|1945 ?shell|ru24|stakershell|zaco ?shell|erne ?bypass|spider php shell|silic group|darkshell|devilz ?shell|priv8 ?(shell|uploader|mailer)|sh3ll)/ nocase
    $kind = /\b(backdoor ?(php|shell)|web ?shell by|shell ?(coded |edited |made )?by ?:|shell (coded|edited) by|mini ?shell|root ?shell|bypass ?shell|shell ?bypass|cmd[ _-]?shell|php[ _-]?shell\b|web[ _-]?shell\b|shell v\d\.\d)/ nocase
    $more = /\b(php-findsock|pentestmonkey|kingdefacer|liz0zim|stres ?bypass|crystal ?shell|dive shell|private-i3lue|r0xem|sniper_?sa\b|azrailphp|beyaz_?hacker|dc3 security crew|fatalisticz|hxpshell|magiccoder|matamu|team ?4o4|casus 1\.5|moroccan spamers|sincap 1\.0|zyklonshell|boffmax|lostdc|megabor|soldier of allah|tryag|spygrup|g00nshell|smevk|c0derz|punkholic|config ?killer|wwwolf|ph ?vayv|ntdaddy|networkfilemanagerphp|b1n4ry|indrajith|indishell|cgi-?telnet|ak-74 security|lifka shell|rst\/ghc|hackru|shellbot|h4x0r|cyber-warrior|biyosecurity|securityhouse)/ nocase
    $does = /\b(eval|assert|system|exec|shell_exec|passthru|popen|proc_open|fopen|fwrite|file_get_contents|file_put_contents|copy|move_uploaded_file|mail|base64_decode|gzinflate|fsockopen|mysql_connect|chmod|unlink|opendir|scandir|symlink|curl_init|curl_exec|get_headers|include|phpinfo)\s?\(/ nocase
    $known = /\b(ABSPATH|WPINC|add_action|apply_filters|namespace|PHPUnit|Copyright \(c\) \d{4} (The|Fabien|Sebastian))\b/
    $listed = /\|(c99|r57|b374k|wso|filesman|c99sh(ell)?|r57shell|c99mad(shell)?|webshell)[|)]/ nocase
    $plugin = /\b(class\s{1,3}\w{1,60}\s{0,3}(extends|implements|\{)|esc_(html|attr)(__|_e)?\s?\(|get_option\s?\(|wp_[a-z_]{3,30}\s?\(|defined\s?\()/
  condition:
    ($family or $more or ($kind and not $plugin)) and $does and not $known and not $listed and filesize < 1000000
}

rule talks_like_a_shell {
  meta:
    label = "Speaks of what tools of attackers do"
    severity = "suspicious"
    on = "raw"
  strings:
    $a = /safe[ _-]?mode/ nocase
    $b = /back[ _-]?connect|bind[ _-]?port|reverse shell|nc -l?vv? ?-l/ nocase
    $c = /mass ?(deface|delete|mailer)|defac(e|ed|er|ement)\b|zone-h\b|hacked by|owned by|0wned|greetz/ nocase
    $d = /uname -a|php_uname\s?\(/ nocase
    $e = /milw0rm|exploit-db|packetstorm|1337day|0day|rooting|local ?root/ nocase
    $f = /\/etc\/(passwd|shadow|named\.conf)/
    $g = /disable_?functions/ nocase
    $h = /(symlink|sym403|jumping|config ?(grab|kill)|cpanel ?(crack|brute|reset)|brute ?force|port ?scan)/ nocase
    $i = /(execute command|command execut|run command|execute php|eval code|php[ -]?(code|eval))/ nocase
    $j = /(kill ?me|self[ _-]?(remove|destruct|kill)|login_shell|loginpass|auth_pass)/ nocase
    $k = /(upload(er|ed)? (success|fail|ok|done|file)|file ?manager|change dir|make dir|make file)/ nocase
    $does = /\b(eval|assert|system|exec|shell_exec|passthru|popen|proc_open|fwrite|file_put_contents|copy|move_uploaded_file|fsockopen)\s?\(/ nocase
    $input = /\$(_(GET|POST|REQUEST|COOKIE|FILES)|HTTP_(GET|POST)_VARS)\b/
    $known = /\b(ABSPATH|WPINC|add_action|apply_filters|namespace|current_user_can|PHPUnit)\b/
  condition:
    5 of ($a, $b, $c, $d, $e, $f, $g, $h, $i, $j, $k) and $does and $input and not $known and filesize < 1000000
}
