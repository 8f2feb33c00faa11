/** The beginning of the rich capture, whose four servers start one after the other and have several files each, against its truth. */
import { mergeColumns, readEventPieces, type EventColumns } from "@aglens/ag-model/events";
import { decodeWindow } from "@aglens/contract";
import { RICH_OPTIONS, richWorld } from "@aglens/fixtures/rich";
import { filetimeText } from "xel-parser/format";
import { beforeAll, describe, expect, test } from "vitest";
import type { AnalysedFile } from "./analysed-file.ts";
import { analyseBeginning, type AnalysedBeginning } from "./beginning.ts";

const SECOND = 1_000_000;
const { files: all, truth } = richWorld();
const files = all.filter(({ path }) => path.endsWith(".xel"));

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(files.find((file) => file.path === path)!.bytes);
}

const decode = ({ id }: AnalysedFile, name: string): AsyncGenerator<EventColumns> =>
  readEventPieces(bytesOf(id), name, {}, 500);

/** What is known of a file before an analysis. */
async function known({
  path,
  bytes,
}: {
  readonly path: string;
  readonly bytes: Uint8Array;
}): Promise<AnalysedFile> {
  const pieces: EventColumns[] = [];
  for await (const piece of readEventPieces(bytesOf(path), path)) pieces.push(piece);
  const { ticks } = mergeColumns(pieces);
  const [replica, name] = path.split("/");
  return {
    id: path,
    name: name!,
    size: bytes.length,
    role: replica === "NODE1" ? "primary" : "secondary",
    replica: replica!,
    from: filetimeText(ticks[0]!),
    to: filetimeText(ticks.at(-1)!),
  };
}

let given: AnalysedFile[];
beforeAll(async () => {
  given = await Promise.all(files.map(known));
});

/** What of the true blocks began before an instant on the clock of NODE1, which shows the capture's origin first, µs. */
function trueBlocksBefore(edgeUs: number) {
  const origin = RICH_OPTIONS.servers[0]!.capture!.from;
  return truth.databases.flatMap(({ blocks }) =>
    blocks.id.flatMap((id, row) => {
      const at = (blocks.C0[row] ?? 0) - origin;
      // The origin is the capture's first event, up to some ms behind the session's start.
      return at >= 20_000 && at < edgeUs - 20_000 ? [{ id: BigInt(id), blocks, row }] : [];
    }),
  );
}

const beginningOf = async (some: readonly AnalysedFile[], share: number): Promise<AnalysedBeginning> => {
  const found = await analyseBeginning({ files: some, topologies: [], decode }, share);
  expect(found).not.toBeNull();
  return found!;
};

describe("the beginning of a capture of four servers", () => {
  // The servers have events from 0.6 s of true time on, when NODE4 starts, to 56.8 s. NODE4's UTC is 0.21 s ahead, so its last event is last.
  test.each([0.1, 0.5, 0.85])(
    "that is %f of its time has all blocks up to its edge, complete",
    async (share) => {
      const { summary, model, picture } = await beginningOf(given, share);
      const { edgeUs, wholeUs, blocks } = summary.beginning;
      expect(Math.abs(wholeUs - (56.8 + 0.21 - 0.3) * SECOND)).toBeLessThan(SECOND / 10);
      // Its last event by each server's own UTC; that of NODE4 comes first, by 0.21 s.
      const end = (0.81 + share * 56.2 - 0.21 - 0.3) * SECOND;
      expect(edgeUs).toBeLessThan(end);
      // It ends earlier by the longest block, which took 1 s of NODE4's lag at most.
      expect(edgeUs).toBeGreaterThan(end - SECOND);
      expect(model.blocks.time[blocks - 1]).toBeLessThan(edgeUs);
      expect(model.blocks.time[blocks] ?? Infinity).toBeGreaterThanOrEqual(edgeUs);
      const rows = new Map(
        Array.from(model.blocks.blockId.subarray(0, blocks), (id, row) => [
          `${id}/${model.blocks.size[row]}`,
          row,
        ]),
      );
      const expected = trueBlocksBefore(edgeUs);
      expect(expected.length).toBeGreaterThan(100);
      for (const { id, blocks: known, row } of expected) {
        const own = rows.get(`${id}/${known.size[row]! * 512}`);
        expect(own, String(id)).toBeDefined();
        const write = model.blocks.localFlushEnd[own!]! - model.blocks.localFlushStart[own!]!;
        expect(Math.abs(write - (known.F1[row]! - known.F0[row]!))).toBeLessThanOrEqual(2);
      }
      // A block that was sent has its acknowledgement, but for the last ones to the asynchronous replica before a failover.
      const open = model.hops.map(
        ({ sendStart, ackProcessed }) =>
          Array.from(sendStart.keys()).filter(
            (row) => row < blocks && sendStart[row]! > 0 && Number.isNaN(ackProcessed[row]),
          ).length,
      );
      const unanswered = expected.filter(({ blocks: { replicas }, row }) => {
        const { K0, H1 } = replicas["NODE4"]!;
        return K0[row] !== null && H1[row] === null;
      });
      expect(open).toEqual([0, 0, unanswered.length]);
      const { from, to } = decodeWindow(picture);
      expect([from, to]).toEqual([0, edgeUs]);
    },
  );

  test("begins where the last server starts, and leaves out what ended before", async () => {
    const late = given.filter(({ replica }) => replica === "NODE4").slice(0, 2);
    const some = given.filter((file) => !late.includes(file));
    const start = some.filter(({ replica }) => replica === "NODE4").map(({ from }) => from!)[0]!;
    const { summary, model } = await beginningOf(some, 0.5);
    const needed = some.filter(({ to }) => to! >= start);
    expect(needed.length).toBeLessThan(some.length - 6);
    const names = model.files.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(4);
    expect(needed.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    // Half of the time from there to the end of all.
    const seconds = (text: string): number => Date.parse(text) / 1_000;
    const ends = some.map(({ to }) => seconds(to!));
    const half = (Math.max(...ends) - seconds(start)) / 2;
    const first = seconds(needed.map(({ from }) => from!).toSorted()[0]!);
    expect(Math.abs(summary.beginning.edgeUs / SECOND - (seconds(start) - first + half))).toBeLessThan(1.5);
  });

  test("ends with the server whose files end first", async () => {
    const of = given.filter(({ replica }) => replica === "NODE3");
    const last = of.at(-2)!;
    const some = given.filter((file) => file !== of.at(-1));
    const { edgeUs } = (await beginningOf(some, 1)).summary.beginning;
    const origin = Math.min(
      ...given.filter(({ replica }) => replica === "NODE1").map(({ from }) => Date.parse(from!)),
    );
    // NODE3's UTC is 0.09 s behind that of NODE1.
    expect(edgeUs / 1_000).toBeLessThan(Date.parse(last.to!) + 90 - origin + 20);
    expect(edgeUs / 1_000).toBeGreaterThan(Date.parse(last.to!) + 90 - origin - 2_000);
  });
});
