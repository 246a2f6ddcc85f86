package main

import (
	"context"
	"encoding/json"
	"os"
	"sync"

	"github.com/streamingfast/dmetering"
	"go.uber.org/zap"
)

// meter appends what the engine counts to a file, one JSON object a line: what hosted engines bill by. Tier 1 and
// tier 2 both report, under the hash of the module that the request asked for.
type meter struct {
	mutex sync.Mutex
	file  *os.File
}

func registerMeter(path string) error {
	if path == "" {
		dmetering.RegisterNull()
		return nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	m := &meter{file: file}
	dmetering.Register("null", func(string, *zap.Logger) (dmetering.EventEmitter, error) { return m, nil })
	return nil
}

func (m *meter) Emit(_ context.Context, event dmetering.Event) {
	line, err := json.Marshal(map[string]any{
		"endpoint": event.Endpoint,
		"module":   event.OutputModuleHash,
		"metrics":  event.Metrics,
	})
	if err != nil {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	_, _ = m.file.Write(append(line, '\n'))
}

func (m *meter) Shutdown(error) {}
