<?php
// Hands a message to the relay of the server. Exit codes as sendmail has them: 75 try later, 69 refused, 64 not usable.

const RELAY = 'tcp://10.213.255.249:25';
const SECONDS = 15;

function leave(int $code, string $why)
{
    fwrite(STDERR, "The email was not sent: $why\n");
    exit($code);
}

/** The addresses in a header such as `"Doe, Ada" <ada@example.com>, bob@example.com`. */
function addresses(string $header): array
{
    $bare = preg_replace(['/"(?:[^"\\\\]|\\\\.)*"/s', '/\([^()]*\)/'], '', $header);
    $found = [];
    foreach (preg_split('/[,;]/', $bare) as $part) {
        $address = preg_match('/<([^<>]*)>/', $part, $match) ? $match[1] : trim($part);
        if ($address !== '') {
            $found[] = $address;
        }
    }
    return $found;
}

/** Refuses what could be a second command. */
function plain(string $address): string
{
    if (!preg_match('/^[!-~]+$/', $address) || strpbrk($address, '<>') !== false) {
        leave(64, 'an address is not usable.');
    }
    return $address;
}

/** The first of the site's own names: they are in its hosts file, the primary one first. */
function own_name(): string
{
    foreach (file('/etc/hosts') ?: [] as $line) {
        $words = preg_split('/\s+/', trim($line));
        if (isset($words[1]) && $words[1] !== 'localhost') {
            return preg_replace('/^www\./', '', $words[1]);
        }
    }
    return 'localhost';
}

$sender = null;
$recipients = [];
for ($at = 1; $at < $argc; $at++) {
    $word = $argv[$at];
    if (preg_match('/^-[fr](.*)$/s', $word, $match)) {
        $sender = $match[1] !== '' ? $match[1] : ($argv[++$at] ?? '');
    } elseif ($word !== '' && $word[0] !== '-') {
        $recipients[] = $word;
    }
}

$message = preg_replace('/\r\n|\r|\n/', "\n", stream_get_contents(STDIN));
[$head, $body] = array_pad(explode("\n\n", $message, 2), 2, '');
$headers = preg_split('/\n(?![ \t])/', rtrim($head, "\n"));
$value = static function (string $name) use ($headers): array {
    $found = preg_grep("/^$name\s*:/i", $headers);
    return array_values(array_map(static fn ($header) => preg_replace('/\n[ \t]+/', ' ', explode(':', $header, 2)[1]), $found));
};
if ($recipients === []) {
    foreach (['To', 'Cc', 'Bcc'] as $name) {
        foreach ($value($name) as $list) {
            array_push($recipients, ...addresses($list));
        }
    }
}
if ($recipients === []) {
    leave(64, 'it has no recipient.');
}
$headers = preg_grep('/^Bcc\s*:/i', $headers, PREG_GREP_INVERT);
if ($value('From') === []) {
    $headers[] = 'From: wordpress@' . own_name();
}
$sender ??= addresses($value('From')[0] ?? '')[0] ?? 'wordpress@' . own_name();

$relay = @stream_socket_client(RELAY, $code, $why, SECONDS) ?: leave(75, 'the relay of this server does not respond.');
stream_set_timeout($relay, SECONDS);

$say = static function (?string $line, string $wanted) use ($relay): void {
    if ($line !== null) {
        fwrite($relay, "$line\r\n");
    }
    do {
        $answer = fgets($relay, 4096);
        if ($answer === false) {
            leave(75, 'the relay of this server stopped responding.');
        }
    } while (($answer[3] ?? '') === '-');
    if ($answer[0] !== $wanted) {
        leave($answer[0] === '4' ? 75 : 69, rtrim($answer));
    }
};

$say(null, '2');
$say('EHLO ' . own_name(), '2');
$say('MAIL FROM:<' . ($sender === '' ? '' : plain($sender)) . '>', '2');
foreach (array_unique($recipients) as $recipient) {
    $say('RCPT TO:<' . plain($recipient) . '>', '2');
}
$say('DATA', '3');
$text = implode("\n", $headers) . "\n\n" . rtrim($body, "\n") . "\n";
fwrite($relay, str_replace("\n", "\r\n", preg_replace('/^\./m', '..', $text)));
$say('.', '2');
fwrite($relay, "QUIT\r\n");
