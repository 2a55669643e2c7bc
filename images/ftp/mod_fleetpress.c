/* Opens the folder of a login without following a single link, and only then makes it the root of the session.
 * ProFTPD resolves links in that path itself, and mod_sftp ignores AllowChrootSymlinks: a site that replaces the folder
 * with a link would point its login to another site. */
#include "conf.h"
#include "privs.h"
#include <crypt.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>

module fleetpress_module;

/* The kernel refuses what lies outside, even when a folder is moved away under an open session. */
static int confine(int fd) {
  struct landlock_ruleset_attr ruleset = { .handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 };
  struct landlock_path_beneath_attr beneath = { .parent_fd = fd };
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  int rules, result;
  if (abi < 0) return -1;
#ifdef LANDLOCK_ACCESS_FS_REFER
  if (abi >= 2) ruleset.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
#endif
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
  if (abi >= 3) ruleset.handled_access_fs |= LANDLOCK_ACCESS_FS_TRUNCATE;
#endif
  beneath.allowed_access = ruleset.handled_access_fs & ~LANDLOCK_ACCESS_FS_EXECUTE;
  rules = syscall(SYS_landlock_create_ruleset, &ruleset, sizeof(ruleset), 0);
  if (rules < 0) return -1;
  result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
  if (result == 0) result = syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return result;
}

/* With the rights of the site: what it may not enter, its login may not either. */
static int enter(const struct passwd *pw) {
  struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
  int fd, failed, reason;
  setfsgid(pw->pw_gid);
  setfsuid(pw->pw_uid);
  fd = syscall(SYS_openat2, AT_FDCWD, pw->pw_dir, &how, sizeof(how));
  failed = fd < 0 || fchdir(fd) < 0 || chroot(".") < 0;
  reason = errno;
  setfsuid(geteuid());
  setfsgid(getegid());
  if (!failed) return fd;
  if (fd >= 0) close(fd);
  errno = reason;
  return -1;
}

static int jail(pr_fs_t *fs, const char *path) {
  struct passwd *pw = session.user ? pr_auth_getpwnam(session.pool, session.user) : NULL;
  int fd, reason;
  (void) fs;
  if (pw == NULL || pw->pw_dir == NULL || strcmp(pw->pw_dir, path) != 0) {
    pr_log_pri(PR_LOG_WARNING, "fleetpress: the folder of a login is not the one it was given");
    errno = EPERM;
    return -1;
  }
  fd = enter(pw);
  if (fd < 0) {
    reason = errno;
    pr_log_pri(PR_LOG_WARNING, "fleetpress: the folder of a login can't be opened: %s", strerror(reason));
    errno = reason;
    return -1;
  }
  if (confine(fd) < 0) pr_log_pri(PR_LOG_NOTICE, "fleetpress: no Landlock here: %s", strerror(errno));
  close(fd);
  session.chroot_path = pstrdup(session.pool, path);
  return 0;
}

/* Clients ask for the real path of a folder before they create it. mod_sftp refuses where OpenSSH's server answers: the
 * last part of the path may be missing. What mod_sftp is told of a missing name is a file of no kind, so a path that leads
 * on behind it stays refused. None of it may be remembered. */
static int asks_for_real_path = FALSE;

MODRET begin_real_path(cmd_rec *cmd) {
  asks_for_real_path = TRUE;
  pr_fs_clear_cache();
  return PR_DECLINED(cmd);
}

MODRET end_real_path(cmd_rec *cmd) {
  asks_for_real_path = FALSE;
  pr_fs_clear_cache();
  return PR_DECLINED(cmd);
}

static int look(pr_fs_t *fs, const char *path, struct stat *found) {
  (void) fs;
  if (lstat(path, found) == 0) return 0;
  if (!asks_for_real_path || errno != ENOENT) return -1;
  memset(found, 0, sizeof(*found));
  found->st_uid = session.uid;
  found->st_gid = session.gid;
  return 0;
}

/* mod_sftp encrypts an answer in a buffer of 512 KiB, and believes the client that it takes larger ones. No more at once than
 * OpenSSH's server gives. It also has no memory for a length that is negative as an int, and doesn't notice. */
static ssize_t read_some(pr_fh_t *fh, int fd, void *to, size_t bytes, off_t offset) {
  const size_t most = 255 * 1024;
  (void) fh;
  if (bytes > INT_MAX / 2) {
    errno = EINVAL;
    return -1;
  }
  return pread(fd, to, bytes < most ? bytes : most, offset);
}

/* What strangers say ends up in the log: nothing that could pass for another line of it, or move the cursor of a terminal. */
MODRET refuse_control_characters(cmd_rec *cmd) {
  const char *at = cmd->arg;
  while (at && *at && (unsigned char) *at >= ' ' && *at != 0x7f) at++;
  if (at == NULL || *at == '\0') return PR_DECLINED(cmd);
  pr_response_add_err(R_501, "Not a name");
  return PR_ERROR(cmd);
}

/* An unknown name takes as long to refuse as a wrong password: the cost is that of the panel's hashes. */
MODRET spend_as_much(cmd_rec *cmd) {
  const char *user = pr_table_get(session.notes, "mod_auth.orig-user", NULL);
  if (user == NULL || pr_auth_getpwnam(cmd->tmp_pool, user) == NULL) {
    struct crypt_data data = { 0 };
    (void) crypt_r("nobody", "$7$B6..../....0000000000000000$", &data);
  }
  return PR_DECLINED(cmd);
}

/* Counts every wrong password, also when each comes over a connection of its own. */
MODRET count_refusal(cmd_rec *cmd) {
  pr_event_generate("mod_auth.max-login-attempts", session.c);
  return PR_DECLINED(cmd);
}

static cmdtable fleetpress_cmdtab[] = {
  { PRE_CMD, "REALPATH", G_NONE, begin_real_path, FALSE, FALSE },
  { LOG_CMD, "REALPATH", G_NONE, end_real_path, FALSE, FALSE },
  { LOG_CMD_ERR, "REALPATH", G_NONE, end_real_path, FALSE, FALSE },
  { PRE_CMD, C_HOST, G_NONE, refuse_control_characters, FALSE, FALSE },
  { PRE_CMD, C_USER, G_NONE, refuse_control_characters, FALSE, FALSE },
  { PRE_CMD, C_PASS, G_NONE, spend_as_much, FALSE, FALSE },
  { LOG_CMD_ERR, C_PASS, G_NONE, count_refusal, FALSE, FALSE },
  { 0, NULL, NULL, NULL, FALSE, FALSE },
};

static int fleetpress_sess_init(void) {
  pr_fs_t *fs = pr_register_fs(session.pool, "fleetpress", "/");
  if (fs == NULL) return -1;
  fs->chroot = jail;
  fs->lstat = look;
  fs->pread = read_some;
  return 0;
}

module fleetpress_module = {
  NULL, NULL, 0x20, "fleetpress", NULL, fleetpress_cmdtab, NULL, NULL, fleetpress_sess_init, "mod_fleetpress/1",
};
