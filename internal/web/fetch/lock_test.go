package fetch

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// lockedFolder makes the test binary a process that locks a folder, says so and waits to be killed.
const lockedFolder = "FETCH_TEST_LOCKED_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(lockedFolder); folder != "" {
		if _, err := Lock(folder); err != nil {
			panic(err)
		}
		fmt.Println("locked")
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		return
	}
	os.Exit(m.Run())
}

// TestLockEndsWithItsProcess kills the process that holds a lock: the next one gets it.
func TestLockEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "download", "pgfn")
	began := time.Now()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), lockedFolder+"="+folder)
	stdin, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := Lock(folder); !errors.As(err, &busy) || busy.Holder != fmt.Sprint(other.Process.Pid) {
		t.Errorf("got %v, want to be told of process %d", err, other.Process.Pid)
	} else if busy.Since.Before(began.Add(-time.Second)) || busy.Since.After(time.Now().Add(time.Second)) {
		t.Errorf("held since %s, begun at %s", busy.Since, began)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	release, err := Lock(folder)
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	if _, err := Lock(folder); !errors.As(err, &busy) || busy.Holder != fmt.Sprint(os.Getpid()) {
		t.Errorf("twice in a process: %v", err)
	}
	release()
	if release, err = Lock(folder); err != nil {
		t.Fatalf("after the release: %v", err)
	}
	release()
	if beside, err := Lock(filepath.Join(filepath.Dir(folder), "ceis")); err != nil {
		t.Errorf("another folder: %v", err)
	} else {
		beside()
	}
}
