// The Substreams engine on a folder of merged bundles: tier 1 and tier 2 in one process, on loopback.
//
// It is the engine itself, as hosted endpoints run it, without what surrounds it there: no live blocks, no
// authentication, no metering. Tier 1 answers requests and runs the blocks of a request in development mode; in
// production mode it splits them into segments, which tier 2 runs in parallel and caches in the state store.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/streamingfast/bstream"
	"github.com/streamingfast/dauth"
	nullauth "github.com/streamingfast/dauth/null"
	trustauth "github.com/streamingfast/dauth/trust"
	"github.com/streamingfast/logging"
	"github.com/streamingfast/substreams/app"
	"go.uber.org/zap"
)

var logger, _ = logging.PackageLogger("engine", "pumpfun-trades/engine")

// Blocks of a bundle, and so of the smallest segment that tier 2 can run.
const bundleBlocks = 100

type options struct {
	blocks  string
	state   string
	listen  string
	segment uint64
	jobs    uint64
	first   uint64
	meter   string
}

func main() {
	var o options
	flag.StringVar(&o.blocks, "blocks", "", "folder of merged bundles, NUMBER.dbin.zst (`DIR`; `pumpfun bundle` makes them)")
	flag.StringVar(&o.state, "state", "", "folder of the caches: outputs, indexes and stores of modules (`DIR`; made if it is not there)")
	flag.StringVar(&o.listen, "listen", "127.0.0.1:10016", "`ADDRESS` that tier 1 listens on; tier 2 takes a free port")
	flag.Uint64Var(&o.segment, "segment", bundleBlocks, "blocks of a segment, a multiple of 100")
	flag.Uint64Var(&o.jobs, "jobs", 4, "segments of one request that run at once")
	flag.Uint64Var(&o.first, "first", 0, "first slot of the chain, not above the initialBlock of any module")
	flag.StringVar(&o.meter, "meter", "", "`FILE` that the engine's counts of bytes are appended to, one JSON object a line")
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "Runs the Substreams engine, tier 1 and tier 2, on a folder of merged bundles.\n\n")
		fmt.Fprintf(os.Stderr, "engine --blocks DIR --state DIR [options]\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintf(os.Stderr, "engine: %v\n", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("%q is not understood; --help says what is", flag.Arg(0))
	}
	if o.blocks == "" || o.state == "" {
		return errors.New("--blocks and --state are needed; --help says what for")
	}
	if o.segment == 0 || o.segment%bundleBlocks != 0 {
		return fmt.Errorf("--segment %d is no multiple of %d", o.segment, bundleBlocks)
	}
	if err := checkBundles(o.blocks); err != nil {
		return err
	}
	blocks, err := storeURL(o.blocks)
	if err != nil {
		return err
	}
	state, err := storeURL(o.state)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.state, 0o755); err != nil {
		return err
	}
	// Blocks that are not in a bundle yet: there are none, but the engine wants to be told a place.
	none := filepath.Join(o.state, "no-blocks")
	if err := os.MkdirAll(none, 0o755); err != nil {
		return err
	}
	noBlocks, err := storeURL(none)
	if err != nil {
		return err
	}
	// The engine logs a failure to listen and lives on; here it ends at once.
	if err := canListen(o.listen); err != nil {
		return err
	}
	tier2, err := freeAddress()
	if err != nil {
		return err
	}

	logging.InstantiateLoggers(logging.WithDefaultLevel(zap.WarnLevel))
	nullauth.Register()
	trustauth.Register()
	if err := registerMeter(o.meter); err != nil {
		return err
	}
	bstream.GetProtocolFirstStreamableBlock = o.first

	worker := app.NewTier2(logger, &app.Tier2Config{
		GRPCListenAddr:        tier2,
		BlockExecutionTimeout: 3 * time.Minute,
	}, &app.Tier2Modules{})
	auth, err := dauth.New("null://", logger)
	if err != nil {
		return err
	}
	front := app.NewTier1(logger, &app.Tier1Config{
		MeteringConfig:        "null://",
		MergedBlocksStoreURL:  blocks,
		OneBlocksStoreURL:     noBlocks,
		ForkedBlocksStoreURL:  noBlocks,
		StateStoreURL:         state,
		StateBundleSize:       o.segment,
		MaxSubrequests:        o.jobs,
		SubrequestsEndpoint:   tier2,
		SubrequestsPlaintext:  true,
		BlockType:             "sf.solana.type.v1.Block",
		BlockExecutionTimeout: 3 * time.Minute,
		GRPCListenAddr:        o.listen,
	}, &app.Tier1Modules{Authenticator: auth})

	if err := worker.Run(); err != nil {
		return err
	}
	if err := front.Run(); err != nil {
		return err
	}
	for _, address := range []string{tier2, o.listen} {
		if err := waitFor(address); err != nil {
			return err
		}
	}
	fmt.Printf("ready on %s\n", o.listen)

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	select {
	case <-signals:
	case <-front.Terminated():
		return fmt.Errorf("tier 1 has ended: %w", front.Err())
	case <-worker.Terminated():
		return fmt.Errorf("tier 2 has ended: %w", worker.Err())
	}
	return nil
}

// checkBundles refuses a folder without bundles, on which the engine would wait for ever.
func checkBundles(folder string) error {
	bundles, err := filepath.Glob(filepath.Join(folder, "*.dbin.zst"))
	if err != nil {
		return err
	}
	for _, bundle := range bundles {
		name := strings.TrimSuffix(filepath.Base(bundle), ".dbin.zst")
		if number, err := strconv.ParseUint(name, 10, 64); err == nil && len(name) == 10 && number%bundleBlocks == 0 {
			return nil
		}
	}
	return fmt.Errorf("%s holds no merged bundle (NUMBER.dbin.zst, of 10 digits, a multiple of %d)", folder, bundleBlocks)
}

func storeURL(folder string) (string, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String(), nil
}

func canListen(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return listener.Close()
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func waitFor(address string) error {
	var err error
	for range 100 {
		var connection net.Conn
		if connection, err = net.DialTimeout("tcp", address, time.Second); err == nil {
			return connection.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}
