// How far a consumer has come: the cursor, and what it has counted up to there. No network, and every function but
// `load` and `save` is pure: it returns the progress after, and leaves the one before as it is.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

const NOTHING = { trades: 0, buys: 0, sells: 0 };

const add = (a, b) => ({ trades: a.trades + b.trades, buys: a.buys + b.buys, sells: a.sells + b.sells });

// `slot` is the last that was taken in. `final` is the sum over all blocks that cannot be undone any more. `open` are the others, one by one, in order:
// they are what an undo drops, so they are kept with the cursor and not only in memory.
export function begin(module) {
  return { module, cursor: "", slot: -1, final: NOTHING, finalSlot: 0, open: [] };
}

export function count(trades) {
  const buys = trades.filter((trade) => trade.isBuy).length;
  return { trades: trades.length, buys, sells: trades.length - buys };
}

export function total(progress) {
  return progress.open.reduce((sum, block) => add(sum, block.counts), progress.final);
}

// Takes a block in. `finalSlot` is the last slot that is final: nothing up to there will be undone.
export function addBlock(progress, { slot, counts, cursor, finalSlot }) {
  // Blocks without trades need no place: undoing them changes nothing.
  const open = counts.trades > 0 ? [...progress.open, { slot, counts }] : progress.open;
  const closed = open.filter((block) => block.slot <= finalSlot);
  return {
    ...progress,
    cursor,
    slot,
    final: closed.reduce((sum, block) => add(sum, block.counts), progress.final),
    finalSlot: Math.max(progress.finalSlot, finalSlot),
    open: open.filter((block) => block.slot > finalSlot),
  };
}

// Drops everything above the last valid block, and goes on from the cursor that comes with it: the old one stands on
// a block that is no more. Returns the blocks that it dropped, too.
export function undo(progress, { lastValidSlot, cursor }) {
  if (lastValidSlot < progress.finalSlot) {
    throw new Error(
      `the endpoint undoes down to slot ${lastValidSlot}, but had called slot ${progress.finalSlot} final: ` +
        "delete the cursor file and start again",
    );
  }
  return {
    progress: { ...progress, cursor, slot: lastValidSlot, open: progress.open.filter((block) => block.slot <= lastValidSlot) },
    dropped: progress.open.filter((block) => block.slot > lastValidSlot),
  };
}

// The progress that was saved, or a new one where there is no file.
export function load(file, module) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return begin(module);
    throw error;
  }
  let progress;
  try {
    progress = JSON.parse(text);
  } catch {
    // Said below.
  }
  if (typeof progress?.cursor !== "string" || !Array.isArray(progress.open)) {
    throw new Error(`${file} is not a cursor file of this program: take another name, or delete it and start again`);
  }
  if (progress.module !== module) {
    throw new Error(`${file} belongs to the module ${progress.module}: take another file for ${module}`);
  }
  return progress;
}

// A file is renamed whole or not at all, so that a crash leaves the old progress or the new one, never half of one.
// And cursor and counts are in one file, so that they cannot tell different stories.
export function save(file, progress) {
  const fresh = `${file}.new`;
  const handle = openSync(fresh, "w");
  try {
    writeSync(handle, `${JSON.stringify(progress)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
}
