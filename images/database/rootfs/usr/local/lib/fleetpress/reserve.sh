# A table that is created on a full disk can keep the server from ever starting again. So a part of the disk is taken
# before it is needed, and what sites want to write is refused while the rest is nearly full.
: "${FLEETPRESS_RESERVE_MIB:=128}"
reserve=/var/lib/mysql/reserve

free_mib() {
  local blocks size
  # Waited for here: the server is the first process of the container and collects no one's children.
  read -r blocks size <<< "$(stat -f -c '%a %S' /var/lib/mysql)"
  echo $((blocks * size / 1048576))
}

release_reserve_if_full() {
  (($(free_mib) >= FLEETPRESS_RESERVE_MIB / 2)) || rm -f "$reserve"
}

# Says the statements that follow from how much is free.
keep_reserve() {
  local free
  free=$(free_mib)
  if ((free < FLEETPRESS_RESERVE_MIB * 2)); then
    echo 'SET GLOBAL read_only = 1//'
    release_reserve_if_full
  elif ((free > FLEETPRESS_RESERVE_MIB * 4)); then
    echo 'SET GLOBAL read_only = 0//'
    # Beside its place first: a file that is only half there reserves nothing.
    [[ -e $reserve ]] || { ((free > FLEETPRESS_RESERVE_MIB * 6)) && fallocate -l "${FLEETPRESS_RESERVE_MIB}M" "$reserve.part" && mv "$reserve.part" "$reserve"; }
  fi
}
