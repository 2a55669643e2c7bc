#!/bin/bash
# Word: the folder of all sites. Keeps every site within its limit of bytes and files, with or without the panel. The panel
# writes `disk-limit` next to the files of a site: bytes and files, 0 for no limit. This writes what the site uses to
# `disk-use`, and when it had to stop the site, to `disk-full`.
set -u
cd -- "$1" || exit
shopt -s nullglob

look_every=2
measure_every=300
# When so much room is gone since the sites were last measured, they are measured again at once. What others free in the
# meantime does not hide it: the most room seen since then counts.
bytes_gone=$((128 * 1024 * 1024))
files_gone=10000
# Below this much room, the site that grew most is stopped, so that the server itself never runs full.
reserve=$((1024 * 1024 * 1024))

declare -A used
declare room_bytes room_files

read_room() {
  local blocks size
  read -r blocks size room_files < <(stat -f --format='%a %S %d' -- .)
  room_bytes=$((blocks * size))
}

# Bytes and files. Links are not followed, and files are not opened.
measure() {
  timeout 120 find "$1/html" -xdev -printf '%b\n' 2> /dev/null |
    awk '{ blocks += $1 } END { printf "%.0f %d\n", blocks * 512, NR }'
}

note() {
  printf '%s\n' "$3" > "$1/$2.part" && mv -f -- "$1/$2.part" "$1/$2"
}

stop_site() {
  local slug=$1 container=fleetpress-site-$1
  [[ $(docker inspect --format '{{.State.Running}}' "$container" 2> /dev/null) == true ]] || return
  docker stop --time 2 "$container" > /dev/null
  note "$slug" disk-full "$2 $3 $EPOCHSECONDS"
  echo "$slug is stopped: it uses $2 bytes in $3 files."
}

measure_all() {
  local limit slug most_bytes most_files bytes files grown most_grown=$bytes_gone fastest= fastest_use=
  for limit in */disk-limit; do
    slug=${limit%/*}
    read -r most_bytes most_files < "$limit"
    [[ "$most_bytes $most_files" =~ ^[0-9]{1,15}\ [0-9]{1,12}$ ]] || continue
    read -r bytes files < <(measure "$slug")
    if ((most_bytes > 0 && bytes > most_bytes || most_files > 0 && files > most_files)); then
      stop_site "$slug" "$bytes" "$files"
    fi
    grown=$((bytes - ${used[$slug]:-$bytes}))
    if ((grown > most_grown)); then most_grown=$grown fastest=$slug fastest_use="$bytes $files"; fi
    used[$slug]=$bytes
    note "$slug" disk-use "$bytes $files $EPOCHSECONDS"
  done
  read_room
  # shellcheck disable=SC2086 # two words
  if ((room_bytes < reserve)) && [[ $fastest ]]; then stop_site "$fastest" $fastest_use; fi
}

# Waiting on a pipe that never says anything takes no process.
exec {silence}<> <(:)
while :; do
  measure_all
  measured_at=$EPOCHSECONDS peak_bytes=$room_bytes peak_files=$room_files
  until ((EPOCHSECONDS - measured_at >= measure_every ||
    peak_bytes - room_bytes >= bytes_gone || peak_files - room_files >= files_gone)); do
    read -r -t "$look_every" -u "$silence"
    read_room
    ((room_bytes > peak_bytes)) && peak_bytes=$room_bytes
    ((room_files > peak_files)) && peak_files=$room_files
  done
done
