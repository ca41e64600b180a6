package pglocal

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is the operating system user that PostgreSQL runs as.
type account struct {
	uid, gid int
	dropped  bool // this process is root and drops its privileges to that user
}

// account returns the user to run the cluster as: the current one, or for root the cluster's owner,
// or for root with a new cluster an unprivileged user.
func (c *cluster) account() (account, error) {
	self := account{uid: os.Geteuid(), gid: os.Getegid()}
	info, err := os.Stat(c.data)
	exists := err == nil
	if exists {
		uid, gid := owner(info)
		switch {
		case uid == 0:
			return account{}, fmt.Errorf("%s belongs to root, as whom PostgreSQL does not run: chown -R it to the user postgres", c.data)
		case self.uid == 0:
			return account{uid: uid, gid: gid, dropped: true}, nil
		case self.uid != uid:
			return account{}, fmt.Errorf("%s belongs to the user with id %d: run as that user or as root", c.data, uid)
		}
	}
	if self.uid != 0 {
		return self, nil
	}
	return unprivileged()
}

// unprivileged returns the user postgres, or else nobody.
func unprivileged() (account, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.Atoi(u.Uid)
		if err != nil {
			return account{}, fmt.Errorf("id of the user %s: %w", name, err)
		}
		gid, err := strconv.Atoi(u.Gid)
		if err != nil {
			return account{}, fmt.Errorf("group of the user %s: %w", name, err)
		}
		return account{uid: uid, gid: gid, dropped: true}, nil
	}
	return account{}, fmt.Errorf("PostgreSQL does not run as root and there is no user postgres or nobody: create one, or run as an ordinary user")
}

// owner returns the user and group that own a file.
func owner(info fs.FileInfo) (uid, gid int) {
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid)
}

// own changes the owner of path to the account if this process drops privileges to it.
func (a account) own(path string) error {
	if !a.dropped {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// attributes returns the process attributes of a child that runs as the account. A session of its
// own keeps Ctrl-C and SIGHUP of the terminal away from the server, whose users still have to
// finish their queries.
func (a account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if a.dropped {
		attr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid), Groups: []uint32{}}
	}
	return attr
}

// inherited is the path of a child's first ExtraFiles entry.
const inherited = "/proc/self/fd/3"

// command returns a command of PostgreSQL that works on PGDATA; see "Running as root" in the
// package comment. The caller must keep data open until the command has started.
func (a account) command(program string, data *os.File, args []string) *exec.Cmd {
	name := data.Name()
	var files []*os.File
	if _, err := os.Stat("/proc/self/fd"); a.dropped && err == nil {
		name, files = inherited, []*os.File{data}
	}
	cmd := exec.Command(program, append([]string{"-D", name}, args...)...)
	cmd.ExtraFiles = files
	cmd.Dir = "/" // initdb must be able to return to its working directory, and the account may not enter ours
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
	return cmd
}
