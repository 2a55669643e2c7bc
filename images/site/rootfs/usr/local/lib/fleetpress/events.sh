# Runs scheduled events of WordPress when they are due, and wakes php-fpm where it sleeps through a visit. While there is
# nothing to do, it looks now and then and starts no process.

wake_every=20
# A site that is moving to this server is started and then frozen until the move is over: nothing may run before that.
# Not all sites of a server that has restarted begin at once.
first_look=$((EPOCHSECONDS + 20 + RANDOM % 20))
# The must-use plugin notes when the next event is due. Looking ourselves finds what changed without it, such as a
# restored database. WordPress has an event every hour, and each run renews the note, so this is hardly ever needed.
look_every=4000
pause=30
longest_pause=900

look_at=$first_look
not_before=$first_look
tried=

run_events() {
  # Waiting on a pipe that never says anything takes no process.
  exec {silence}<> <(:)
  while :; do
    wake_php
    run_due_events
    read -r -t "$wake_every" -u "$silence"
  done
}

# php-fpm can overlook a visitor who comes while it ends its last idle process. It sees the next one, so one is sent.
wake_php() {
  local sockets
  mapfile -t sockets < /proc/net/unix
  # What no process has accepted yet has no number.
  [[ ${sockets[*]} == *' 0 /run/fleetpress/visitors.sock'* ]] || return
  exec {nginx}<> /dev/tcp/127.0.0.1/8080 || return
  printf 'GET /.fleetpress/health HTTP/1.0\r\nHost: localhost\r\n\r\n' >&"$nginx"
  exec {nginx}>&-
}

run_due_events() {
  local next=
  # What the site has written there may be anything.
  [[ -f /run/fleetpress/next-event ]] && read -r -t 1 -n 20 next < /run/fleetpress/next-event
  [[ ${#next} -le 11 && $next != *[!0-9]* ]] || next=
  if ((EPOCHSECONDS >= look_at)); then
    look_at=$((EPOCHSECONDS + (${#next} ? look_every : 60)))
    request /next-event.php
  elif [[ $next && $next != 0 ]] && ((EPOCHSECONDS >= 10#$next && EPOCHSECONDS >= not_before)); then
    # An event that stays due although WordPress was asked to run it is tried less and less often.
    [[ $next == "$tried" ]] && pause=$((pause * 2 > longest_pause ? longest_pause : pause * 2)) || pause=30
    tried=$next
    not_before=$((EPOCHSECONDS + pause))
    look_at=$((EPOCHSECONDS + look_every))
    request '/wp-cron.php?doing_wp_cron'
  fi
}

# Asks PHP by way of nginx, under the primary name of the site, and does not wait for the answer.
request() {
  local address name primary=localhost scheme=https
  while read -r address name _; do
    [[ $address == "$FLEETPRESS_GATEWAY" ]] && primary=$name && break
  done < /etc/hosts
  [[ $primary == localhost || $primary == *.localhost ]] && scheme=http
  exec {nginx}<> /dev/tcp/127.0.0.1/8081 || return
  printf 'GET %s HTTP/1.0\r\nHost: %s\r\nX-Forwarded-Proto: %s\r\n\r\n' "$1" "$primary" "$scheme" >&"$nginx"
  exec {nginx}>&-
}
