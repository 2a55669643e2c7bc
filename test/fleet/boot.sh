# What the firmware of a VPS would do: runs at every start, then becomes systemd.

# The engine mounts these read-only; systemd and the VPS's own Docker write to them.
for place in /sys /sys/fs/cgroup /sys/fs/cgroup/*/; do
  mount -o remount,bind,rw "$place" 2>/dev/null
done

# A start is a boot of its own, not the boot of the machine below.
cat /proc/sys/kernel/random/uuid > /run/boot_id
mount --bind /run/boot_id /proc/sys/kernel/random/boot_id

# One disk of its own for what the VPS keeps, so that it can be full; it takes only the room that is written to.
cd /var/lib/testbed || exit 1
if [ ! -e disk.img ]; then
  truncate -s 20G new.img && mkfs.ext4 -q -m 0 new.img && mv new.img disk.img || exit 1
fi
mkdir -p disk
mknod /dev/loop-control c 10 237
for attempt in 1 2 3 4 5 6 7 8 9; do
  number=$(losetup -f 2>/dev/null | tr -dc 0-9)
  [ -e "/dev/loop$number" ] || mknod "/dev/loop$number" b 7 "$number"
  # Another VPS may take the same free device first.
  losetup "/dev/loop$number" disk.img 2>/dev/null && break
done
# The device is let go of as soon as nothing is mounted from it, whatever ends the VPS.
mount "/dev/loop$number" disk && losetup -d "/dev/loop$number" || exit 1
mkdir -p disk/srv disk/docker
mount --bind disk/srv /srv
mkdir -p /var/lib/docker
mount --bind disk/docker /var/lib/docker

# Made at the first start; the third kind, RSA, would take longer than all the rest of it.
for kind in ecdsa ed25519; do
  [ -e "/etc/ssh/ssh_host_${kind}_key" ] || ssh-keygen -q -N '' -t "$kind" -f "/etc/ssh/ssh_host_${kind}_key"
done
exec /sbin/init
