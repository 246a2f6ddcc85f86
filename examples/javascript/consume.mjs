// Reads the trades of every block from a Substreams endpoint, survives undone blocks, and goes on where it stopped.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { createAuthInterceptor, createRegistry, createRequest, createSubstream } from "@substreams/core";
import { streamBlocks, unpackMapOutput } from "@substreams/core";
import { addBlock, begin, count, load, save, total, undo } from "./progress.mjs";

const HELP = `Counts the trades of every block, as a Substreams endpoint gives them.

node consume.mjs --package FILE --endpoint URL --start N --stop N [options]

  --package FILE   the packed package, such as pumpfun-trades.spkg
  --endpoint URL   https://HOST:PORT, or http://HOST:PORT for an endpoint without TLS
  --start N        first slot
  --stop N         slot to stop before; 0 goes on with the chain, for ever
  --module NAME    a module whose output has trades (default: map_trades)
  --cursor FILE    keep in FILE how far we are, and go on from there (--start is then only for the first time)
  --production     let the engine run ranges in parallel and cache them: for more than a few blocks

The environment variable SUBSTREAMS_API_TOKEN, if it is set, is sent to the endpoint as the bearer token.
`;

function slotNumber(name, text) {
  if (!/^\d{1,15}$/.test(text ?? "")) throw new Error(`--${name} needs a slot number; --help says more`);
  return Number(text);
}

function readOptions() {
  const string = { type: "string" };
  const options = {
    package: string, endpoint: string, start: string, stop: string, cursor: string,
    module: { type: "string", default: "map_trades" },
    production: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  };
  let values;
  try {
    values = parseArgs({ options }).values;
  } catch (error) {
    throw new Error(`${error.message}; --help says more`);
  }
  if (values.help) return values;
  if (!values.package) throw new Error("--package is needed: the .spkg file; --help says more");
  if (!/^https?:\/\/[^/]/.test(values.endpoint ?? "")) {
    throw new Error("--endpoint needs a URL that begins with https:// or http://; --help says more");
  }
  const start = slotNumber("start", values.start);
  const stop = slotNumber("stop", values.stop);
  if (stop !== 0 && stop <= start) throw new Error("--stop must be greater than --start, or 0");
  const token = process.env.SUBSTREAMS_API_TOKEN?.trim();
  // Checked here, because the error of a header that is not allowed would print it.
  if (token && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Error("SUBSTREAMS_API_TOKEN is no token: it holds spaces or other characters that no token has");
  }
  return { ...values, start, stop, token };
}

function readPackage(file, module) {
  let substream;
  try {
    substream = createSubstream(readFileSync(file));
  } catch (error) {
    throw new Error(`${file} cannot be read as a package (${error.message}): make it with \`substreams pack\``);
  }
  const names = substream.modules?.modules.map(({ name }) => name) ?? [];
  if (!names.includes(module)) throw new Error(`no module ${module} in ${file}: take one of ${names.join(", ")}`);
  return substream;
}

async function consume(options, signal) {
  const substream = readPackage(options.package, options.module);
  const registry = createRegistry(substream);
  let progress = options.cursor ? load(options.cursor, options.module) : begin(options.module);
  if (progress.cursor) console.log("going on from the cursor");
  // The endpoint takes a range without a block for an error.
  if (options.stop !== 0 && progress.slot + 1 >= options.stop) return console.log(line("total", total(progress)));

  const request = createRequest({
    substreamPackage: substream,
    outputModule: options.module,
    startBlockNum: options.start,
    stopBlockNum: options.stop,
    productionMode: options.production,
    startCursor: progress.cursor,
  });
  const transport = createGrpcTransport({
    baseUrl: options.endpoint,
    httpVersion: "2",
    interceptors: options.token ? [createAuthInterceptor(options.token)] : [],
  });

  for await (const response of streamBlocks(transport, request, { signal })) {
    const { case: kind, value } = response.message;
    let message;
    if (kind === "blockScopedData") {
      const slot = Number(value.clock.number);
      // A block without any row comes with an empty output, or not at all.
      const rows = value.output?.mapOutput?.value.length ? unpackMapOutput(response, registry).trades : [];
      if (!rows) throw new Error(`the output of ${options.module} has no trades: take another --module`);
      const counts = count(rows);
      progress = addBlock(progress, { slot, counts, cursor: value.cursor, finalSlot: Number(value.finalBlockHeight) });
      if (counts.trades > 0) message = line(`slot ${slot}`, counts);
    } else if (kind === "blockUndoSignal") {
      const lastValidSlot = Number(value.lastValidBlock.number);
      const undone = undo(progress, { lastValidSlot, cursor: value.lastValidCursor });
      progress = undone.progress;
      const slots = undone.dropped.map((block) => block.slot).join(", ") || "no block with trades";
      message = `undo: dropped what is above slot ${lastValidSlot}: ${slots}`;
    } else if (kind === "fatalError") {
      throw new Error(`the module ${value.module} failed, and will again on this block: ${value.reason}`);
    } else {
      continue; // The session's id and progress reports.
    }
    // First saved, then told. With a database, this is one transaction that writes the block's rows and its cursor.
    if (options.cursor) save(options.cursor, progress);
    if (message) console.log(message);
  }
  console.log(line("total", total(progress)));
}

const line = (what, { trades, buys, sells }) => `${what}: ${trades} trades, ${buys} buys, ${sells} sells`;

function advice(error, options) {
  switch (error instanceof ConnectError ? error.code : undefined) {
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return "Set SUBSTREAMS_API_TOKEN to a valid token of this endpoint's provider.";
    case Code.InvalidArgument:
      return "The endpoint does not take this request: check --start, --stop, --module and the package.";
    case undefined:
      return ""; // Not the endpoint's: the error itself says what to do.
    default:
      return `Check that ${options.endpoint} is a Substreams endpoint, then run the same command again${
        options.cursor ? ": it goes on from the cursor." : "; with --cursor FILE it would go on where it stopped."}`;
  }
}

let options = {};
const stop = new AbortController();
try {
  options = readOptions();
  if (options.help) process.stdout.write(HELP);
  else await consume(options, stop.signal);
} catch (error) {
  console.error(`error: ${[error.message.trim(), advice(error, options)].filter(Boolean).join("\n")}`);
  process.exitCode = 1;
  stop.abort(); // Or an error of ours leaves the connection open, and the program would wait for it.
}
