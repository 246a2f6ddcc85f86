import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { addBlock, begin, count, load, save, total, undo } from "./progress.mjs";

const buys = (trades) => ({ trades, buys: trades, sells: 0 });

// Blocks of a chain whose last final slot stays behind: [slot, trades], with the cursor `at SLOT`.
function chain(blocks, finalSlot = 0, from = begin("map_trades")) {
  return blocks.reduce(
    (progress, [slot, trades]) => addBlock(progress, { slot, counts: buys(trades), cursor: `at ${slot}`, finalSlot }),
    from,
  );
}

function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), "consume-"));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("trades are counted by side", () => {
  assert.deepEqual(count([{ isBuy: true }, { isBuy: false }, { isBuy: true }]), { trades: 3, buys: 2, sells: 1 });
  assert.deepEqual(count([]), { trades: 0, buys: 0, sells: 0 });
});

test("every block moves the cursor, those without trades too", () => {
  const progress = chain([[10, 2], [11, 0]]);
  assert.equal(progress.cursor, "at 11");
  assert.equal(total(progress).trades, 2);
});

test("an undo drops what is above the last valid block, and takes its cursor", () => {
  const before = chain([[10, 2], [11, 3], [13, 5]]);
  const { progress, dropped } = undo(before, { lastValidSlot: 10, cursor: "back at 10" });
  assert.deepEqual(dropped.map((block) => block.slot), [11, 13]);
  assert.equal(progress.cursor, "back at 10");
  assert.equal(total(progress).trades, 2);
  assert.equal(total(before).trades, 10, "the progress before is left as it is");
});

test("the blocks of the other fork are counted in place of those undone", () => {
  const { progress } = undo(chain([[10, 2], [11, 3]]), { lastValidSlot: 10, cursor: "back at 10" });
  assert.equal(total(chain([[11, 7], [12, 1]], 0, progress)).trades, 10);
});

test("an undo of blocks without trades drops nothing, and takes the cursor all the same", () => {
  const { progress, dropped } = undo(chain([[10, 2], [11, 0]]), { lastValidSlot: 10, cursor: "back at 10" });
  assert.deepEqual(dropped, []);
  assert.equal(progress.cursor, "back at 10");
});

test("final blocks are summed up and need no place any more", () => {
  const progress = chain([[12, 4]], 11, chain([[10, 2], [11, 3]]));
  assert.deepEqual(progress.open.map((block) => block.slot), [12]);
  assert.equal(total(progress).trades, 9);
  assert.equal(total(undo(progress, { lastValidSlot: 11, cursor: "" }).progress).trades, 5);
});

test("an undo of final blocks is an error, not a wrong sum", () => {
  assert.throws(() => undo(chain([[10, 2]], 10), { lastValidSlot: 9, cursor: "" }), /delete the cursor file/);
});

test("progress is the same after a restart, and an undo reaches behind it", () => {
  inFolder((folder) => {
    const file = join(folder, "cursor.json");
    assert.deepEqual(load(file, "map_trades"), begin("map_trades"));
    const before = chain([[10, 2], [11, 3]], 9);
    save(file, chain([[10, 2]], 9));
    save(file, before);
    const after = load(file, "map_trades");
    assert.deepEqual(after, before);
    assert.equal(total(undo(after, { lastValidSlot: 10, cursor: "" }).progress).trades, 2);
    assert.deepEqual(readdirSync(folder), ["cursor.json"]);
  });
});

test("a half-written file beside the cursor does not matter", () => {
  inFolder((folder) => {
    const file = join(folder, "cursor.json");
    save(file, chain([[10, 2]]));
    writeFileSync(`${file}.new`, '{"cursor":"at 1');
    assert.equal(load(file, "map_trades").cursor, "at 10");
  });
});

test("a file that is no cursor, or another module's, is refused", () => {
  inFolder((folder) => {
    const file = join(folder, "cursor.json");
    for (const text of ["", "null", "[]", '{"cursor":"x"}']) {
      writeFileSync(file, text);
      assert.throws(() => load(file, "map_trades"), /not a cursor file/);
    }
    save(file, begin("map_events"));
    assert.throws(() => load(file, "map_trades"), /belongs to the module map_events/);
  });
});
