# A table that is created on a full disk can keep the server from ever starting again. So a part of the disk is taken
# before it is needed, and what sites want to write is refused while the rest is nearly full.
: "${FLEETPRESS_RESERVE_MIB:=128}"
reserve=/var/lib/mysql/reserve

# Sets free_mib.
look_for_room() {
  local blocks size
  # Waited for here: the server is the first process of the container and collects no one's children.
  read -r blocks size <<< "$(stat -f -c '%a %S' /var/lib/mysql)"
  free_mib=$((blocks * size / 1048576))
}

release_reserve_if_full() {
  look_for_room
  ((free_mib >= FLEETPRESS_RESERVE_MIB / 2)) || rm -f "$reserve"
}

# Sets the statement that follows from how much is free.
keep_reserve() {
  statement=''
  look_for_room
  if ((free_mib < FLEETPRESS_RESERVE_MIB * 2)); then
    statement='SET GLOBAL read_only = 1//'
    release_reserve_if_full
  elif ((free_mib > FLEETPRESS_RESERVE_MIB * 4)); then
    statement='SET GLOBAL read_only = 0//'
    # Beside its place first: a file that is only half there reserves nothing.
    [[ -e $reserve ]] || { ((free_mib > FLEETPRESS_RESERVE_MIB * 6)) && fallocate -l "${FLEETPRESS_RESERVE_MIB}M" "$reserve.part" && mv "$reserve.part" "$reserve"; }
  fi
}
